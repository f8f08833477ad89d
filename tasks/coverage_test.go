package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// covering has one file that gold changes: it replaces line 2 by lines 2 and 3,
// and adds a comment and a blank line; and a page of documentation.
const covering = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,3 +1,6 @@\n def f():\n-    return 1\n+    x = 2\n+    return x\n+    # done\n+\n end\n" +
	"--- a/doc/a.rst\n+++ b/doc/a.rst\n@@ -1 +1,2 @@\n old\n+new\n"

func TestChangedLinesOfGold(t *testing.T) {
	require.Equal(t, []changedLine{
		{"lib/a.py", 2, false, "    return 1"}, {"lib/a.py", 2, true, "    x = 2"}, {"lib/a.py", 3, true, "    return x"},
		{"lib/a.py", 4, true, "    # done"}, {"lib/a.py", 5, true, ""}, {"doc/a.rst", 2, true, "new"},
	}, changedLines(covering))
	require.Empty(t, changedLines("no diff"))
	python := languages.Default().Named("python")
	require.Equal(t, map[string][]int{"lib/a.py": {2}}, measurable(python, changedLines(covering), false))
	require.Equal(t, map[string][]int{"lib/a.py": {2, 3, 4, 5}}, measurable(python, changedLines(covering), true))
	require.Nil(t, measurable(python, changedLines("--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+b\n"), true))
}

// TestCoverageRuns: after gold's run, on the sides where gold changes lines that
// can be measured, and only where they are asked for.
func TestCoverageRuns(t *testing.T) {
	names := func(mode CoverageMode, gold string) []string {
		inst := instance()
		inst.Patch = gold
		inst.BadPatches = []bench.BadPatch{{Index: 0, Patch: badPatch, Level: bench.LevelFailsF2P}}
		var out []string
		for _, r := range (TestGen{Coverage: mode}).Plan(Task{Instance: inst}, bench.Prediction{Patch: testPatch}).Runs {
			out = append(out, r.Name)
		}
		return out
	}
	require.Equal(t, []string{"base", "gold", "bad/0"}, names("", covering))
	require.Equal(t, []string{"base", "gold", "bad/0"}, names(CoverageOff, covering))
	require.Equal(t, []string{"base", "gold", "cover/base", "cover/gold", "bad/0"}, names(CoverageOn, covering))
	require.Equal(t, []string{"base", "gold", "cover/base", "cover/hidden/base", "cover/gold", "cover/hidden/gold", "bad/0"}, names(CoverageSWT, covering))
	added := "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1,2 @@\n a\n+b\n"
	require.Equal(t, []string{"base", "gold", "cover/gold", "bad/0"}, names(CoverageOn, added))
	require.Equal(t, []string{"base", "gold", "bad/0"}, names(CoverageOn, "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+b\n"))
}

// covered is a measured run: lines by test.
func covered(executable []int, by map[string][]int, missing ...int) Outcome {
	o := ran(pass, pass)
	o.Coverage = languages.Coverage{"lib/a.py": {Executable: executable, Covered: by, Loaded: true, Missing: missing}}
	return o
}

// TestChangeCoverage: by hand, with test a fail-to-pass and b pass-to-pass. Three
// lines are executable: one on base, two on gold. The tests execute line 2 of base
// (a), and of gold line 2 (b, when it is imported nothing): 2 of 3. The published
// program counts the comment as no line, and the page of documentation as covered:
// 1 removed and 3 added lines, of which line 3 is missing: 3 of 4. The paper divides
// by all 6 changed lines, the comment, the blank line and the page included.
func TestChangeCoverage(t *testing.T) {
	const a, b = "tests/test_a.py::test_a", "tests/test_a.py::test_b"
	inst := instance(bench.LevelFailsF2P)
	inst.Patch = covering
	task := Task{Kind: "testgen", Instance: inst}
	kind := TestGen{Coverage: CoverageOn}
	plan := kind.Plan(task, bench.Prediction{Patch: testPatch})
	seen := Outcomes{baseRun: ran(fail, pass), goldRun: ran(pass, pass)}
	require.False(t, kind.Settled(task, seen))
	seen[coverBase] = covered([]int{2}, map[string][]int{a: {2}})
	seen[coverGold] = covered([]int{2, 3}, map[string][]int{b: {2}}, 3)
	third := func(n int) *float64 { return ptr(float64(n) / 3) }
	r := kind.Judge(task, plan, seen)
	require.Equal(t, &bench.ChangeCoverage{
		Removed:  bench.LineCounts{Executable: 1, Covered: 1, FailToPass: 1},
		Added:    bench.LineCounts{Executable: 2, Covered: 1, Other: 1},
		Adequacy: third(2), FailToPass: third(1), Other: third(1), TDDScore: ptr(100 * *third(2)),
		Published: map[string]float64{TDDBenchCode: 0.75, TDDBenchScore: 75, TDDPaper: 2.0 / 6, TDDPaperScore: 100 * *third(1)}, Missed: []string{"+lib/a.py:3"},
	}, r.Coverage)
	require.NotContains(t, r.TestGen.Matrix, coverGold)

	// SWT-Bench: the hidden files execute line 2 on both sides, 1 of them when
	// imported; the contributed tests, while they run, one of the two.
	seen[coverHiddenBase] = covered([]int{2}, map[string][]int{"": {2}})
	seen[coverHiddenGold] = covered([]int{2, 3}, map[string][]int{b: {2}})
	seen[coverGold] = covered([]int{2, 3}, map[string][]int{"": {2}}, 3)
	kind.Coverage = CoverageSWT
	require.Equal(t, 0.5, kind.Judge(task, plan, seen).Coverage.Published[SWTDelta])

	// Without success there is no score. A failed measurement is flagged, and does
	// not change the verdict.
	kind.Coverage = CoverageOn
	seen[goldRun] = ran(fail, pass)
	none := kind.Judge(task, plan, seen).Coverage
	require.Equal(t, ptr(0.0), none.TDDScore)
	require.Zero(t, none.Published[TDDPaperScore])
	require.Equal(t, 2.0/6, none.Published[TDDPaper])
	require.False(t, none.ByRule())
	seen[goldRun] = ran(pass, pass)
	with := kind.Judge(task, plan, seen).Verdict
	seen[coverGold] = ended(bench.RunInfra)
	r = kind.Judge(task, plan, seen)
	require.Nil(t, r.Coverage)
	require.Equal(t, with, r.Verdict)
	require.Equal(t, []bench.Flag{{Kind: FlagNoCoverage, Detail: "cover/gold: nothing was measured (infra: detail)"}}, r.Flags)
	kind.Complete(&r, task)
	require.Nil(t, r.Coverage)

	empty := bench.Result{Verdict: bench.EmptyPatch}
	kind.Complete(&empty, task)
	require.Equal(t, ptr(0.0), empty.Coverage.TDDScore)
	require.True(t, empty.Coverage.ByRule())
	TestGen{}.Complete(&empty, task)
	off := bench.Result{Verdict: bench.EmptyPatch}
	TestGen{}.Complete(&off, task)
	require.Nil(t, off.Coverage)
}

// TestCoverageOption: as a flag gives it.
func TestCoverageOption(t *testing.T) {
	k, err := TestGen{}.Set("coverage", "swt")
	require.NoError(t, err)
	require.Equal(t, TestGen{Coverage: CoverageSWT}, k)
	require.Equal(t, "swt", k.(TestGen).Options()[0].Value)
	require.Nil(t, TestGen{}.Options()[0].Value)
	for _, bad := range [][2]string{{"coverage", "much"}, {"other", "on"}} {
		_, err := TestGen{}.Set(bad[0], bad[1])
		require.Error(t, err)
	}
	require.NotEqual(t, TestGen{}.DigestParts(Task{}), k.(TestGen).DigestParts(Task{}))
}

// TestAnyRan: a measurement in which nothing of the files that gold changes ran
// does not count.
func TestAnyRan(t *testing.T) {
	side := func(files languages.Coverage) measured {
		return measured{run: Outcome{Outcome: languages.Outcome{Coverage: files}}}
	}
	idle := side(languages.Coverage{"a": {Executable: []int{1}}})
	require.False(t, anyRan([]measured{idle, idle}))
	require.True(t, anyRan([]measured{idle, side(languages.Coverage{"a": {Executable: []int{1}, Loaded: true}})}))
	require.True(t, anyRan([]measured{side(languages.Coverage{"a": {}})}), "nothing could have run")
}
