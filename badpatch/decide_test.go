package badpatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/languages"
)

func TestDecide(t *testing.T) {
	base := badpatchtest.Outcome(map[string]string{"t.py::f1": "1 != 2", "t.py::f2": "KeyError at 0x12"})
	one := badpatchtest.Outcome(map[string]string{"t.py::f1": "1 != 2"})
	for name, c := range map[string]struct {
		runs    []languages.Outcome
		verdict badpatch.TrialVerdict
		cause   badpatch.Cause
	}{
		"fails one of two":            {[]languages.Outcome{one, one, one}, badpatch.Bad, ""},
		"fails as base":               {[]languages.Outcome{base}, badpatch.Rejected, badpatch.LikeBaseRun},
		"as base, at another address": {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::f1": "1 != 2", "t.py::f2": "KeyError at 0xff"})}, badpatch.Rejected, badpatch.LikeBaseRun},
		"fails both otherwise":        {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::f1": "1 != 3", "t.py::f2": "KeyError"})}, badpatch.Bad, ""},
		"passes all":                  {[]languages.Outcome{badpatchtest.Outcome(nil)}, badpatch.Survivor, ""},
		"fails old tests only":        {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::p1": "x"})}, badpatch.Regression, ""},
		"fails half the old tests":    {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::f1": "x", "t.py::p1": "x", "t.py::p2": "x"})}, badpatch.Bad, ""},
		"fails most old tests":        {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::p1": "x", "t.py::p2": "x", "t.py::p3": "x"})}, badpatch.Rejected, badpatch.FailsAll},
		"does not build":              {[]languages.Outcome{badpatchtest.Ended(bench.RunUnbuilt)}, badpatch.Rejected, badpatch.Unbuilt},
		"does not import":             {[]languages.Outcome{badpatchtest.Ended(bench.RunDone)}, badpatch.Rejected, badpatch.Unbuilt},
		"dies at once":                {[]languages.Outcome{badpatchtest.Ended(bench.RunCrashed)}, badpatch.Rejected, badpatch.Unbuilt},
		"does not end":                {[]languages.Outcome{badpatchtest.Ended(bench.RunTimeout)}, badpatch.Rejected, badpatch.Endless},
		"cannot be judged":            {[]languages.Outcome{badpatchtest.Ended(bench.RunSuspect)}, badpatch.Rejected, badpatch.Unmeasured},
		"does not apply":              {[]languages.Outcome{badpatchtest.Ended(bench.RunUnapplied)}, badpatch.Rejected, badpatch.Unapplied},
		"passes at the second time":   {[]languages.Outcome{one, badpatchtest.Outcome(nil)}, badpatch.Rejected, badpatch.Unsteady},
		"fails at the second time":    {[]languages.Outcome{badpatchtest.Outcome(nil), one}, badpatch.Rejected, badpatch.Unsteady},
		"fails another test each time": {[]languages.Outcome{one, badpatchtest.Outcome(map[string]string{"t.py::f2": "x"})},
			badpatch.Rejected, badpatch.Unsteady},
		"old tests at first, new ones later": {[]languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::p1": "x"}), one}, badpatch.Rejected, badpatch.Unsteady},
	} {
		t.Run(name, func(t *testing.T) {
			got := badpatch.Decide(badpatchtest.HiddenTests(), base, c.runs)
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.Equal(t, c.cause, got.Cause)
		})
	}
	sure := badpatch.Decide(badpatchtest.HiddenTests(), base, []languages.Outcome{badpatchtest.Outcome(map[string]string{"t.py::f1": "x", "t.py::p1": "x"}), one})
	require.Equal(t, []string{"t.py::f1"}, sure.Kills(), "only what failed every time kills")
}
