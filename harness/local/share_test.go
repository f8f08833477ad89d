//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestShare: files that are the same in content, rights and time take their
// place once; others, and what is stored for nobody, do not stay.
func TestShare(t *testing.T) {
	d := &Driver{dir: t.TempDir()}
	stamp := time.Unix(1_000_000_000, 0)
	put := func(path, text string, mode os.FileMode, at time.Time) string {
		path = filepath.Join(d.dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		require.NoError(t, os.Chtimes(path, at, at))
		return path
	}
	inode := func(path string) uint64 {
		var st unix.Stat_t
		require.NoError(t, unix.Lstat(path, &st))
		return st.Ino
	}
	a := put("a/fs/x/one.py", "one", 0o644, stamp)
	jar := put("a/fs/root/.m2/repository/x.jar", "jar", 0o644, stamp)
	same := put("b/fs/y/two.py", "one", 0o644, stamp)
	text := put("b/fs/x/text.py", "other", 0o644, stamp)
	mode := put("b/fs/x/mode.py", "one", 0o755, stamp)
	later := put("b/fs/x/later.py", "one", 0o644, stamp.Add(time.Second))
	jarLater := put("b/fs/root/.m2/repository/x.jar", "jar", 0o644, stamp.Add(time.Hour))
	empty := put("b/fs/x/empty.py", "", 0o644, stamp)
	require.NoError(t, os.Symlink("two.py", filepath.Join(d.dir, "b/fs/y/link")))
	require.NoError(t, d.share(filepath.Join(d.dir, "a/fs")))
	require.NoError(t, d.share(filepath.Join(d.dir, "b/fs")))
	require.Equal(t, inode(a), inode(same))
	require.Equal(t, inode(jar), inode(jarLater))
	for _, other := range []string{text, mode, later, empty} {
		require.NotEqual(t, inode(a), inode(other), other)
	}
	read, err := os.ReadFile(text)
	require.NoError(t, err)
	require.Equal(t, "other", string(read))
	require.NoError(t, os.RemoveAll(filepath.Join(d.dir, "b")))
	require.NoError(t, d.SweepShared())
	stored, err := filepath.Glob(filepath.Join(d.storeDir(), "*", "*"))
	require.NoError(t, err)
	require.Len(t, stored, 2, "only what the first layer has is left")
	require.NoError(t, (&Driver{dir: t.TempDir()}).SweepShared())
}
