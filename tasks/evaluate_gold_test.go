package tasks

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages"
)

// evaluated judges patches of an instance one after the other with one memory
// of gold's runs, and reports which runs were seen.
func evaluated(t *testing.T, w *world, inst *bench.Instance, patches ...string) (results []bench.Result, heard []string) {
	t.Helper()
	j := w.judge()
	j.Golds = &Golds{}
	j.Seen = func(task Task, p bench.Prediction, o languages.Outcome) {
		require.Equal(t, inst.ID, task.Instance.ID)
		heard = append(heard, p.Model+":"+o.Name)
	}
	for _, p := range patches {
		r, err := j.Evaluate(t.Context(), BugFix{}, Task{Kind: "bugfix", Instance: inst}, bench.Prediction{InstanceID: inst.ID, Model: "m", Patch: p})
		require.NoError(t, err)
		results = append(results, r)
	}
	return results, heard
}

func kindsOf(flags []bench.Flag) (out []string) {
	for _, f := range flags {
		out = append(out, f.Kind)
	}
	return out
}

// TestGoldRunsFirst: once for all submissions, and only where one is run.
func TestGoldRunsFirst(t *testing.T) {
	w := newWorld()
	inst := w.instance()
	rs, heard := evaluated(t, w, inst, "", goldPatch, badPatch)
	require.Equal(t, []bench.Verdict{bench.EmptyPatch, bench.Resolved, bench.Unresolved}, []bench.Verdict{rs[0].Verdict, rs[1].Verdict, rs[2].Verdict})
	require.Equal(t, []string{"gold:control", "m:submission", "m:submission"}, heard)
	require.Equal(t, "the patch is empty", rs[0].Reason)
	require.Empty(t, rs[0].Runs)
	require.Equal(t, []string{"no_nonce"}, kindsOf(rs[1].Flags))
}

// TestGoldCannotPass: no submission is judged, and each result gives the
// reason.
func TestGoldCannotPass(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, _ int) (harness.Result, []bench.Test) {
		return harness.Result{}, []bench.Test{test("test_p", pass), test("test_f", fail)}
	}
	rs, heard := evaluated(t, w, w.instance(), goldPatch, badPatch, "--- a/x\n+++ b/x\n@@ what\n")
	for _, r := range rs[:2] {
		require.Equal(t, bench.HarnessError, r.Verdict)
		require.Contains(t, r.Reason, "1 of 1 fail-to-pass tests do not pass with the gold patch here: tests/test_a.py::test_f is failed")
		require.Empty(t, r.Runs)
		require.Nil(t, r.BugFix)
	}
	require.Equal(t, bench.InvalidPatch, rs[2].Verdict, "what needs no run needs no environment")
	require.Equal(t, []string{"gold:control"}, heard)
}

// TestWhatGoldMissesIsLeftOut: for the submissions too, with a flag.
func TestWhatGoldMissesIsLeftOut(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, _ int) (harness.Result, []bench.Test) {
		return harness.Result{}, append(plainTests(tree), test("test_net", fail))
	}
	inst := w.instance()
	inst.PassToPass = append(inst.PassToPass, "tests/test_a.py::test_net")
	rs, _ := evaluated(t, w, inst, goldPatch, badPatch)
	require.Equal(t, bench.Resolved, rs[0].Verdict, rs[0].Reason)
	require.Equal(t, []string{"tests/test_a.py::test_net"}, rs[0].BugFix.LeftOut)
	require.Equal(t, bench.TestSplit{Passed: []string{"tests/test_a.py::test_p"}, Failed: []string{}}, rs[0].BugFix.PassToPass)
	require.Equal(t, []string{"left_out", "no_nonce"}, kindsOf(rs[0].Flags))
	require.Equal(t, "1 of 2 pass-to-pass tests do not pass with the gold patch here and do not count", rs[0].Flags[0].Detail)
	require.Equal(t, bench.Unresolved, rs[1].Verdict)
	require.Len(t, inst.PassToPass, 2, "the dataset's instance stays as it is")
	require.Equal(t, 4, w.runs, "gold's test runs again, and for the submissions no more")
}

// TestATestThatFailsOnceRunsAgain: on its own, with another attempt, and the
// result records that.
func TestATestThatFailsOnceRunsAgain(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, run int) (harness.Result, []bench.Test) {
		odd := pass
		if run == 1 { // the submission's first run
			odd = fail
		}
		return harness.Result{}, append(plainTests(tree), test("test_odd", odd))
	}
	inst := w.instance()
	inst.PassToPass = append(inst.PassToPass, "tests/test_a.py::test_odd")
	rs, heard := evaluated(t, w, inst, goldPatch)
	require.Equal(t, bench.Resolved, rs[0].Verdict, rs[0].Reason)
	require.ElementsMatch(t, []string{"flaky", "no_nonce"}, kindsOf(rs[0].Flags))
	i := slices.IndexFunc(rs[0].Flags, func(f bench.Flag) bool { return f.Kind == "flaky" })
	require.Equal(t, "tests/test_a.py::test_odd", rs[0].Flags[i].Path)
	require.Equal(t, []string{"gold:control", "m:submission"}, heard)
	require.Equal(t, 3, w.runs)
}

// TestNoFailToPassIsLeft: an id that names one does not count, and where
// no other is left no submission can be judged.
func TestNoFailToPassIsLeft(t *testing.T) {
	w := newWorld()
	inst := w.instance()
	inst.TestPatch += "--- /dev/null\n+++ b/tests/ci.yml\n@@ -0,0 +1 @@\n+on: push\n"
	inst.FailToPass = []string{"tests/ci.yml"}
	rs, heard := evaluated(t, w, inst, goldPatch)
	require.Equal(t, bench.HarnessError, rs[0].Verdict)
	require.Equal(t, "its fail-to-pass ids name files that hold no tests: tests/ci.yml", rs[0].Reason)
	require.Empty(t, heard)
}

// TestEnvironmentsAreReported: the callback gets what was prepared before the
// first run.
func TestEnvironmentsAreReported(t *testing.T) {
	w := newWorld()
	inst := w.instance()
	j := w.judge()
	var told []Environment
	j.Prepared = func(e Environment) { told = append(told, e) }
	r, err := j.Evaluate(t.Context(), BugFix{}, Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: goldPatch})
	require.NoError(t, err)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Len(t, told, 1)
	require.Equal(t, inst.ID, told[0].InstanceID)
	require.Equal(t, r.Runs[0].Environment, told[0].Name)
	require.NotEmpty(t, told[0].Name)
	require.Equal(t, *inst.Env, told[0].Env)
}

// TestCachedRunsAreCounted: what came from the cache took no time.
func TestCachedRunsAreCounted(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, _ int) (harness.Result, []bench.Test) {
		return harness.Result{Cached: true}, plainTests(tree)
	}
	rs, _ := evaluated(t, w, w.instance(), goldPatch)
	require.Equal(t, bench.Resolved, rs[0].Verdict, rs[0].Reason)
	require.Equal(t, 1, rs[0].Timing.CacheHit)
	require.Zero(t, rs[0].Timing.Phases["run"])
}
