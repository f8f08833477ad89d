package badpatchtest

import (
	"assay/bench"
	"assay/languages"
)

// HiddenTests is an instance with two fail-to-pass and four pass-to-pass tests.
func HiddenTests() *bench.Instance {
	return &bench.Instance{ID: "a__b-1", Language: languages.Python,
		FailToPass: []string{"t.py::f1", "t.py::f2"}, PassToPass: []string{"t.py::p1", "t.py::p2", "t.py::p3", "t.py::p4"}}
}

// Outcome is a run in which the named tests failed, with what they said; all
// others passed.
func Outcome(failed map[string]string) languages.Outcome {
	inst := HiddenTests()
	o := languages.Outcome{Run: bench.Run{State: bench.RunDone}, Said: map[string]string{}}
	for _, id := range append(inst.FailToPass, inst.PassToPass...) {
		status := bench.Passed
		if why, bad := failed[id]; bad {
			status, o.Said[id] = bench.Failed, why
		}
		o.Tests = append(o.Tests, bench.Test{ID: id, Status: status})
	}
	return o
}

// Ended is a run without a test that ended so.
func Ended(s bench.RunState) languages.Outcome {
	return languages.Outcome{Run: bench.Run{State: s}}
}
