package harness

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRetry(t *testing.T) {
	again := &InfraError{Op: "x", Retryable: true, Err: errors.New("busy")}
	never := &InfraError{Op: "x", Err: errors.New("broken")}
	tests := map[string]struct {
		attempts int
		errs     []error // of the runs, in order
		pauses   []time.Duration
		want     error
	}{
		"first time":    {3, []error{nil}, nil, nil},
		"third time":    {3, []error{again, again, nil}, []time.Duration{time.Second, 2 * time.Second}, nil},
		"given up":      {2, []error{again, again}, []time.Duration{time.Second}, again},
		"not retryable": {3, []error{never}, nil, never},
		"then broken":   {3, []error{again, never}, []time.Duration{time.Second}, never},
		"at least once": {0, []error{again}, nil, again},
		"long backoff": {8, []error{again, again, again, again, again, again, again, nil},
			[]time.Duration{1e9, 2e9, 4e9, 8e9, 16e9, 30e9, 30e9}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			runs := 0
			inner := runnerFunc(func(context.Context, Job) (Result, error) {
				runs++
				return Result{ExitCode: runs}, tt.errs[runs-1]
			})
			var pauses []time.Duration
			r := Retry(inner, tt.attempts, func(_ context.Context, d time.Duration) error {
				pauses = append(pauses, d)
				return nil
			})
			res, err := r.Run(t.Context(), Job{})
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, tt.want != nil, err != nil)
			require.Equal(t, len(tt.errs), runs)
			require.Equal(t, runs, res.ExitCode)
			require.Equal(t, tt.pauses, pauses)
		})
	}
}

func TestRetryCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := runnerFunc(func(context.Context, Job) (Result, error) {
			return Result{}, &InfraError{Op: "x", Retryable: true, Err: errors.New("busy")}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		_, err := Retry(inner, 100, Sleep).Run(ctx, Job{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "busy")
		require.Equal(t, 5*time.Second, time.Since(began))
	})
}

// TestRetryOfRelays: a job that a relay served is not run again here.
func TestRetryOfRelays(t *testing.T) {
	again := &InfraError{Op: "x", Retryable: true, Err: errors.New("busy")}
	runs := 0
	inner := runnerFunc(func(context.Context, Job) (Result, error) {
		runs++
		return Result{}, again
	})
	_, err := Retry(inner, 3, Sleep).Run(t.Context(), Job{Relays: []Relay{{Port: 8080}}})
	require.Equal(t, again, err)
	require.Equal(t, 1, runs)
}
