package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

type preparerFunc func(context.Context, Recipe) (string, error)

func (f preparerFunc) Prepare(ctx context.Context, r Recipe) (string, error) { return f(ctx, r) }

func TestRemember(t *testing.T) {
	build := &BuildError{Recipe: "x", Result: Result{End: Exited, ExitCode: 1}}
	tests := map[string]struct {
		err   error
		calls int // out of three
	}{
		"success":          {nil, 3},
		"build":            {build, 1},
		"wrapped build":    {fmt.Errorf("preparing x: %w", build), 1},
		"timed out":        {&BuildError{Recipe: "x", Result: Result{End: TimedOut}}, 1},
		"infrastructure":   {&InfraError{Op: "x", Err: errors.New("broken")}, 3},
		"no packages":      {&InfraError{Op: "x", Retryable: true, Err: build}, 3},
		"cancelled":        {context.Canceled, 3},
		"build, cancelled": {errors.Join(build, context.Canceled), 3},
		"other":            {errors.New("other"), 3},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			calls := 0
			p := Remember(preparerFunc(func(context.Context, Recipe) (string, error) {
				calls++
				return "made", tt.err
			}))
			for _, label := range []string{"a", "b", "c"} {
				got, err := p.Prepare(t.Context(), Recipe{Name: label, Script: "make"})
				require.Equal(t, tt.err, err)
				if err == nil {
					require.Equal(t, "made", got)
				}
			}
			require.Equal(t, tt.calls, calls)
		})
	}
}

// TestRememberSeparately: what makes another recipe, or another attempt, is tried.
func TestRememberSeparately(t *testing.T) {
	var scripts []string
	p := Remember(preparerFunc(func(_ context.Context, r Recipe) (string, error) {
		scripts = append(scripts, r.Script)
		if r.Limits.Time == time.Hour {
			return "made", nil
		}
		return "", &BuildError{Recipe: r.Name, Result: Result{End: TimedOut}}
	}))
	parent := Recipe{Script: "parent"}
	for _, r := range []Recipe{
		{Script: "1"},
		{Script: "2"},
		{Script: "2", Parent: &parent},
		{Script: "1", Limits: DefaultLimits()}, // as the first
	} {
		_, err := p.Prepare(t.Context(), r)
		var build *BuildError
		require.ErrorAs(t, err, &build)
	}
	require.Equal(t, []string{"1", "2", "2"}, scripts)
	name, err := p.Prepare(t.Context(), Recipe{Script: "1", Limits: Limits{Time: time.Hour}})
	require.NoError(t, err)
	require.Equal(t, "made", name)
}

// TestRememberTogether: those who wait for a recipe that then fails do not
// try it again, and another recipe does not wait for it.
func TestRememberTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		calls := map[string]int{}
		p := Remember(preparerFunc(func(_ context.Context, r Recipe) (string, error) {
			mu.Lock()
			calls[r.Script]++
			mu.Unlock()
			time.Sleep(time.Minute)
			return "", &BuildError{Recipe: r.Name}
		}))
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				_, err := p.Prepare(t.Context(), Recipe{Script: fmt.Sprint(i % 2)})
				var build *BuildError
				require.ErrorAs(t, err, &build)
			})
		}
		wg.Wait()
		require.Equal(t, map[string]int{"0": 1, "1": 1}, calls)
		require.Equal(t, time.Minute, time.Since(began))
	})
}

// TestRememberGivesUp: one who waits can stop waiting, and one who is
// cancelled leaves the recipe to the next.
func TestRememberGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		p := Remember(preparerFunc(func(ctx context.Context, _ Recipe) (string, error) {
			calls++
			if err := Sleep(ctx, time.Minute); err != nil {
				return "", err
			}
			return "made", nil
		}))
		var wg sync.WaitGroup
		ask := func(patience time.Duration, want error) {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				_, err := p.Prepare(ctx, Recipe{})
				require.ErrorIs(t, err, want)
			})
			synctest.Wait()
		}
		ask(20*time.Second, context.DeadlineExceeded) // at work
		ask(10*time.Second, context.DeadlineExceeded) // in the queue
		ask(time.Hour, nil)
		wg.Wait()
		require.Equal(t, 2, calls)
	})
}
