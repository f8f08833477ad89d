package tasks

import (
	"sort"
	"strings"

	"assay/bench"
	"assay/languages"
)

// HiddenTests sorts the instance's published ids by the outcome of them in a
// run of its hidden tests. A test that is in no report failed.
func HiddenTests(inst *bench.Instance, o languages.Outcome) (f2p, p2p bench.TestSplit) {
	h := readHidden(inst, o)
	return h.split(inst.FailToPass), h.split(inst.PassToPass)
}

// FailingTests are the published tests that do not pass in a run of the
// hidden tests, with what the runner says about them; one that is in no
// report is missing.
func FailingTests(inst *bench.Instance, o languages.Outcome) (f2p, p2p []bench.Test) {
	h := readHidden(inst, o)
	return h.failing(inst.FailToPass), h.failing(inst.PassToPass)
}

// reading is a run of hidden tests, ready to be asked for published ids.
type reading struct {
	language languages.Language
	known    []string // canonical ids, sorted
	tests    map[string]bench.Test
	alias    map[string][]string // ids by what published lists call them
	// silent holds where a test that is not named passed: the command prints
	// failures only, and ended.
	silent bool
}

// languageOf is the language of a run's tests.
func languageOf(inst *bench.Instance, o languages.Outcome) languages.Language {
	if o.Language != nil {
		return o.Language
	}
	return Task{Instance: inst}.Language() // of a run that was not executed
}

func readHidden(inst *bench.Instance, o languages.Outcome) reading {
	h := reading{
		language: languageOf(inst, o), known: make([]string, len(o.Tests)), tests: make(map[string]bench.Test, len(o.Tests)), alias: map[string][]string{},
		silent: inst.EvalType == bench.EvalFailOnly && o.Printed && o.State == bench.RunDone,
	}
	for i, t := range o.Tests {
		t.Message = o.Said[t.ID]
		h.known[i], h.tests[t.ID] = t.ID, t
		if t.Alias != "" {
			h.alias[t.Alias] = append(h.alias[t.Alias], t.ID)
		}
	}
	sort.Strings(h.known)
	return h
}

// split separates the published ids that passed from the others.
func (h reading) split(published []string) bench.TestSplit {
	s := bench.TestSplit{Passed: []string{}, Failed: []string{}}
	meaning := h.match(published)
	for _, id := range published {
		if h.passes(meaning[id]) {
			s.Passed = append(s.Passed, id)
		} else {
			s.Failed = append(s.Failed, id)
		}
	}
	sort.Strings(s.Passed)
	sort.Strings(s.Failed)
	return s
}

// match finds the tests that published ids stand for. What a log parser calls
// a test is before what ids are otherwise read as.
func (h reading) match(published []string) map[string][]string {
	meaning := languages.MatchIDs(h.language, published, h.known)
	for _, id := range published {
		if ids := h.alias[strings.TrimSpace(id)]; len(ids) > 0 {
			meaning[id] = ids
		}
	}
	return meaning
}

// passes holds for an id that stands for these tests (a class, a file, all
// cases of a test, or one test): nothing in it fails, and something passes. A
// skipped test does not fail the class around it, but is not a success of its
// own.
func (h reading) passes(ids []string) bool {
	some := h.silent && len(ids) == 0
	for _, id := range ids {
		switch status := h.tests[id].Status; {
		case status.OK():
			some = true
		case status != bench.Skipped:
			return false
		}
	}
	return some
}

// failing lists the tests because of which published ids do not pass.
func (h reading) failing(published []string) []bench.Test {
	meaning := h.match(published)
	out := []bench.Test{}
	for _, id := range published {
		if h.passes(meaning[id]) {
			continue
		}
		if len(meaning[id]) == 0 {
			out = append(out, bench.Test{ID: id, Status: bench.Missing})
		}
		for _, k := range meaning[id] {
			if t := h.tests[k]; !t.Status.OK() {
				out = append(out, t)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}
