package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// clientFunc is a client of one function.
type clientFunc func(ctx context.Context, req Request) (Response, error)

func (f clientFunc) Complete(ctx context.Context, req Request) (Response, error) { return f(ctx, req) }

func user(text string) Request {
	return Request{Model: "openai/gpt-4o", Messages: []Message{{User, text}}, MaxTokens: 100, Purpose: "task-1"}
}

// failing fails with the errors, then answers.
func failing(calls *int, errs ...error) Client {
	return clientFunc(func(context.Context, Request) (Response, error) {
		*calls++
		if *calls <= len(errs) {
			return Response{}, errs[*calls-1]
		}
		return Response{Text: "ok"}, nil
	})
}

func TestRetry(t *testing.T) {
	fail := func(c Class) error { return &Error{Class: c, Provider: "p", Err: errors.New("x")} }
	after := func(d time.Duration) error { return &Error{Class: RateLimited, RetryAfter: d, Err: errors.New("x")} }
	s := time.Second
	tests := map[string]struct {
		errs  []error
		calls int
		waits []time.Duration
		want  Class // "" for an answer
	}{
		"no trouble":       {calls: 1},
		"doubles":          {errs: []error{fail(Overloaded), fail(Network), fail(Malformed), fail(RateLimited)}, calls: 5, waits: []time.Duration{2 * s, 4 * s, 8 * s, 10 * s}},
		"as asked":         {errs: []error{after(42 * s)}, calls: 2, waits: []time.Duration{42 * s}},
		"not less":         {errs: []error{after(1)}, calls: 2, waits: []time.Duration{2 * s}},
		"too much asked":   {errs: []error{after(time.Hour)}, calls: 1, want: RateLimited},
		"out of attempts":  {errs: []error{fail(Network), fail(Network), fail(Network), fail(Network), fail(Overloaded), fail(Network)}, calls: 5, waits: []time.Duration{2 * s, 4 * s, 8 * s, 10 * s}, want: Overloaded},
		"authentication":   {errs: []error{fail(Authentication)}, calls: 1, want: Authentication},
		"refused":          {errs: []error{fail(Refused)}, calls: 1, want: Refused},
		"quota":            {errs: []error{fail(Quota)}, calls: 1, want: Quota},
		"budget":           {errs: []error{fail(OverBudget)}, calls: 1, want: OverBudget},
		"changes its mind": {errs: []error{fail(Network), fail(TooLong)}, calls: 2, waits: []time.Duration{2 * s}, want: TooLong},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var calls int
			var waits []time.Duration
			opts := RetryOptions{Attempts: 5, Max: 10 * s, Sleep: func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}}
			res, err := Retry(failing(&calls, tt.errs...), opts).Complete(t.Context(), user("q"))
			require.Equal(t, tt.calls, calls)
			require.Equal(t, tt.waits, waits)
			if tt.want == "" {
				require.NoError(t, err)
				require.Equal(t, "ok", res.Text)
				return
			}
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.want, e.Class)
		})
	}
}

func TestRetryOfUnknownErrors(t *testing.T) {
	var calls int
	_, err := Retry(failing(&calls, errors.New("a bug")), RetryOptions{}).Complete(t.Context(), user("q"))
	require.EqualError(t, err, "a bug")
	require.Equal(t, 1, calls)
}

func TestRetryJitter(t *testing.T) {
	busy := &Error{Class: Overloaded, Err: errors.New("x")}
	run := func(seed uint64) (waits []time.Duration) {
		var calls int
		opts := RetryOptions{Attempts: 4, Rand: rand.NewPCG(seed, 0), Sleep: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}}
		_, err := Retry(failing(&calls, busy, busy, busy), opts).Complete(t.Context(), user("q"))
		require.NoError(t, err)
		return waits
	}
	require.Equal(t, run(1), run(1), "same seed, same waits")
	require.NotEqual(t, run(1), run(2))
	for i, d := range run(3) {
		whole := 2 * time.Second << i
		require.GreaterOrEqual(t, d, whole/2)
		require.LessOrEqual(t, d, whole)
	}
}

func TestRetryStopsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var calls int
		_, err := Retry(failing(&calls, &Error{Class: Network, Err: errors.New("reset")}), RetryOptions{}).Complete(ctx, user("q"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "reset")
		require.Equal(t, 1, calls)
	})
}

func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var starts []time.Duration
		var mu sync.Mutex
		client := RateLimit(clientFunc(func(context.Context, Request) (Response, error) {
			mu.Lock()
			defer mu.Unlock()
			starts = append(starts, time.Since(start))
			return Response{}, nil
		}), 30, 0)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_, err := client.Complete(t.Context(), user("q"))
				require.NoError(t, err)
			})
		}
		wg.Wait()
		require.Equal(t, []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}, starts)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Complete(ctx, user("q"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, starts, 4)
	})
}

func TestRateLimitOfConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		client := RateLimit(clientFunc(func(context.Context, Request) (Response, error) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return Response{}, nil
		}), 0, 2)
		start := time.Now()
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				_, err := client.Complete(t.Context(), user("q"))
				require.NoError(t, err)
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := client.Complete(ctx, user("q"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		wg.Wait()
		require.EqualValues(t, 2, most.Load())
		require.Equal(t, 3*time.Second, time.Since(start))
	})
}

func TestForProvider(t *testing.T) {
	var got string
	client := ForProvider(clientFunc(func(_ context.Context, req Request) (Response, error) {
		got = req.Model
		return Response{}, nil
	}), "openrouter")
	_, err := client.Complete(t.Context(), Request{Model: "openrouter/qwen/qwen3"})
	require.NoError(t, err)
	require.Equal(t, "qwen/qwen3", got)
	for _, model := range []string{"openai/x", "x"} {
		_, err = client.Complete(t.Context(), Request{Model: model})
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, Invalid, e.Class)
	}
}

func TestLenient(t *testing.T) {
	temperature, seed := 0.5, int64(1)
	var seen []string
	strict := clientFunc(func(_ context.Context, req Request) (Response, error) {
		switch {
		case req.Temperature != nil:
			return Response{}, &Error{Class: Invalid, Err: errors.New("Unsupported value: 'Temperature' must be 1")}
		case req.Seed != nil:
			return Response{}, &Error{Class: Invalid, Err: errors.New("unknown name seed")}
		}
		return Response{Text: "ok"}, nil
	})
	client := Lenient(strict, func(model, name string) { seen = append(seen, model+" "+name) })
	req := user("q")
	req.Temperature, req.Seed = &temperature, &seed
	for range 2 {
		res, err := client.Complete(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, "ok", res.Text)
	}
	require.Equal(t, []string{"openai/gpt-4o temperature", "openai/gpt-4o seed"}, seen)
	require.NotNil(t, req.Temperature)

	_, err := Lenient(strict, nil).Complete(t.Context(), Request{Model: "a/b", Temperature: &temperature})
	require.NoError(t, err)
	var calls int
	other := &Error{Class: Invalid, Err: errors.New("bad messages")}
	_, err = Lenient(failing(&calls, other, other), nil).Complete(t.Context(), req)
	require.ErrorIs(t, err, other)
	require.Equal(t, 1, calls)
}
