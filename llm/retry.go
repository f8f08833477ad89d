package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// RetryOptions tune Retry; zero fields take the defaults.
type RetryOptions struct {
	Attempts int           // calls in all; default 8
	Base     time.Duration // first wait, doubled each time; default 2 s
	Max      time.Duration // longest wait of our own; default 60 s
	// Patience is the longest wait that a server may ask for; when it wants
	// more the error is returned at once. Default 5 min.
	Patience time.Duration
	// Rand gives the jitter. Without it there is none.
	Rand rand.Source
	// Sleep waits, or returns the error of the context; default real time.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Retry asks again after errors that may pass (Error.Retryable), never after
// others. The wait before attempt n+1 is Base*2^n, at most Max, of which half
// is jitter, so that clients which failed together do not return together;
// what the server asked for is waited for in full. After the last attempt the
// last error is returned.
func Retry(next Client, opts RetryOptions) Client {
	if opts.Attempts <= 0 {
		opts.Attempts = 8
	}
	opts.Base = orDefault(opts.Base, 2*time.Second)
	opts.Max = orDefault(opts.Max, time.Minute)
	opts.Patience = orDefault(opts.Patience, 5*time.Minute)
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	r := &retry{next: next, opts: opts}
	if opts.Rand != nil {
		r.rand = rand.New(opts.Rand)
	}
	return r
}

type retry struct {
	next Client
	opts RetryOptions

	mu   sync.Mutex
	rand *rand.Rand
}

func (r *retry) Complete(ctx context.Context, req Request) (Response, error) {
	for n := 0; ; n++ {
		res, err := r.next.Complete(ctx, req)
		var e *Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || !e.Retryable() {
			return res, err
		}
		if n+1 >= r.opts.Attempts || e.RetryAfter > r.opts.Patience {
			return Response{}, err
		}
		if serr := r.opts.Sleep(ctx, max(r.backoff(n), e.RetryAfter)); serr != nil {
			return Response{}, fmt.Errorf("waiting to ask again after %q: %w", err.Error(), serr)
		}
	}
}

func (r *retry) backoff(n int) time.Duration {
	d := r.opts.Max
	if n < 30 && r.opts.Base<<n > 0 {
		d = min(d, r.opts.Base<<n)
	}
	if r.rand == nil {
		return d
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return d/2 + time.Duration(r.rand.Int64N(int64(d/2)+1))
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
