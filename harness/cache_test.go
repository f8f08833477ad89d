package harness

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// runnerFunc is a scripted Runner.
type runnerFunc func(ctx context.Context, job Job) (Result, error)

func (f runnerFunc) Run(ctx context.Context, job Job) (Result, error) { return f(ctx, job) }

func sampleResult() Result {
	return Result{
		End: Exited, ExitCode: 3,
		Output:  Output{Head: []byte("head\xff\x00"), Tail: []byte("tail"), Omitted: 7},
		Files:   map[string][]byte{"/out/a": []byte("\x00binary\xfe"), "/out/empty": {}, "/out/\xff": []byte("1"), "/out/\xfe": []byte("2")},
		Timings: Timings{Create: 1, Start: 2, Run: 3, Collect: 4, Remove: 5},
	}
}

func TestCachedHit(t *testing.T) {
	var runs atomic.Int64
	inner := runnerFunc(func(context.Context, Job) (Result, error) {
		runs.Add(1)
		return sampleResult(), nil
	})
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	cache := NewCache(dir)
	first, err := Cached(inner, cache).Run(t.Context(), sampleJob())
	require.NoError(t, err)
	require.Equal(t, sampleResult(), first)

	job := sampleJob()
	job.Name = "another label"
	later := NewCache(dir)
	hit, err := Cached(inner, later).Run(t.Context(), job)
	require.NoError(t, err)
	want := sampleResult()
	want.Cached = true
	require.Equal(t, want, hit)
	require.EqualValues(t, 1, runs.Load())
	require.Equal(t, CacheStats{Misses: 1, Stored: 1}, cache.Stats())
	require.Equal(t, CacheStats{Hits: 1}, later.Stats())

	job.Attempt++
	_, err = Cached(inner, later).Run(t.Context(), job)
	require.NoError(t, err)
	require.EqualValues(t, 2, runs.Load())
}

// TestCachedRunsWhatIsNotItsOwn: what is served from outside, or stopped from
// there, is not a fact about the job.
func TestCachedRunsWhatIsNotItsOwn(t *testing.T) {
	for name, change := range map[string]func(*Job){
		"relays": func(j *Job) { j.Relays = []Relay{{Port: 80, Serve: func(net.Conn) {}}} },
		"tree":   func(j *Job) { j.Tree = &TreeQuery{Dir: "/w"} },
		"stop":   func(j *Job) { j.Stop = make(chan struct{}) },
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			cache := NewCache(t.TempDir())
			runner := Cached(runnerFunc(func(context.Context, Job) (Result, error) {
				runs++
				return sampleResult(), nil
			}), cache)
			job := sampleJob()
			_, err := runner.Run(t.Context(), job) // stores the outcome of the same key
			require.NoError(t, err)
			change(&job)
			for range 2 {
				res, err := runner.Run(t.Context(), job)
				require.NoError(t, err)
				require.False(t, res.Cached)
			}
			require.Equal(t, 3, runs)
			require.EqualValues(t, 1, cache.Stats().Stored)
		})
	}
}

func TestCachedStoresOnlyFacts(t *testing.T) {
	trouble := &InfraError{Op: "x", Retryable: true, Err: errors.New("trouble")}
	tests := map[string]struct {
		res    Result
		err    error
		stored bool
	}{
		"exit 0":        {Result{End: Exited}, nil, true},
		"exit 7":        {Result{End: Exited, ExitCode: 7}, nil, true},
		"crash":         {Result{End: Exited, ExitCode: 128 + 11}, nil, true},
		"killed":        {Result{End: Exited, ExitCode: 128 + 9}, nil, false},
		"timeout":       {Result{End: TimedOut, ExitCode: -1}, nil, false},
		"memory":        {Result{End: OutOfMemory, ExitCode: 137}, nil, false},
		"disk":          {Result{End: DiskLimit, ExitCode: 1}, nil, false},
		"stopped":       {Result{End: Stopped, ExitCode: -1}, nil, false},
		"output limit":  {Result{End: OutputLimit, ExitCode: 137}, nil, true},
		"collect limit": {Result{End: CollectLimit}, nil, true},
		"error":         {Result{}, trouble, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cache := NewCache(t.TempDir())
			runs := 0
			r := Cached(runnerFunc(func(context.Context, Job) (Result, error) {
				runs++
				return tt.res, tt.err
			}), cache)
			for range 2 {
				res, err := r.Run(t.Context(), sampleJob())
				require.Equal(t, tt.err, err)
				require.Equal(t, tt.res.End, res.End)
			}
			if tt.stored {
				require.Equal(t, 1, runs)
			} else {
				require.Equal(t, 2, runs)
			}
		})
	}
}

// TestCachedUnusableDirectory: a cache that cannot be written to costs
// nothing but time.
func TestCachedUnusableDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	runs := 0
	r := Cached(runnerFunc(func(context.Context, Job) (Result, error) {
		runs++
		return sampleResult(), nil
	}), NewCache(filepath.Join(file, "below a file")))
	for range 2 {
		res, err := r.Run(t.Context(), sampleJob())
		require.NoError(t, err)
		require.Equal(t, 3, res.ExitCode)
	}
	require.Equal(t, 2, runs)
}

// BenchmarkCacheHit reads outcomes of the usual size: 40 kB of output and a
// report of 60 kB, as text, and 512 kB of files that hardly compress.
func BenchmarkCacheHit(b *testing.B) {
	text := strings.Repeat("tests/test_module.py::TestClass::test_method[param] PASSED [ 12%]\n", 600)
	noise := make([]byte, 512<<10)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	for name, res := range map[string]Result{
		"report": {End: Exited, Output: Output{Head: []byte(text)}, Files: map[string][]byte{"/r.xml": []byte(text + text[:20000])}},
		"noise":  {End: Exited, Files: map[string][]byte{"/r.bin": noise}},
	} {
		b.Run(name, func(b *testing.B) {
			inner := runnerFunc(func(context.Context, Job) (Result, error) { return res, nil })
			r := Cached(inner, NewCache(b.TempDir()))
			_, err := r.Run(b.Context(), sampleJob())
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Run(b.Context(), sampleJob()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
