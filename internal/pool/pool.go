// Package pool does work on a number of goroutines.
package pool

import (
	"context"
	"iter"
	"sync"
)

// Each does the work on every item, on so many goroutines (at least one). Items
// are taken in order, each when a goroutine is free for it, so that a long
// sequence costs no memory. When the context ends, no further item is taken.
// Each returns when all work that was begun has ended.
func Each[T any](ctx context.Context, workers int, items iter.Seq[T], work func(context.Context, T)) {
	queue := make(chan T)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			for item := range queue {
				work(ctx, item)
			}
		})
	}
	feed(ctx, queue, items)
	wg.Wait()
}

func feed[T any](ctx context.Context, queue chan<- T, items iter.Seq[T]) {
	defer close(queue)
	for item := range items {
		if ctx.Err() != nil {
			return
		}
		select {
		case queue <- item:
		case <-ctx.Done():
			return
		}
	}
}

// Indices are the numbers from 0 to below n.
func Indices(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
