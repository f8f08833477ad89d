package harness

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPrune(t *testing.T) {
	cache := NewCache(t.TempDir())
	inner := runnerFunc(func(context.Context, Job) (Result, error) { return sampleResult(), nil })
	now := time.Now()
	for i := range 5 {
		job := Job{Attempt: i}
		_, err := Cached(inner, cache).Run(t.Context(), job)
		require.NoError(t, err)
		at := now.Add(time.Duration(i-10) * time.Hour)
		require.NoError(t, os.Chtimes(cache.path(Key(job)), at, at))
	}
	used := Job{Attempt: 0} // the oldest, until it is used
	_, err := Cached(inner, cache).Run(t.Context(), used)
	require.NoError(t, err)
	half := filepath.Join(cache.Dir, "ab", "x.tmp-1")
	require.NoError(t, os.MkdirAll(filepath.Dir(half), 0o777))
	require.NoError(t, os.WriteFile(half, nil, 0o600))
	require.NoError(t, os.Chtimes(half, now.Add(-2*time.Hour), now.Add(-2*time.Hour)))
	require.NoError(t, os.WriteFile(half+"-young", nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(cache.Dir, "mine.json.z"), nil, 0o600))

	entries, err := cache.Entries()
	require.NoError(t, err)
	require.Len(t, entries, 5)
	var keys []string
	for _, e := range entries {
		keys = append(keys, e.Key)
	}
	want := []string{Key(Job{Attempt: 1}), Key(Job{Attempt: 2}), Key(Job{Attempt: 3}), Key(Job{Attempt: 4}), Key(used)}
	require.Equal(t, want, keys)

	removed, err := cache.Prune(entries[2].Bytes + entries[3].Bytes + entries[4].Bytes)
	require.NoError(t, err)
	require.Equal(t, entries[:2], removed)
	require.NoFileExists(t, half)
	require.FileExists(t, half+"-young")
	require.FileExists(t, filepath.Join(cache.Dir, "mine.json.z"), "what is no entry stays")
	entries, err = cache.Entries()
	require.NoError(t, err)
	require.Len(t, entries, 3)

	removed, err = cache.Prune(0)
	require.NoError(t, err)
	require.Len(t, removed, 3)
	entries, err = NewCache(filepath.Join(cache.Dir, "absent")).Entries()
	require.NoError(t, err)
	require.Empty(t, entries)
}
