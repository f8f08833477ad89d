package harness

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCachedReplacesCorruption(t *testing.T) {
	whole, err := encodeOutcome(Key(sampleJob()), sampleResult())
	require.NoError(t, err)
	foreign, err := encodeOutcome("other", sampleResult())
	require.NoError(t, err)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0x10
	for name, data := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)-3], "flipped": flipped, "noise": []byte("noise"),
		"trailing": append(bytes.Clone(whole), 'x'), "of another job": foreign,
	} {
		t.Run(name, func(t *testing.T) {
			cache := NewCache(t.TempDir())
			file := cache.path(Key(sampleJob()))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
			require.NoError(t, os.WriteFile(file, data, 0o666))
			runs := 0
			r := Cached(runnerFunc(func(context.Context, Job) (Result, error) {
				runs++
				return sampleResult(), nil
			}), cache)
			for range 2 {
				res, err := r.Run(t.Context(), sampleJob())
				require.NoError(t, err)
				require.Equal(t, 3, res.ExitCode)
			}
			require.Equal(t, 1, runs)
			require.Equal(t, CacheStats{Hits: 1, Misses: 1, Stored: 1, Corrupt: 1}, cache.Stats())
		})
	}
}

func FuzzDecodeOutcome(f *testing.F) {
	whole, err := encodeOutcome("key", sampleResult())
	require.NoError(f, err)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{})
	f.Add([]byte("\x78\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		res, err := decodeOutcome("key", data)
		if err != nil {
			require.ErrorIs(t, err, errCorrupt)
			return
		}
		again, err := encodeOutcome("key", res)
		require.NoError(t, err)
		back, err := decodeOutcome("key", again)
		require.NoError(t, err)
		require.Equal(t, res, back)
	})
}
