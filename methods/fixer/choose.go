package fixer

import (
	"context"
	"fmt"
	"slices"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/methods"
	"assay/methods/retrieve"
)

// group is the samples with the same code.
type group struct {
	patch   string // of the first one
	form    string
	samples []int
	broken  int // existing tests that it breaks
	votes   int // generated suites that let it pass
}

// groupsOf joins samples with the same code, in the order of the first ones.
func groupsOf(samples []sampled) []*group {
	var out []*group
	for _, s := range samples {
		i := slices.IndexFunc(out, func(g *group) bool { return g.form == s.form })
		if i < 0 {
			i = len(out)
			out = append(out, &group{patch: s.patch, form: s.form})
		}
		out[i].samples = append(out[i].samples, s.number)
	}
	return out
}

// choose filters patches by existing tests, then by generated ones, and takes of
// those that are left the one that was sampled most often; of several the first.
// Where a filter fails for good, those before it decide; but nothing is taken that
// has fewer votes than it must.
func (w *work) choose(ctx context.Context, groups []*group, suites []string) (string, error) {
	left, err := w.unbroken(ctx, groups)
	if err == nil {
		left, err = w.voted(ctx, left, suites)
	}
	left = slices.DeleteFunc(slices.Clone(left), func(g *group) bool { return g.votes < w.Count(setVotes) })
	if len(left) == 0 {
		return "", err
	}
	best := left[0]
	for _, g := range left {
		if len(g.samples) > len(best.samples) {
			best = g
		}
	}
	w.Note("choice", summary(groups), map[string]any{"samples": best.samples, "broken": best.broken, "votes": best.votes})
	return best.patch, err
}

func summary(groups []*group) []map[string]any {
	var out []map[string]any
	for _, g := range groups {
		out = append(out, map[string]any{"samples": g.samples, "broken": g.broken, "votes": g.votes})
	}
	return out
}

// unbroken keeps the patches that break the fewest existing tests.
func (w *work) unbroken(ctx context.Context, groups []*group) ([]*group, error) {
	if len(groups) == 0 || w.Count(setRegression) == 0 {
		return groups, nil
	}
	if err := ctx.Err(); err != nil {
		return groups, err
	}
	files, err := w.testFiles(groups)
	if err != nil || len(files) == 0 {
		return groups, err
	}
	base, err := w.Run(ctx, "regression/start", methods.Trial{Files: files})
	if err != nil {
		return groups, err
	}
	var passing []string
	for _, t := range base.Tests {
		if t.Status.OK() {
			passing = append(passing, t.ID)
		}
	}
	if len(passing) == 0 {
		return groups, nil
	}
	for _, g := range groups {
		run, err := w.Run(ctx, fmt.Sprintf("regression/%d", g.samples[0]), methods.Trial{Code: g.patch, Files: files})
		if err != nil {
			return groups, err
		}
		if g.broken = brokenIn(passing, run); worse(base, run) {
			g.broken = len(passing)
		}
	}
	return least(groups, func(g *group) int { return g.broken }), nil
}

// brokenIn counts the tests that do not pass in a run, or are not in it.
func brokenIn(passing []string, run methods.Run) int {
	ok := map[string]bool{}
	for _, t := range run.Tests {
		ok[t.ID] = t.Status.OK()
	}
	n := 0
	for _, id := range passing {
		if !ok[id] {
			n++
		}
	}
	return n
}

// least keeps the groups of the smallest figure.
func least(groups []*group, figure func(*group) int) []*group {
	var out []*group
	for _, g := range groups {
		if len(out) > 0 && figure(g) < figure(out[0]) {
			out = nil
		}
		if len(out) == 0 || figure(g) == figure(out[0]) {
			out = append(out, g)
		}
	}
	return out
}

// testFiles are the files of existing tests that share most words with the problem
// and the files that the patches change, sorted.
func (w *work) testFiles(groups []*group) ([]string, error) {
	query := w.query()
	for _, g := range groups {
		query += "\n" + g.patch
	}
	l := w.Task().Language
	ranked, err := retrieve.Files(w.Tree(), func(p string) bool { return languages.IsTest(l, p) && l.About().IsRunnable(p) }, query)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range ranked {
		if len(out) == w.Count(setRegression) {
			break
		}
		text, err := w.Tree().Read(r.Path)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", r.Path, err)
		}
		if tests, err := w.Tests(r.Path, text); err == nil && len(tests) > 0 {
			out = append(out, r.Path)
		}
	}
	slices.Sort(out)
	return out, nil
}

// voted keeps the patches that most of the generated suites accept: a suite
// accepts a patch if it fails at the start, and passes with the patch. It keeps
// no patch if too few suites accept the best ones.
func (w *work) voted(ctx context.Context, groups []*group, suites []string) ([]*group, error) {
	for i, s := range suites {
		if len(groups) == 0 {
			break
		}
		start, err := w.Run(ctx, fmt.Sprintf("generated/%d/start", i), methods.Trial{Tests: s})
		if err != nil {
			return groups, err
		}
		if !fails(start) {
			continue // it shows no problem
		}
		for _, g := range groups {
			run, err := w.Run(ctx, fmt.Sprintf("generated/%d/%d", i, g.samples[0]), methods.Trial{Code: g.patch, Tests: s})
			if err != nil {
				return groups, err
			}
			if passes(run) && !worse(start, run) {
				g.votes++
			}
		}
	}
	groups = least(groups, func(g *group) int { return -g.votes })
	if len(groups) > 0 && groups[0].votes < w.Count(setVotes) {
		w.Note("too few votes", summary(groups), nil)
		return nil, nil
	}
	return groups, nil
}

// testsOf are the patches of generated suites, with their test files only. A patch
// that cannot be parsed is left out.
func (w *work) testsOf(suites []Suite) []string {
	l := w.Task().Language
	var out []string
	for _, s := range suites {
		p, err := patch.Parse([]byte(s.Patch))
		if err != nil {
			w.Note("suite left out", s.Model, err.Error())
			continue
		}
		tests, _ := p.Split(func(path string) bool { return languages.IsTest(l, path) })
		if !tests.Empty() {
			out = append(out, string(tests.Bytes()))
		}
	}
	return out
}

// worse reports whether a run did not finish, or cannot be trusted, and the start's
// run did not end in the same state: in some repositories every run ends so.
func worse(start, run methods.Run) bool {
	return run.State != bench.RunDone && run.State != start.State
}

// passes reports whether tests ran and all passed.
func passes(r methods.Run) bool {
	for _, t := range r.Tests {
		if !t.Status.OK() {
			return false
		}
	}
	return len(r.Tests) > 0
}

// fails reports whether tests show a problem: one fails, or what they need is not
// there to be built.
func fails(r methods.Run) bool {
	return r.State == bench.RunUnbuilt || len(r.Failing()) > 0
}
