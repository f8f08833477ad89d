//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHiddenBeforeItExists: results are written after the driver was opened.
func TestHiddenBeforeItExists(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "data", "old"), 0o755))
	require.NoError(t, os.Symlink("data", filepath.Join(dir, "link")))
	trees := []tree{{Path: dir}}
	for given, want := range map[string]string{
		"data/old":       "data/old",
		"link/old":       "data/old",
		"runs/one/two":   "runs",
		"data/new.jsonl": "data/new.jsonl",
		"link/new/x":     "data/new",
	} {
		require.Contains(t, hidden(trees, []string{filepath.Join(dir, given)}), filepath.Join(dir, want), given)
	}
	require.NotContains(t, hidden(trees, []string{"/nowhere/at/all"}), "/nowhere")
}
