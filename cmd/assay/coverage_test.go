package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/tasks"
)

// coverageOf judges an instance's own tests with coverage.
func (w world) coverageOf(t *testing.T, id, mode string) *bench.ChangeCoverage {
	t.Helper()
	dir := t.TempDir()
	code, out := w.assay(t, w.on("eval", "-d", w.paths.Dataset, "-i", id, "--gold", "-t", "testgen", "--coverage="+mode, "-o", dir, "-q")...)
	require.Equal(t, exitDone, code, out)
	var found *bench.ChangeCoverage
	require.NoError(t, bench.ReadResults(t.Context(), dir+"/results.jsonl", func(r bench.Result) error {
		require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
		require.Empty(t, r.Flags)
		found = r.Coverage
		return nil
	}))
	require.NotNil(t, found)
	return found
}

// TestChangeCoveragePython: worked out by hand for tidemark-7, whose gold patch
// changes tidemark/engine.py alone.
//
// Removed, on base: lines 4 (an import), 34, 47 (def), 51 to 54, 57 (def), 60, 61,
// 78 (def), 83 to 85 can be executed; 79, a docstring, cannot: 14. Added, on gold:
// 4, 34, 47, 51, 52, 55 (def), 63, 64, 81 (def), 86, 87 can; the docstrings at 56
// to 60 and 82 cannot: 11. The contributed tests have rules by month and year only:
// what counts days and weeks (61 and 85 of base, 64 and 87 of gold) is not reached.
// That is 12 + 9 of 25.
//
// TDD-Bench's program counts the docstrings' lines, which nothing lists as missing:
// 15 removed and 16 added, of which 4 are missing: 27 of 31. SWT-Bench's leaves out
// what importing executes, 4 lines on each side (the import and three defs), and
// the old tests of the same files execute all 25: 13 of 25. TDD-Bench's paper
// divides by all changed lines, one of them blank: 21 of 32.
func TestChangeCoveragePython(t *testing.T) {
	c := newWorld(t).coverageOf(t, "assay-samples__tidemark-7", "swt")
	require.Equal(t, bench.LineCounts{Executable: 14, Covered: 12, FailToPass: 12, Other: 12}, c.Removed)
	require.Equal(t, bench.LineCounts{Executable: 11, Covered: 9, FailToPass: 9, Other: 9}, c.Added)
	require.Equal(t, []string{"-tidemark/engine.py:61", "-tidemark/engine.py:85", "+tidemark/engine.py:64", "+tidemark/engine.py:87"}, c.Missed)
	require.InDelta(t, 21.0/25, *c.Adequacy, 1e-9)
	require.InDelta(t, 84, *c.TDDScore, 1e-9)
	require.InDelta(t, 21.0/32, c.Published[tasks.TDDPaper], 1e-9)
	require.InDelta(t, 27.0/31, c.Published[tasks.TDDBenchCode], 1e-9)
	require.InDelta(t, 13.0/25, c.Published[tasks.SWTDelta], 1e-9)
}

// TestChangeCoverageJava: worked out by hand for coinsplit-31, whose gold patch
// changes Allocator.java alone. On base it replaces lines 38 to 40 (a loop and the
// two statements in it; 9 is a comment): 3. On gold it adds lines 39 to 43 (a
// declaration, a loop, a condition and two statements; 9 and 10 are a comment, 44
// a brace): 5. The tests that it adds split amounts with a rest, by weights of
// which some are 0, so that each of these runs: 8 of 8. JaCoCo does not
// distinguish fail-to-pass tests from the others. TDD-Bench's paper divides by all
// 4 removed and 8 added lines: 8 of 12.
func TestChangeCoverageJava(t *testing.T) {
	c := newWorld(t).coverageOf(t, "assay-samples__coinsplit-31", "on")
	require.Equal(t, bench.LineCounts{Executable: 3, Covered: 3}, c.Removed)
	require.Equal(t, bench.LineCounts{Executable: 5, Covered: 5}, c.Added)
	require.InDelta(t, 1, *c.Adequacy, 1e-9)
	require.InDelta(t, 100, *c.TDDScore, 1e-9)
	require.Nil(t, c.FailToPass)
	require.Empty(t, c.Missed)
	require.InDeltaMapValues(t, map[string]float64{tasks.TDDPaper: 8.0 / 12, tasks.TDDPaperScore: 800.0 / 12}, c.Published, 1e-9)
}

// TestChangeCoverageCpp: worked out by hand for framewire-9, whose gold patch
// changes src/reader.cpp alone. On base it replaces lines 40 and 45 (conditions),
// 49 and 50 (declarations), 51 (a loop) and 57 (a return): 6. On gold it adds 40,
// 41 and 46 (conditions), 50 (a declaration) and 56 (a return): 5. The tests that
// it adds read whole frames, fed in pieces: 11 of 11.
func TestChangeCoverageCpp(t *testing.T) {
	c := newWorld(t).coverageOf(t, "assay-samples__framewire-9", "on")
	require.Equal(t, bench.LineCounts{Executable: 6, Covered: 6}, c.Removed)
	require.Equal(t, bench.LineCounts{Executable: 5, Covered: 5}, c.Added)
	require.InDelta(t, 1, *c.Adequacy, 1e-9)
	require.Empty(t, c.Missed)
}
