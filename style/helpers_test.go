package style

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// find makes a finding at the n-th line (from 1) that holds the mark.
func find(t testing.TB, files map[string][]byte, rule, path, mark string, n int, message string) bench.Finding {
	t.Helper()
	for i, line := range strings.Split(string(files[path]), "\n") {
		if !strings.Contains(line, mark) {
			continue
		}
		if n--; n == 0 {
			return bench.Finding{Tool: "lint", Rule: rule, Path: path, Line: line, Message: message,
				Range: bench.Range{Line: i + 1, Column: strings.Index(line, mark) + 1}}
		}
	}
	require.Fail(t, "no such line", "%s in %s", mark, path)
	return bench.Finding{}
}

// lineCount and the like hold what Neutralise must keep.
func sameShape(t testing.TB, before, after []byte) {
	t.Helper()
	require.Len(t, after, len(before))
	for i, c := range before {
		require.Equal(t, c == '\n', after[i] == '\n', "byte %d", i)
	}
	require.Equal(t, bytes.Count(before, []byte{'\r'}), bytes.Count(after, []byte{'\r'}))
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

// The languages of most tests.
const (
	python = "python"
	java   = "java"
	cpp    = "cpp"
)
