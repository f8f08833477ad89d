package badpatch

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/badpatch/code"
	"assay/badpatch/schemata"
	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// roundsBed is a Bed that can run tests many times on one build; ok is false where
// the build does not allow that.
type roundsBed interface {
	RunRounds(ctx context.Context, v languages.Variant, r languages.Rounds) (out languages.Repeated, ok bool, err error)
}

const (
	// shareMost bounds the candidates of one build, and shareFirst those of the
	// first, from which the next are chosen.
	shareMost  = 16
	shareFirst = 8
	// shareTries bounds how often a build is tried, each time without the
	// candidates that broke it.
	shareTries = 6
)

// screen runs many candidates on one build where it can: gold's files are written
// with all of them, and a variable chooses. That only shows which candidates are
// worth a run of their own: it has no nonce tests, and a candidate that is kept is
// run again as a patch.
type screen struct {
	*runner
	subject *Subject
	bed     roundsBed
	files   map[string]*schemata.File // gold's, without versions; nil for one that has none
	off     string                    // why builds are not shared any longer
	builds  int
}

func newScreen(r *runner, s *Subject) *screen {
	out := &screen{runner: r, subject: s, files: map[string]*schemata.File{}}
	bed, ok := r.bed.(roundsBed)
	if !ok {
		out.off = "tests cannot run many times on one build here"
	}
	out.bed = bed
	return out
}

// group are the offers that run together with one, most at most.
func (s *screen) group(q *queue, first *offer, most int) []*offer {
	out := []*offer{first}
	if !s.shares(first) {
		return out
	}
	size := shareMost
	if s.builds == 0 {
		size = shareFirst
	}
	for len(out) < min(size, most) {
		o, _ := q.takeBeside(out, s.shares)
		if o == nil {
			break
		}
		out = append(out, o)
	}
	return out
}

// shares reports whether a candidate can be in a build with others.
func (s *screen) shares(o *offer) bool {
	if s.off != "" || o.alone {
		return false
	}
	all, err := s.subject.texts(o.Candidate)
	for _, t := range all {
		if err == nil && string(t.gold) != string(t.text) {
			f, ok := s.file(t)
			o.alone = o.alone || !ok || !f.Takes(t.text)
		}
	}
	o.alone = o.alone || err != nil
	return !o.alone
}

// file is gold's file, to be given versions.
func (s *screen) file(t texts) (*schemata.File, bool) {
	if t.gold == nil || t.text == nil {
		return nil, false
	}
	f, known := s.files[t.path]
	if !known && code.IsSource(s.subject.Language, t.path) {
		if parsed, err := code.Parse(s.subject.Language, t.path, t.gold); err == nil {
			f, _ = schemata.New(parsed)
		}
		s.files[t.path] = f
	}
	return f, f != nil
}

// try runs offers, together where they are several. The first is decided in any
// case; a trial without a verdict is of an offer that was not.
func (s *screen) try(ctx context.Context, group []*offer) ([]Trial, error) {
	trials := make([]Trial, len(group))
	if len(group) > 1 {
		if err := s.together(ctx, group, trials); err != nil {
			return nil, err
		}
	}
	if trials[0].Verdict != "" {
		return trials, nil
	}
	spent := trials[0].Seconds
	var err error
	trials[0], err = s.runner.try(ctx, group[0].Candidate)
	trials[0].Seconds += spent
	return trials, err
}

// together decides on the offers that one build can hold. Those that do not build
// are rejected, and the others built again. Where an error is about one of several,
// half of these are left out, and stay without a verdict.
func (s *screen) together(ctx context.Context, group []*offer, trials []Trial) error {
	spent := 0.0
	defer func() { share(trials, spent) }()
	out := make([]bool, len(group))
	for range shareTries {
		m, err := s.write(group, func(i int) bool { return trials[i].Verdict == "" && !out[i] })
		if err != nil || len(m.values) < 2 {
			return err
		}
		seen, ok, err := s.bed.RunRounds(ctx, languages.Variant{Name: "candidates", Code: m.patch, Tests: s.inst.TestPatch, Time: s.patience},
			languages.Rounds{Variable: schemata.Variable, Values: m.values, Time: s.patience})
		if err != nil || !ok {
			s.off = "the build cannot be used again"
			return err
		}
		s.builds++
		spent += seconds(seen.Build)
		if seen.Build.State == bench.RunDone {
			s.decide(m, seen.Rounds, group, trials)
			return nil
		}
		certain, possible := m.culprits(string(seen.Build.Log))
		if len(certain)+len(possible) == 0 {
			s.off = fmt.Sprintf("candidates do not build together: %s", seen.Build.State)
			return nil
		}
		for _, n := range certain {
			trials[n-1] = Trial{Candidate: group[n-1].Candidate, Verdict: Rejected, Cause: Unbuilt, Screened: true}
		}
		for _, n := range possible[len(possible)/2:] {
			out[n-1] = true
		}
	}
	return nil
}

// share divides the seconds of a build among the trials that it decided; without
// any they are the first's.
func share(trials []Trial, spent float64) {
	decided := 0
	for _, t := range trials {
		if t.Verdict != "" {
			decided++
		}
	}
	if decided == 0 {
		trials[0].Seconds += spent
	}
	for i, t := range trials {
		if t.Verdict != "" {
			trials[i].Seconds += spent / float64(decided)
		}
	}
}

// mix is gold with many candidates in it.
type mix struct {
	patch  string
	values []string // "0" for gold, and each candidate's place in its group, from 1
	files  map[string]schemata.Written
}

// write mixes those of the offers that are wanted.
func (s *screen) write(group []*offer, wanted func(i int) bool) (mix, error) {
	m := mix{values: []string{"0"}, files: map[string]schemata.Written{}}
	files := map[string]*schemata.File{}
	for i, o := range group {
		if !wanted(i) {
			continue
		}
		all, err := s.subject.texts(o.Candidate)
		if err != nil {
			return m, err
		}
		for _, t := range all {
			if string(t.gold) == string(t.text) {
				continue
			}
			if files[t.path] == nil {
				f, _ := s.file(t)
				files[t.path] = f.Empty()
			}
			files[t.path].Add(i+1, t.text) // shares has seen that it takes it
		}
		m.values = append(m.values, strconv.Itoa(i+1))
	}
	written := map[string][]byte{}
	for p, f := range files {
		w, err := f.Write()
		if err != nil {
			return m, err
		}
		m.files[p], written[p] = w, w.Text
	}
	var err error
	m.patch, err = s.subject.Diff(written, true)
	return m, err
}

// decide turns rounds into trials. Gold's own must be as gold is.
func (s *screen) decide(m mix, rounds []languages.Outcome, group []*offer, trials []Trial) {
	if ok, why := tasks.Resolves(s.inst, rounds[0].Cleared(s.doubts)); !ok {
		s.off = "gold does not resolve it in a shared build: " + why
		return
	}
	s.again = s.bed
	for k, o := range rounds[1:] {
		i, err := strconv.Atoi(m.values[k+1])
		if err != nil {
			continue // they are numbers
		}
		t := Decide(s.inst, s.base, []languages.Outcome{o.Cleared(s.doubts)})
		t.Candidate, t.Screened = group[i-1].Candidate, true
		trials[i-1] = t
	}
}

// compilerError is a line of a compiler's output that names a place: FILE:LINE:
// or FILE:[LINE,COLUMN].
var compilerError = regexp.MustCompile(`(?m)^.*?([\w./+-]+):\[?(\d+)[:,].*$`)

// culprits are the candidates that a build's errors are about, and where these are
// about one of several, all of them. A single one is certain.
func (m mix) culprits(log string) (certain, possible []int) {
	certain, possible = m.blamed(log, true)
	if len(certain)+len(possible) == 0 {
		certain, possible = m.blamed(log, false)
	}
	slices.Sort(certain)
	slices.Sort(possible)
	certain, possible = slices.Compact(certain), slices.Compact(possible)
	if len(certain) > 0 {
		return certain, nil
	}
	if len(possible) == 1 {
		return possible, nil
	}
	return nil, possible
}

// blamed are the numbers of the candidates in whose text a log names a line, and of
// those whose function it names; by errors only or by any line.
func (m mix) blamed(log string, errors bool) (certain, possible []int) {
	for _, found := range compilerError.FindAllStringSubmatch(log, -1) {
		if errors && !strings.Contains(strings.ToLower(found[0]), "error") {
			continue
		}
		line, err := strconv.Atoi(found[2])
		if err != nil {
			continue
		}
		for p, w := range m.files {
			if !strings.HasSuffix("/"+path.Clean(found[1]), "/"+p) {
				continue
			}
			if numbers, sure := w.Blamed(line); sure {
				certain = append(certain, numbers...)
			} else {
				possible = append(possible, numbers...)
			}
		}
	}
	return certain, possible
}
