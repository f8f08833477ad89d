package harness

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestStoredOutcomesAreFacts: an entry that could not have been stored is
// broken, wherever it came from.
func TestStoredOutcomesAreFacts(t *testing.T) {
	for name, c := range map[string]struct {
		res  Result
		fine bool
	}{
		"exited":        {Result{End: Exited, ExitCode: 1}, true},
		"killed":        {Result{End: Exited, ExitCode: 137}, false},
		"timed out":     {Result{End: TimedOut}, false},
		"out of memory": {Result{End: OutOfMemory}, false},
		"disk":          {Result{End: DiskLimit}, false},
		"output":        {Result{End: OutputLimit}, true},
		"collected":     {Result{End: CollectLimit}, true},
		"no end":        {Result{}, false},
	} {
		data, err := encodeOutcome("key", c.res)
		require.NoError(t, err)
		got, err := decodeOutcome("key", data)
		if c.fine {
			require.NoError(t, err, name)
			require.Equal(t, c.res.End, got.End)
			require.Equal(t, c.res.ExitCode, got.ExitCode)
			continue
		}
		require.ErrorIs(t, err, errCorrupt, name)
	}
	data, err := encodeOutcome("key", Result{End: Exited})
	require.NoError(t, err)
	_, err = decodeOutcome("other", data)
	require.ErrorIs(t, err, errCorrupt)
	require.ErrorContains(t, err, `it is for "key"`)
}

// TestPartsOfOutcomesFit: bytes that were promised are there, and no others.
func TestPartsOfOutcomesFit(t *testing.T) {
	file := func(n int) []storedFile { return []storedFile{{[]byte("/f"), n}} }
	for name, c := range map[string]struct {
		o    outcome
		rest string
		fine bool
	}{
		"all":            {outcome{End: Exited, Head: 1, Tail: 1, Files: file(1)}, "htf", true},
		"one too many":   {outcome{End: Exited, Head: 1}, "hx", false},
		"one too few":    {outcome{End: Exited, Head: 2}, "h", false},
		"a negative one": {outcome{End: Exited, Head: -1}, "", false},
		"file too few":   {outcome{End: Exited, Files: file(2)}, "f", false},
		"a file twice":   {outcome{End: Exited, Files: append(file(1), file(1)...)}, "ff", false},
		"nothing":        {outcome{End: Exited}, "", true},
	} {
		res, err := c.o.result([]byte(c.rest))
		require.Equal(t, c.fine, err == nil, "%s: %v", name, err)
		if name == "all" {
			require.Equal(t, Output{Head: []byte("h"), Tail: []byte("t")}, res.Output)
			require.Equal(t, map[string][]byte{"/f": []byte("f")}, res.Files)
		}
	}
}

// TestWaitersGoOnWhenTheLeaderGivesUp: that the one who ran the job was
// cancelled says nothing about the others; any other error does.
func TestWaitersGoOnWhenTheLeaderGivesUp(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		err    error
		runs   int
		shared int64
		want   error
	}{
		"cancelled":   {fmt.Errorf("running: %w", context.Canceled), 1, 0, nil},
		"out of time": {context.DeadlineExceeded, 1, 0, nil},
		"failed":      {broken, 0, 1, broken},
		"ran":         {nil, 0, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				cache := NewCache(dir)
				runs := 0
				r := Cached(runnerFunc(func(context.Context, Job) (Result, error) { runs++; return Result{End: Exited}, nil }), cache)
				f, mine := cache.board(Key(Job{}))
				require.True(t, mine)
				var err error
				var res Result
				done := make(chan struct{})
				go func() { defer close(done); res, err = r.Run(t.Context(), Job{}) }()
				synctest.Wait()
				f.res, f.err = Result{End: Exited, Cached: true}, c.err
				cache.land(Key(Job{}), f)
				<-done
				require.Equal(t, c.want, err)
				require.Equal(t, c.runs, runs)
				require.Equal(t, c.shared, cache.Stats().Shared)
				if c.err == nil {
					require.True(t, res.Cached)
				}
			})
		})
	}
}
