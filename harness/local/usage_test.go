//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A package that an installer links from its cache takes its place once.
func TestDiskUsageCountsLinksOnce(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), make([]byte, 1<<20), 0o644))
	one := diskUsage(dir)
	require.Greater(t, one, int64(1<<20)-1)
	require.NoError(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	require.Equal(t, one, diskUsage(dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), make([]byte, 1<<20), 0o644))
	require.Greater(t, diskUsage(dir), one)
}
