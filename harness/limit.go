package harness

import (
	"context"
	"fmt"

	"golang.org/x/sync/semaphore"
)

// Limit returns a Runner that lets at most n jobs run at once (at least one).
// Jobs that wait are let in in the order in which they came; one whose
// context ends leaves the queue with the context's error.
func Limit(r Runner, n int) Runner {
	return &limit{r, semaphore.NewWeighted(int64(max(n, 1)))}
}

type limit struct {
	runner Runner
	slots  *semaphore.Weighted
}

func (l *limit) Run(ctx context.Context, job Job) (Result, error) {
	if err := l.slots.Acquire(ctx, 1); err != nil {
		return Result{}, fmt.Errorf("waiting to run %s: %w", job.Name, err)
	}
	defer l.slots.Release(1)
	return l.runner.Run(ctx, job)
}
