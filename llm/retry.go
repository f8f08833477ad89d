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
func Retry(next Client, opts RetryOptions) Client { return &retry{next, NewBackoff(opts)} }

type retry struct {
	next    Client
	backoff *Backoff
}

func (r *retry) Complete(ctx context.Context, req Request) (Response, error) {
	for n := 0; ; n++ {
		res, err := r.next.Complete(ctx, req)
		var e *Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || !e.Retryable() {
			return res, err
		}
		again, serr := r.backoff.Wait(ctx, n, e)
		if serr != nil {
			return Response{}, fmt.Errorf("waiting to ask again after %q: %w", err.Error(), serr)
		}
		if !again {
			return Response{}, err
		}
	}
}

// Backoff is the waiting of Retry, for those that send requests of their own.
// It is safe for concurrent use.
type Backoff struct {
	opts RetryOptions

	mu   sync.Mutex
	rand *rand.Rand
}

// NewBackoff fills in the defaults.
func NewBackoff(opts RetryOptions) *Backoff {
	if opts.Attempts <= 0 {
		opts.Attempts = 8
	}
	opts.Base = orDefault(opts.Base, 2*time.Second)
	opts.Max = orDefault(opts.Max, time.Minute)
	opts.Patience = orDefault(opts.Patience, 5*time.Minute)
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	b := &Backoff{opts: opts}
	if opts.Rand != nil {
		b.rand = rand.New(opts.Rand)
	}
	return b
}

// Wait waits after attempt n, from 0, failed with e, which may pass. again is
// false, without a wait, after the last attempt or when the server wants more
// patience than there is. An error is the context's.
func (b *Backoff) Wait(ctx context.Context, n int, e *Error) (again bool, err error) {
	if n+1 >= b.opts.Attempts || e.RetryAfter > b.opts.Patience {
		return false, nil
	}
	if err := b.opts.Sleep(ctx, max(b.after(n), e.RetryAfter)); err != nil {
		return false, err
	}
	return true, nil
}

func (b *Backoff) after(n int) time.Duration {
	d := b.opts.Max
	if n < 30 && b.opts.Base<<n > 0 {
		d = min(d, b.opts.Base<<n)
	}
	if b.rand == nil {
		return d
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return d/2 + time.Duration(b.rand.Int64N(int64(d/2)+1))
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
