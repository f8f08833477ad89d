package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// triedNeighbours is how many neighbours' environments are tried.
const triedNeighbours = 2

// again tries what inference could not set up: with the environments of
// neighbouring commits, and then with those of the validator's model. It
// reports whether a set-up works now. Parts are worked on one by one, and
// neighbours are those that inference could set up, so that the number of jobs
// makes no difference.
func (p *progress) again(ctx context.Context, v Validator, s Source, parts []Part, plan Plan) bool {
	recovered := false
	for i, part := range parts {
		if ctx.Err() != nil || len(p.failed) > 0 {
			return false
		}
		up, ok := p.setUps[part.ID]
		failure := p.failure(part.ID)
		if !ok || failure == "" {
			continue
		}
		near := []SetUp(nil)
		if up.Dropped != "" && len(up.Tries) == 0 {
			near = p.neighbours(parts, i)
		}
		asks := v.Fitter != nil && !slices.ContainsFunc(up.Tries, func(t Try) bool { return strings.HasPrefix(t.By, "model ") })
		if len(near) == 0 && !asks {
			continue
		}
		if p.second(ctx, v, s, part, failure, near, asks, plan) {
			recovered = true
			if _, enough := p.reach(parts, bounds{limit: plan.Limit}, p.runs); enough {
				break // more would be cost without use
			}
		}
	}
	return recovered
}

// failure is why a part's environment does not do; "" where it does, or where
// that is not the environment's doing.
func (p *progress) failure(id string) string {
	up, c := p.setUps[id], p.checked[id]
	switch {
	case up.Dropped != "":
		return fmt.Sprintf("%s: %s", up.Dropped, up.Detail)
	case c.Dropped == GoldFails, c.Dropped == NotSane:
		return fmt.Sprintf("The set-up ends well, and then the tests fail with the right solution: %s: %s\n%s", c.Dropped, c.Detail, strings.Join(c.Failing[:min(len(c.Failing), 10)], "\n"))
	}
	return ""
}

// neighbours are the set-ups by inference that lie nearest to a part and differ
// from its own and from each other.
func (p *progress) neighbours(parts []Part, at int) []SetUp {
	own := p.setUps[parts[at].ID]
	seen := map[string]bool{}
	if own.Env != nil {
		seen[keyOf(choices(own))] = true
	}
	var out []SetUp
	for far := 1; far < len(parts); far++ {
		for _, i := range []int{at - far, at + far} {
			if i < 0 || i >= len(parts) || parts[i].Language != parts[at].Language {
				continue
			}
			up, ok := p.setUps[parts[i].ID]
			if !ok || up.Dropped != "" || up.By != "" || up.Env == nil || p.failure(up.ID) != "" {
				continue
			}
			if key := keyOf(choices(up)); !seen[key] && len(out) < triedNeighbours {
				seen[key] = true
				out = append(out, up)
			}
		}
	}
	return out
}

// keyOf is equal for equal environments.
func keyOf(env bench.Env) string {
	text, err := json.Marshal(env)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// second works on one part, and records the result.
func (p *progress) second(ctx context.Context, v Validator, s Source, part Part, failure string, near []SetUp, asks bool, plan Plan) bool {
	work, ended := ctx, func(string) {}
	if plan.Begin != nil {
		work, ended = plan.Begin(ctx, part.ID)
	}
	names, err := s.Unmentioned(work, part.Instance)
	up, done, spent := p.setUps[part.ID], p.checked[part.ID], Spent{ID: part.ID}
	worked := false
	if err == nil {
		up, done, spent, worked, err = v.recover(work, s, part, names, up, done, failure, near, asks)
	}
	if err == nil {
		err = p.note(up, done, spent)
	}
	switch {
	case ctx.Err() != nil:
		ended("")
		return false
	case err != nil:
		p.failed = append(p.failed, fmt.Errorf("%s: %w", part.ID, err))
		ended(part.ID + ": " + err.Error())
		return false
	}
	ended(part.ID + ": tried again: " + outcome(up, done))
	return worked
}

// recover tries other environments for a part, and validates it in the first
// one that works.
func (v Validator) recover(ctx context.Context, s Source, part Part, names []string, up SetUp, done Checked, failure string, near []SetUp, asks bool) (SetUp, Checked, Spent, bool, error) {
	started := v.Now()
	spent := Spent{ID: part.ID}
	var found fitted
	var err error
	worked, by := false, ""
	for _, n := range near {
		env := choices(n)
		by = "neighbour " + n.ID
		if found, err = v.attempt(ctx, part.Instance, &env); err != nil {
			return up, done, spent, false, err
		}
		up.Tries = append(up.Tries, Try{By: by, Failure: tail(found.failure, 600)})
		if worked = found.failure == ""; worked {
			break
		}
	}
	if !worked && asks {
		var tries []Try
		by = "model " + v.Fitter.Name()
		if found, tries, err = v.fit(ctx, s, part, up, failure); err != nil {
			return up, done, spent, false, err
		}
		up.Tries = append(up.Tries, tries...)
		worked = found.env != nil && found.failure == ""
	}
	spent.SetUp = v.Now().Sub(started).Seconds()
	if !worked {
		return up, done, spent, false, nil
	}
	env := found.bed.Env()
	env.Dependencies, env.Setup, env.Build = nil, nil, nil
	up.Dropped, up.Detail, up.By, up.Given = "", "", by, found.env
	up.Environment, up.Env, up.Decisions = found.name, &env, found.bed.Decisions()
	done = Checked{ID: part.ID, Repo: part.Repo, Language: part.Language, Runs: v.Runs, Names: names}
	inst := *part.Instance
	inst.Env = found.env
	err = v.validate(ctx, &inst, found.bed, &done)
	spent.Validate = v.Now().Sub(started).Seconds() - spent.SetUp
	return up, done, spent, true, err
}

// setUp is what is known of a part's environment.
func (p *progress) setUp(id string) SetUp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.setUps[id]
}

// in is the part with an env of its own, where there is one.
func (p Part) in(env *bench.Env) Part {
	if env == nil {
		return p
	}
	inst := *p.Instance
	inst.Env = env
	p.Instance = &inst
	return p
}
