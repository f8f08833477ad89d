package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "history.jsonl")
	h, err := OpenHistory(path)
	require.NoError(t, err)
	_, ok := h.Known("a")
	require.False(t, ok)
	require.NoError(t, h.Record("a", 1500*time.Millisecond))
	require.NoError(t, h.Record("b\n\"ü", 2*time.Hour))
	require.NoError(t, h.Record("a", 3*time.Second))
	for _, h := range []*History{h, open(t, path)} {
		d, ok := h.Known("a")
		require.True(t, ok)
		require.Equal(t, 3*time.Second, d)
		d, _ = h.Known("b\n\"ü")
		require.Equal(t, 2*time.Hour, d)
	}
	require.Error(t, h.Record("", time.Second))
	require.Error(t, h.Record("a", -time.Second))
	require.Error(t, h.Record(strings.Repeat("x", maxRecord), time.Second))
}

func open(t *testing.T, path string) *History {
	t.Helper()
	h, err := OpenHistory(path)
	require.NoError(t, err)
	return h
}

func TestHistoryDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	lines := []string{
		`{"key":"a","seconds":1}`, `not JSON`, `{"key":"","seconds":1}`, `{"key":"n","seconds":-1}`, `{"key":"h","seconds":1e300}`,
		"\x00\xff", `{"key":"l","seconds":1` + strings.Repeat(" ", 3*maxRecord) + `}`, `{"key":"b","seconds":2,"more":true}`, `{"key":"tor`,
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	h := open(t, path)
	require.Equal(t, map[string]time.Duration{"a": time.Second, "b": 2 * time.Second}, h.known)
	require.NoError(t, h.Record("c", 3*time.Second))
	require.Equal(t, map[string]time.Duration{"a": time.Second, "b": 2 * time.Second, "c": 3 * time.Second}, open(t, path).known)
}

func TestHistoryIsRewritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	h := open(t, path)
	for i := range 500 {
		require.NoError(t, h.Record(fmt.Sprint(i%5), time.Duration(i)*time.Second))
	}
	h = open(t, path)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(string(data), "\n"))
	require.Equal(t, h.known, open(t, path).known)
	require.Equal(t, 499*time.Second, h.known["4"])
}

func TestHistoryConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	one, two := open(t, path), open(t, path)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				require.NoError(t, []*History{one, two}[i%2].Record(fmt.Sprint(i, "-", j), time.Second))
				one.Known("x")
			}
		})
	}
	wg.Wait()
	require.Len(t, open(t, path).known, 400)
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte("{\"key\":\"a\",\"seconds\":1}\n"))
	f.Add([]byte("{\"key\":\"a\",\"seconds\":1}"))
	f.Add([]byte("\n\n{\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "h")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		h := open(t, path)
		require.NoError(t, h.Record("fuzz", time.Second))
		require.Equal(t, h.encode(), open(t, path).encode())
	})
}
