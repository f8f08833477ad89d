package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/bench"
	"assay/internal/jsonl"
	"assay/internal/pool"
)

// The files of the later stages. What is said of seconds differs from run to
// run, so that it has a file of its own.
const (
	setUpFile     = "setup.jsonl"
	validatedFile = "validated.jsonl"
	instancesFile = "instances.jsonl"
	secondsFile   = "seconds.jsonl"
)

// Plan bounds how much of a collection is validated.
type Plan struct {
	// Limit is how many valid instances are wanted of a repository, for each
	// commit up to which it was searched; 0 means all.
	Limit int
	// GiveUp leaves a repository after so many set-ups in a row that failed; 0
	// means never.
	GiveUp int
	// Short also takes changes whose statement is too short (NoStatement):
	// WriteStatements will write one.
	Short bool
	// Jobs are worked on at once.
	Jobs int
	// Begin is called when work on an instance begins, and the function that it
	// returns when it ends, with a line for people; it may be nil.
	Begin func(ctx context.Context, id string) (context.Context, func(line string))
}

// progress is what is known of a folder's parts.
type progress struct {
	setUps  map[string]SetUp
	checked map[string]Checked
	runs    int            // how many results must have to count as done
	files   [3]*jsonl.File // of set-ups, results and seconds
	mu      sync.Mutex
	failed  []error
}

// Complete sets up and validates the parts of the sources, newest first, and
// writes the instances. What was done before is not done again, unless with
// fewer runs; the instances of other repositories stay. An error of the machine
// leaves an instance for the next time; all of them are returned.
func (f *Folder) Complete(ctx context.Context, v Validator, sources []Source, plan Plan) error {
	if err := f.setBounds(sources, plan); err != nil {
		return err
	}
	p, err := f.openProgress(v.Runs)
	if err != nil {
		return err
	}
	for _, s := range sources {
		for _, parts := range f.groups(s.Name, plan.Short) {
			p.group(ctx, v, s, parts, plan)
		}
	}
	for _, file := range p.files {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return err
	}
	if err := f.writeResults(p); err != nil {
		return err
	}
	return errors.Join(errors.Join(p.failed...), ctx.Err())
}

// groups are the parts of a repository that can be set up, by the commit at
// which they were found; with short also those whose statement says too little.
func (f *Folder) groups(repo string, short bool) [][]Part {
	byCutOff := map[string][]Part{}
	var order []string
	for _, p := range f.Parts {
		if p.Repo != repo || p.Instance == nil || p.Dropped != "" && !short {
			continue
		}
		if byCutOff[p.CutOff] == nil {
			order = append(order, p.CutOff)
		}
		byCutOff[p.CutOff] = append(byCutOff[p.CutOff], p)
	}
	var out [][]Part
	for _, c := range order {
		out = append(out, byCutOff[c])
	}
	return out
}

// openProgress reads what was done. Results of fewer runs than wanted stay until
// others replace them.
func (f *Folder) openProgress(runs int) (*progress, error) {
	p := &progress{runs: runs, setUps: map[string]SetUp{}, checked: map[string]Checked{}}
	for i, file := range []struct {
		name string
		take func(text []byte) error
	}{
		{setUpFile, func(text []byte) error {
			return keep(text, p.setUps, func(s SetUp) string { return s.ID })
		}},
		{validatedFile, func(text []byte) error {
			return keep(text, p.checked, func(c Checked) string { return c.ID })
		}},
		{secondsFile, func([]byte) error { return nil }},
	} {
		opened, err := jsonl.Open(filepath.Join(f.Dir, file.name), func(_ jsonl.Line, text []byte) error { return file.take(text) })
		if err != nil {
			for _, before := range p.files[:i] {
				err = errors.Join(err, before.Close())
			}
			return nil, fmt.Errorf("%s: %w", filepath.Join(f.Dir, file.name), err)
		}
		p.files[i] = opened
	}
	return p, nil
}

func keep[T any](text []byte, into map[string]T, key func(T) string) error {
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	into[key(v)] = v
	return nil
}

// group works on the parts of a repository until there are enough valid ones.
// It takes them in order, so that the number of jobs does not decide which
// instances there will be.
func (p *progress) group(ctx context.Context, v Validator, s Source, parts []Part, plan Plan) {
	for {
		p.all(ctx, v, s, parts, plan)
		n, _ := p.reach(parts, bounds{plan.Limit, plan.GiveUp}, p.runs)
		if _, enough := p.reach(parts, bounds{limit: plan.Limit}, p.runs); enough || !p.again(ctx, v, s, parts[:n], plan) {
			return
		}
	}
}

// all works on the parts with the environments that are inferred.
func (p *progress) all(ctx context.Context, v Validator, s Source, parts []Part, plan Plan) {
	for at := 0; at < len(parts) && ctx.Err() == nil; {
		if _, enough := p.reach(parts[:at], bounds{plan.Limit, plan.GiveUp}, p.runs); enough {
			return
		}
		batch := parts[at:min(at+max(plan.Jobs, 1), len(parts))]
		if p.known(batch[0].ID) {
			batch = batch[:1]
		}
		pool.Each(ctx, plan.Jobs, slices.Values(batch), func(ctx context.Context, part Part) {
			if !p.known(part.ID) {
				p.part(ctx, v, s, part, plan)
			}
		})
		at += len(batch)
	}
}

// bounds end the work on a group; see Plan.
type bounds struct{ limit, giveUp int }

// reach is how many parts, from the first, are looked at until there are as many
// valid ones as wanted, or as many failures in a row as are put up with, and
// whether one of these was reached. Results of fewer runs are not valid ones.
func (p *progress) reach(parts []Part, b bounds, runs int) (n int, enough bool) {
	valid, failures := 0, 0
	for i, part := range parts {
		if up, ok := p.setUps[part.ID]; ok && up.Dropped != "" {
			failures++
		} else if ok {
			failures = 0
		}
		if p.valid(part.ID, runs) {
			valid++
		}
		if b.limit > 0 && valid >= b.limit || b.giveUp > 0 && failures >= b.giveUp {
			return i + 1, true
		}
	}
	return len(parts), false
}

// valid reports whether a part became an instance by so many runs.
func (p *progress) valid(id string, runs int) bool {
	c, ok := p.checked[id]
	return ok && c.Dropped == "" && c.Runs >= runs && p.setUps[id].Dropped == ""
}

// known reports whether all is known of a part.
func (p *progress) known(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	up, ok := p.setUps[id]
	return ok && up.Dropped != "" || p.checked[id].Runs >= max(p.runs, 1)
}

func (p *progress) part(ctx context.Context, v Validator, s Source, part Part, plan Plan) {
	work, ended := ctx, func(string) {}
	if plan.Begin != nil {
		work, ended = plan.Begin(ctx, part.ID)
	}
	names, err := s.Unmentioned(work, part.Instance)
	var up SetUp
	var done Checked
	var spent Spent
	before := p.setUp(part.ID)
	if err == nil {
		up, done, spent, err = v.Check(work, part.in(before.Given), names)
	}
	up.By, up.Given, up.Tries = before.By, before.Given, before.Tries
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		err = p.note(up, done, spent)
	}
	switch {
	case ctx.Err() != nil:
		ended("")
	case err != nil:
		p.failed = append(p.failed, fmt.Errorf("%s: %w", part.ID, err))
		ended(part.ID + ": " + err.Error())
	default:
		ended(part.ID + ": " + outcome(up, done))
	}
}

// note appends what was found out.
func (p *progress) note(up SetUp, done Checked, spent Spent) error {
	lines := []any{up, done, spent}
	if up.Dropped != "" {
		lines[1] = nil
	}
	for i, v := range lines {
		if v == nil {
			continue
		}
		text, err := json.Marshal(v)
		if err == nil {
			_, err = p.files[i].Append(text)
		}
		if err != nil {
			return err
		}
	}
	p.setUps[up.ID] = up
	if up.Dropped == "" {
		p.checked[up.ID] = done
	}
	return nil
}

// outcome is a line for people.
func outcome(up SetUp, done Checked) string {
	why, detail := up.Dropped, up.Detail
	if why == "" {
		why, detail = done.Dropped, done.Detail
	}
	if why == "" {
		return fmt.Sprintf("valid, %d fail-to-pass, %d pass-to-pass", len(done.FailToPass), len(done.PassToPass))
	}
	if i := strings.LastIndexByte(strings.TrimSpace(detail), '\n'); i >= 0 {
		detail = detail[i+1:]
	}
	return fmt.Sprintf("%s: %s", why, detail)
}

// writeResults writes the lines of the later stages in the order of the parts,
// and the instances.
func (f *Folder) writeResults(p *progress) error {
	var setUps []SetUp
	var checked []Checked
	var instances bytes.Buffer
	wanted, written, canary := f.wanted(p), f.written(), f.Canary()
	for _, part := range f.Parts {
		up, ok := p.setUps[part.ID]
		if ok {
			setUps = append(setUps, up)
		}
		c, ok := p.checked[part.ID]
		if !ok || up.Dropped != "" {
			continue
		}
		checked = append(checked, c)
		if !wanted[part.ID] {
			continue
		}
		if part.Dropped != "" && written[part.ID].Text == "" {
			continue // without a statement
		}
		inst, err := part.complete(c, up, written[part.ID], canary)
		if err != nil {
			return err
		}
		if err := bench.WriteInstance(&instances, inst); err != nil {
			return err
		}
	}
	f.SetUps, f.Checked = setUps, checked
	return errors.Join(
		writeLines(filepath.Join(f.Dir, setUpFile), setUps),
		writeLines(filepath.Join(f.Dir, validatedFile), checked),
		writeFile(filepath.Join(f.Dir, instancesFile), instances.Bytes()),
	)
}

// wanted are the ids of the instances: the valid parts within the bounds that
// the last call gave their repository. Several jobs may have gone beyond them.
func (f *Folder) wanted(p *progress) map[string]bool {
	ids := map[string]bool{}
	for _, r := range f.state.Repositories {
		for _, parts := range f.groups(r.Name, true) {
			n, _ := p.reach(parts, bounds{r.Limit, r.GiveUp}, 0)
			for _, part := range parts[:n] {
				ids[part.ID] = p.valid(part.ID, 0)
			}
		}
	}
	return ids
}

// complete is the part's instance with what its runs showed.
func (p Part) complete(c Checked, up SetUp, written Statement, canary string) (bench.Instance, error) {
	inst := *p.Instance
	inst.FailToPass, inst.PassToPass = c.FailToPass, c.PassToPass
	about, err := p.about()
	if err != nil {
		return inst, err
	}
	about.Runs, about.Flaky, about.Names, about.States, about.Env = c.Runs, c.Flaky, c.Names, c.States, up.Env
	about.Canary = canary
	about.tell(&inst, written)
	if up.Given != nil {
		inst.Env, about.EnvironmentBy = up.Given, up.By
	}
	raw, err := json.Marshal(about)
	inst.Extra = map[string]json.RawMessage{extraField: raw}
	return inst, err
}
