package tasks

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
)

// TestReviewParts: reviews published inside bad patches become tasks with all
// that is known of them, and hidden tests must be there to judge by.
func TestReviewParts(t *testing.T) {
	inst := instance(bench.LevelFailsF2P, bench.LevelFailsF2P, bench.LevelFailsF2P)
	inst.BadPatches[0].Review, inst.BadPatches[2].Review = "one", "three"
	ts, err := Review{}.Build(inst)
	require.NoError(t, err)
	require.Len(t, ts, 2)
	require.Equal(t, &bench.Review{BadPatch: 0, Text: "one", Source: "published"}, ts[0].Review)
	require.Equal(t, &bench.Review{BadPatch: 2, Text: "three", Source: "published"}, ts[1].Review)
	none := *inst
	none.FailToPass = nil
	_, err = Review{}.Build(&none)
	require.EqualError(t, err, "FAIL_TO_PASS is empty")
	silent := instance(bench.LevelFailsF2P)
	_, err = Review{}.Build(silent)
	require.EqualError(t, err, "no bad patch that applies and is wrong has a review")
	require.Empty(t, Task{Instance: inst}.StartPatch(), "other kinds start from base")
	_, ok := badPatchOf(inst, 7)
	require.False(t, ok)
	require.Nil(t, leakFlags(&bench.Review{Arm: bench.ArmAlone, Leak: &bench.LeakReport{Leaks: []string{"x"}}}), "without a text nothing leaks")
	require.Equal(t, "x", leakFlags(&bench.Review{Text: "t", Leak: &bench.LeakReport{Leaks: []string{"x"}}})[0].Detail)
	require.Nil(t, leakFlags(nil))
}

// TestSolutionReportsFailure: of the machine at each step, and by name.
func TestSolutionReportsFailure(t *testing.T) {
	inst := newWorld().instance(bench.LevelFailsF2P)
	inst.Reviews = []bench.Review{{BadPatch: 0, Text: "t"}}
	ts, err := Review{}.Build(inst)
	require.NoError(t, err)
	failed := 0
	for at := 0; failed == at; at++ {
		w, calls := newWorld(), 0
		m := w.judge().Machine
		m.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
			if calls++; calls > at {
				return harness.Result{}, errors.New("odd")
			}
			return w.handle(ctx, job)
		}}
		p, err := Solution(t.Context(), m, Review{}, ts[0])
		require.Equal(t, "gold", p.Model)
		if at < calls { // a call failed
			failed++
			require.ErrorContains(t, err, "review/o__r-1_0: making the patch to gold: ")
			require.Empty(t, p.Patch)
		}
	}
	require.Positive(t, failed)
	p, err := Solution(t.Context(), newWorld().judge().Machine, Style{}, Task{Kind: "style", Instance: inst})
	require.Error(t, err)
	require.Equal(t, bench.Prediction{InstanceID: "o__r-1", Model: "gold", Task: "style"}, p)
}
