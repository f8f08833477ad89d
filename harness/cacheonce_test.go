package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCachedOnce: equal jobs at one moment run once, over one Cache and over
// several on the same directory, and each caller may change its result.
func TestCachedOnce(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	inner := runnerFunc(func(context.Context, Job) (Result, error) {
		runs.Add(1)
		time.Sleep(50 * time.Millisecond)
		return sampleResult(), nil
	})
	caches := []*Cache{NewCache(dir), NewCache(dir), NewCache(dir)}
	var wg sync.WaitGroup
	var fresh atomic.Int64
	for i := range 24 {
		wg.Go(func() {
			res, err := Cached(inner, caches[i%3]).Run(t.Context(), sampleJob())
			require.NoError(t, err)
			require.Equal(t, "tail", string(res.Output.Tail))
			res.Files[fmt.Sprint(i)] = nil
			require.Len(t, res.Files, 5)
			if !res.Cached {
				fresh.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, runs.Load())
	require.EqualValues(t, 1, fresh.Load())
}

// TestCachedDifferentAtOnce: jobs that differ do not wait for each other.
func TestCachedDifferentAtOnce(t *testing.T) {
	both := make(chan struct{}, 2)
	inner := runnerFunc(func(ctx context.Context, _ Job) (Result, error) {
		both <- struct{}{}
		for len(both) < 2 {
			if err := Sleep(ctx, time.Millisecond); err != nil {
				return Result{}, err
			}
		}
		return Result{End: Exited}, nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	cache := NewCache(t.TempDir())
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			_, err := Cached(inner, cache).Run(ctx, Job{Attempt: i})
			require.NoError(t, err)
		})
	}
	wg.Wait()
}

// TestCachedCancelledLeader: the others continue when the one that ran the
// job gives up.
func TestCachedCancelledLeader(t *testing.T) {
	started := make(chan struct{}, 2)
	var runs atomic.Int64
	inner := runnerFunc(func(ctx context.Context, _ Job) (Result, error) {
		started <- struct{}{}
		if runs.Add(1) == 1 {
			<-ctx.Done()
			return Result{}, fmt.Errorf("running: %w", ctx.Err())
		}
		return Result{End: Exited, ExitCode: 5}, nil
	})
	r := Cached(inner, NewCache(t.TempDir()))
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := r.Run(ctx, Job{})
		first <- err
	}()
	<-started
	second := make(chan Result, 1)
	go func() {
		res, err := r.Run(t.Context(), Job{})
		require.NoError(t, err)
		second <- res
	}()
	cancel()
	require.ErrorIs(t, <-first, context.Canceled)
	require.Equal(t, 5, (<-second).ExitCode)
}

// TestCachedWaiterCancelled: who waits may give up while the job continues.
func TestCachedWaiterCancelled(t *testing.T) {
	dir := t.TempDir()
	started, finish := make(chan struct{}), make(chan struct{})
	inner := runnerFunc(func(context.Context, Job) (Result, error) {
		close(started)
		<-finish
		return Result{End: Exited}, nil
	})
	same := NewCache(dir)
	done := make(chan error, 1)
	go func() {
		_, err := Cached(inner, same).Run(t.Context(), Job{})
		done <- err
	}()
	<-started
	for name, cache := range map[string]*Cache{"same process": same, "another": NewCache(dir)} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		_, err := Cached(inner, cache).Run(ctx, Job{})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
	}
	close(finish)
	require.NoError(t, <-done)
}

// TestCachedProcesses starts itself several times over one directory.
func TestCachedProcesses(t *testing.T) {
	const variable = "HARNESS_CACHE_TEST_DIR"
	inner := func(dir string) Runner {
		return runnerFunc(func(context.Context, Job) (Result, error) {
			name := filepath.Join(dir, fmt.Sprintf("run-%d", os.Getpid()))
			require.NoError(t, os.WriteFile(name, nil, 0o600))
			time.Sleep(300 * time.Millisecond)
			return sampleResult(), nil
		})
	}
	if dir := os.Getenv(variable); dir != "" {
		res, err := Cached(inner(dir), NewCache(filepath.Join(dir, "cache"))).Run(t.Context(), sampleJob())
		require.NoError(t, err)
		require.Equal(t, 3, res.ExitCode)
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCachedProcesses$")
			cmd.Env = append(os.Environ(), variable+"="+dir)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
	wg.Wait()
	runs, err := filepath.Glob(filepath.Join(dir, "run-*"))
	require.NoError(t, err)
	require.Len(t, runs, 1)
}
