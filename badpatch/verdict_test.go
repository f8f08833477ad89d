package badpatch_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/bench"
	"assay/languages"
)

// saw is a run with the given statuses by id; all that fail say the same.
func saw(state bench.RunState, statuses map[string]bench.Status, words string) languages.Outcome {
	o := languages.Outcome{Run: bench.Run{State: state}, Said: map[string]string{}}
	for _, id := range slices.Sorted(maps.Keys(statuses)) {
		o.Tests = append(o.Tests, bench.Test{ID: id, Status: statuses[id]})
		if !statuses[id].OK() {
			o.Said[id] = words
		}
	}
	return o
}

func TestDecideOfRunsThatHardlyRan(t *testing.T) {
	const pass, fail, broke = bench.Passed, bench.Failed, bench.Error
	type statuses = map[string]bench.Status
	python := &bench.Instance{Language: languages.Python, FailToPass: []string{"t.py::f1", "t.py::f2"}, PassToPass: []string{"t.py::p1", "u.py::p2"}}
	java := &bench.Instance{Language: languages.Java, FailToPass: []string{"a.B::f1"}}
	base := saw(bench.RunDone, statuses{"t.py::f1": fail, "t.py::f2": fail, "t.py::p1": pass, "u.py::p2": pass}, "as base")
	lame := saw(bench.RunDone, statuses{"t.py": broke, "u.py::p2": pass}, "ImportError: no f")
	javaBase := saw(bench.RunDone, statuses{"a.B::f1": fail}, "expected 1")
	each := func(f1, f2 bench.Status) languages.Outcome {
		return saw(bench.RunDone, statuses{"t.py::f1": f1, "t.py::f2": f2, "t.py::p1": fail, "u.py::p2": pass}, "x")
	}
	for name, c := range map[string]struct {
		inst    *bench.Instance
		base    languages.Outcome
		runs    []languages.Outcome
		verdict badpatch.TrialVerdict
		cause   badpatch.Cause
	}{
		"no run":                                   {python, base, nil, badpatch.Rejected, badpatch.Unmeasured},
		"hangs before the first test":              {python, base, []languages.Outcome{saw(bench.RunTimeout, nil, "")}, badpatch.Rejected, badpatch.Endless},
		"runs out of memory at once":               {python, base, []languages.Outcome{saw(bench.RunLimit, nil, "")}, badpatch.Rejected, badpatch.Endless},
		"one of two test files cannot be imported": {python, base, []languages.Outcome{lame}, badpatch.Rejected, badpatch.Unbuilt},
		"nor can it on base":                       {python, lame, []languages.Outcome{lame}, badpatch.Rejected, badpatch.LikeBaseRun},
		"another fail-to-pass test each time, and always an old one": {python, base, []languages.Outcome{each(fail, pass), each(pass, fail)}, badpatch.Rejected, badpatch.Unsteady},
		"the only test ends by an exception":                         {java, javaBase, []languages.Outcome{saw(bench.RunDone, statuses{"a.B::f1": broke}, "java.lang.NullPointerException")}, badpatch.Bad, ""},
		"the only test's class cannot be loaded":                     {java, javaBase, []languages.Outcome{saw(bench.RunDone, statuses{"a.B::f1": broke}, "java.lang.ExceptionInInitializerError")}, badpatch.Rejected, badpatch.Unbuilt},
	} {
		t.Run(name, func(t *testing.T) {
			got := badpatch.Decide(c.inst, c.base, c.runs)
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.Equal(t, c.cause, got.Cause)
		})
	}
}
