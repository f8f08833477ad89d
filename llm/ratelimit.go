package llm

import (
	"context"
	"fmt"

	"golang.org/x/time/rate"
)

// RateLimit lets at most perMinute calls a minute start, evenly spread, and at
// most concurrent run at once; 0 means no limit. A call that waits ends with
// the error of its context. It belongs below Retry, so that attempts count.
func RateLimit(next Client, perMinute float64, concurrent int) Client {
	l := &rateLimit{next: next}
	if perMinute > 0 {
		l.limiter = rate.NewLimiter(rate.Limit(perMinute/60), 1)
	}
	if concurrent > 0 {
		l.slots = make(chan struct{}, concurrent)
	}
	return l
}

type rateLimit struct {
	next    Client
	limiter *rate.Limiter // nil: no limit
	slots   chan struct{} // nil: no limit
}

func (l *rateLimit) Complete(ctx context.Context, req Request) (Response, error) {
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			defer func() { <-l.slots }()
		case <-ctx.Done():
			return Response{}, unsent{fmt.Errorf("waiting for a free call: %w", ctx.Err())}
		}
	}
	if l.limiter != nil {
		if err := wait(ctx, l.limiter); err != nil {
			return Response{}, unsent{fmt.Errorf("waiting for the rate limit: %w", err)}
		}
	}
	return l.next.Complete(ctx, req)
}

// wait does not give up before the deadline, as Limiter.Wait does, whose
// error is not a context's error.
func wait(ctx context.Context, limiter *rate.Limiter) error {
	r := limiter.Reserve()
	if err := sleep(ctx, r.Delay()); err != nil {
		r.Cancel()
		return err
	}
	return nil
}
