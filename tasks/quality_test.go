package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestQualityRuns: after all runs that decide, as often as was asked; the tests
// that exist are measured where coverage is.
func TestQualityRuns(t *testing.T) {
	names := func(kind TestGen) []string {
		inst := instance()
		inst.Patch = covering
		inst.BadPatches = []bench.BadPatch{{Index: 4, Patch: badPatch, Level: bench.LevelFailsF2P}}
		var out []string
		for _, r := range kind.Plan(Task{Instance: inst}, bench.Prediction{Patch: testPatch}).Runs {
			out = append(out, r.Name)
		}
		return out
	}
	require.Equal(t, []string{"base", "gold", "bad/4"}, names(TestGen{}))
	require.Equal(t, []string{"base", "gold", "bad/4", "existing/gold", "existing/bad/4"}, names(TestGen{Quality: 1}))
	require.Equal(t, []string{
		"base", "gold", "cover/base", "cover/gold", "bad/4", "again/base/1", "again/gold/1", "existing/gold", "existing/bad/4",
		"cover/existing/base", "cover/existing/gold",
	}, names(TestGen{Quality: 2, Coverage: CoverageOn}))
}

// TestQuality: by hand. Test a fails on base and passes on gold, b passes on both
// and fails in gold's second run. Of the bad patches 0 and 1 both are killed by a,
// and 0 by the old test that exists. The tests execute line 2 of base and line 2 of
// gold, the test that exists line 2 of gold. Bad patch 2 survives: it lacks gold's
// line 3, which no test executes; 3 lacks line 2, which b does.
func TestQuality(t *testing.T) {
	const a, b = "tests/test_a.py::test_a", "tests/test_a.py::test_b"
	inst := instance(bench.LevelFailsF2P, bench.LevelFailsF2P, bench.LevelFailsF2P, bench.LevelFailsF2P)
	inst.Patch = covering
	lacking := func(line string) string {
		return "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,3 +1,4 @@\n def f():\n-    return 1\n+" + line + "\n+    # done\n end\n"
	}
	inst.BadPatches[2].Patch, inst.BadPatches[3].Patch = lacking("    x = 2"), lacking("    return x")
	inst.GoodVariants = []bench.GoodVariant{{Patch: covering}}
	task := Task{Kind: "testgen", Instance: inst}
	kind := TestGen{Coverage: CoverageOn, Quality: 2}
	plan := kind.Plan(task, bench.Prediction{Patch: testPatch})
	existing := func(end bench.Status) Outcome {
		return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunDone, Tests: []bench.Test{{ID: "old", Status: end}}}}}
	}
	seen := Outcomes{
		baseRun: ran(fail, pass), goldRun: ran(pass, pass), goodRun(0): ran(pass, fail),
		badRun(0): ran(fail, pass), badRun(1): ran(fail, pass), badRun(2): ran(pass, pass), badRun(3): ran(pass, pass),
		againRun(baseRun, 1): ran(fail, pass), againRun(goldRun, 1): ran(pass, fail),
		existingGold: existing(pass), existingRun(0): existing(fail), existingRun(1): existing(pass), existingRun(2): existing(pass), existingRun(3): existing(fail),
		coverBase: covered([]int{2}, map[string][]int{a: {2}}), coverGold: covered([]int{2, 3}, map[string][]int{b: {2}}, 3),
		coverExistingBase: covered([]int{2}, nil), coverExistingGold: covered([]int{2, 3}, map[string][]int{"old": {2}}),
	}
	r := kind.Judge(task, plan, seen)
	require.Equal(t, &bench.TestQuality{
		Runs: 2, Tests: 2, Flaky: []string{b}, PassGood: []string{a}, KilledBefore: []int{0}, Covered: ptr(2), CoveredBefore: ptr(1),
		Survivors: []bench.Survivor{{Index: 2, Reached: []string{}}, {Index: 3, Reached: []string{"+lib/a.py:2"}}},
	}, r.Quality)
	require.Len(t, r.TestGen.Matrix, 7, "repeated runs are no variants")
	require.Nil(t, TestGen{Coverage: CoverageOn}.quality(task, seen, r.TestGen))

	delete(seen, existingGold)
	delete(seen, againRun(goldRun, 1))
	delete(seen, coverExistingGold)
	r = kind.Judge(task, plan, seen)
	require.Equal(t, 1, r.Quality.Runs)
	require.Empty(t, r.Quality.Flaky)
	require.Nil(t, r.Quality.KilledBefore)
	require.Nil(t, r.Quality.Covered)
	require.Nil(t, TestGen{Quality: 1}.quality(task, seen, r.TestGen).Survivors)
	require.Equal(t, []string{"coverage on", "quality 2"}, kind.DigestParts(task))
}

func TestQualityOption(t *testing.T) {
	kind, err := TestGen{}.Set("quality", "4")
	require.NoError(t, err)
	require.Equal(t, TestGen{Quality: 4}, kind)
	require.Equal(t, 4, kind.(TestGen).Options()[1].Value)
	for _, wrong := range []string{"", "x", "-1", "1.5"} {
		_, err := TestGen{}.Set("quality", wrong)
		require.Error(t, err, wrong)
	}
}
