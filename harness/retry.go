package harness

import (
	"context"
	"fmt"
	"time"
)

// maxBackoff bounds the pause between two attempts.
const maxBackoff = 30 * time.Second

// Retry returns a Runner that runs a job again after a Retryable error, up to
// attempts times in all (at least once). Between attempts it calls sleep
// (Sleep, outside of tests) with a second, then two, four, up to thirty. Other
// errors, and what a script did, are returned as they come. A job with relays is
// run once: what serves them has talked to it, and only its caller can start
// again.
func Retry(r Runner, attempts int, sleep func(context.Context, time.Duration) error) Runner {
	return &retry{r, attempts, sleep}
}

type retry struct {
	runner   Runner
	attempts int
	sleep    func(context.Context, time.Duration) error
}

func (r *retry) Run(ctx context.Context, job Job) (Result, error) {
	if len(job.Relays) > 0 {
		return r.runner.Run(ctx, job)
	}
	backoff := time.Second
	for attempt := 1; ; attempt++ {
		res, err := r.runner.Run(ctx, job)
		if err == nil || !Retryable(err) || ctx.Err() != nil {
			return res, err
		}
		if attempt >= r.attempts {
			return res, fmt.Errorf("attempt %d: %w", attempt, err)
		}
		if serr := r.sleep(ctx, backoff); serr != nil {
			return res, fmt.Errorf("waiting to repeat after %q: %w", err.Error(), serr)
		}
		backoff = min(2*backoff, maxBackoff)
	}
}

// Sleep waits for d, or until ctx ends, whose error it then returns.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
