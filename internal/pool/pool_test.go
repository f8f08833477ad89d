package pool

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachDoesAll(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 3, 100} {
		var mu sync.Mutex
		var done []int
		Each(t.Context(), workers, Indices(10), func(_ context.Context, i int) {
			mu.Lock()
			defer mu.Unlock()
			done = append(done, i)
		})
		if workers <= 1 {
			require.Equal(t, slices.Collect(Indices(10)), done, "in order")
		}
		require.ElementsMatch(t, slices.Collect(Indices(10)), done)
	}
}

// TestEachWorksAtOnce: as many items are worked on at once as there are workers.
func TestEachWorksAtOnce(t *testing.T) {
	var all sync.WaitGroup
	all.Add(3)
	Each(t.Context(), 3, Indices(3), func(context.Context, int) {
		all.Done()
		all.Wait() // for the two others
	})
}

// TestEachEndsWithTheContext: what is begun ends, and nothing more is begun.
func TestEachEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var begun, ended int
	Each(ctx, 1, Indices(10), func(context.Context, int) {
		begun++
		if begun == 3 {
			cancel()
		}
		ended++
	})
	require.Equal(t, begun, ended)
	require.GreaterOrEqual(t, begun, 3)
	require.LessOrEqual(t, begun, 4, "one may have been handed over already")
}

// TestEachTakesItemsLate: no item is made before a worker is free for it.
func TestEachTakesItemsLate(t *testing.T) {
	made, worked := 0, 0
	var mu sync.Mutex
	items := func(yield func(int) bool) {
		for i := range 5 {
			mu.Lock()
			made++
			require.LessOrEqual(t, made, worked+2, "one is worked on, one waits")
			mu.Unlock()
			if !yield(i) {
				return
			}
		}
	}
	Each(t.Context(), 1, items, func(context.Context, int) {
		mu.Lock()
		worked++
		mu.Unlock()
	})
	require.Equal(t, 5, worked)
}
