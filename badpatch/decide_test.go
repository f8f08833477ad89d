package badpatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func hiddenTests() *bench.Instance {
	return &bench.Instance{ID: "a__b-1", Language: languages.Python,
		FailToPass: []string{"t.py::f1", "t.py::f2"}, PassToPass: []string{"t.py::p1", "t.py::p2", "t.py::p3", "t.py::p4"}}
}

// outcome is a run in which the named tests failed, with what they said; all
// others passed.
func outcome(failed map[string]string) languages.Outcome {
	inst := hiddenTests()
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

func ended(s bench.RunState) languages.Outcome {
	return languages.Outcome{Run: bench.Run{State: s}}
}

func TestDecide(t *testing.T) {
	base := outcome(map[string]string{"t.py::f1": "1 != 2", "t.py::f2": "KeyError at 0x12"})
	one := outcome(map[string]string{"t.py::f1": "1 != 2"})
	for name, c := range map[string]struct {
		runs    []languages.Outcome
		verdict Verdict
		cause   Cause
	}{
		"fails one of two":            {[]languages.Outcome{one, one, one}, Bad, ""},
		"fails as base":               {[]languages.Outcome{base}, Rejected, LikeBaseRun},
		"as base, at another address": {[]languages.Outcome{outcome(map[string]string{"t.py::f1": "1 != 2", "t.py::f2": "KeyError at 0xff"})}, Rejected, LikeBaseRun},
		"fails both otherwise":        {[]languages.Outcome{outcome(map[string]string{"t.py::f1": "1 != 3", "t.py::f2": "KeyError"})}, Bad, ""},
		"passes all":                  {[]languages.Outcome{outcome(nil)}, Survivor, ""},
		"fails old tests only":        {[]languages.Outcome{outcome(map[string]string{"t.py::p1": "x"})}, Regression, ""},
		"fails half the old tests":    {[]languages.Outcome{outcome(map[string]string{"t.py::f1": "x", "t.py::p1": "x", "t.py::p2": "x"})}, Bad, ""},
		"fails most old tests":        {[]languages.Outcome{outcome(map[string]string{"t.py::p1": "x", "t.py::p2": "x", "t.py::p3": "x"})}, Rejected, FailsAll},
		"does not build":              {[]languages.Outcome{ended(bench.RunUnbuilt)}, Rejected, Unbuilt},
		"does not import":             {[]languages.Outcome{ended(bench.RunDone)}, Rejected, Unbuilt},
		"dies at once":                {[]languages.Outcome{ended(bench.RunCrashed)}, Rejected, Unbuilt},
		"does not end":                {[]languages.Outcome{ended(bench.RunTimeout)}, Rejected, Endless},
		"cannot be judged":            {[]languages.Outcome{ended(bench.RunSuspect)}, Rejected, Unmeasured},
		"does not apply":              {[]languages.Outcome{ended(bench.RunUnapplied)}, Rejected, Unapplied},
		"passes at the second time":   {[]languages.Outcome{one, outcome(nil)}, Rejected, Unsteady},
		"fails at the second time":    {[]languages.Outcome{outcome(nil), one}, Rejected, Unsteady},
		"fails another test each time": {[]languages.Outcome{one, outcome(map[string]string{"t.py::f2": "x"})},
			Rejected, Unsteady},
		"old tests at first, new ones later": {[]languages.Outcome{outcome(map[string]string{"t.py::p1": "x"}), one}, Rejected, Unsteady},
	} {
		t.Run(name, func(t *testing.T) {
			got := Decide(hiddenTests(), base, c.runs)
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.Equal(t, c.cause, got.Cause)
		})
	}
	sure := Decide(hiddenTests(), base, []languages.Outcome{outcome(map[string]string{"t.py::f1": "x", "t.py::p1": "x"}), one})
	require.Equal(t, []string{"t.py::f1"}, sure.Kills(), "only what failed every time kills")
}
