package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
)

// itemsOf are items, the i-th by model i; some cannot be loaded.
func itemsOf(w *world, n int, broken map[int]error) []Item {
	var out []Item
	for i := range n {
		model := fmt.Sprintf("m%d", i)
		out = append(out, Item{
			Kind: BugFix{}, Name: "bugfix/" + model, Instance: "o__r-1", Part: "7", Model: model,
			Load: func(context.Context) (Task, bench.Prediction, error) {
				return Task{Kind: "bugfix", Instance: w.instance()}, bench.Prediction{Model: model, Patch: goldPatch}, broken[i]
			},
		})
	}
	return out
}

// TestBatch: every item has one result; one that cannot be loaded becomes a
// result, too, by whose fault it is.
func TestBatch(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		w := newWorld()
		items := itemsOf(w, 5, map[int]error{1: errors.New("broken record"), 3: &harness.InfraError{Op: "o", Err: errors.New("gone")}})
		got := map[string]bench.Result{}
		err := w.judge().Batch(t.Context(), slices.Values(items), workers, func(i Item, r bench.Result) error {
			got[i.Name] = r
			return nil
		})
		require.NoError(t, err)
		require.Len(t, got, 5)
		require.Equal(t, bench.Resolved, got["bugfix/m0"].Verdict)
		require.Equal(t, bench.Result{Task: "bugfix", InstanceID: "o__r-1", Part: "7", Model: "m1", Verdict: bench.HarnessError, Reason: "broken record"}, got["bugfix/m1"])
		require.Equal(t, bench.Infra, got["bugfix/m3"].Verdict)
	}
}

// TestBatchStops: when a result cannot be kept, and when it is cancelled.
func TestBatchStops(t *testing.T) {
	w := newWorld()
	full := errors.New("disk full")
	kept := 0
	err := w.judge().Batch(t.Context(), slices.Values(itemsOf(w, 5, nil)), 1, func(Item, bench.Result) error { kept++; return full })
	require.ErrorIs(t, err, full)
	require.Less(t, kept, 5)
	ctx, cancel := context.WithCancel(t.Context())
	kept = 0
	err = w.judge().Batch(ctx, slices.Values(itemsOf(w, 5, nil)), 1, func(Item, bench.Result) error { kept++; cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, kept, 5)
}
