package snapshot

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assay/harness"
)

// sandbox makes files below a directory that stands for "/".
func sandbox(t *testing.T, files map[string]string) (root *os.File, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(content), 0o644))
	}
	root, err := os.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root, dir
}

// listed walks within bounds.
func listed(t *testing.T, root *os.File, q harness.TreeQuery, b *bounds) ([]harness.Entry, bool) {
	t.Helper()
	var entries []harness.Entry
	cut, err := walk(root, q, b, func(e harness.Entry, content io.Reader) error {
		if content != nil {
			data, err := io.ReadAll(content)
			require.NoError(t, err)
			e.Data = data
		}
		entries = append(entries, e)
		return nil
	})
	require.NoError(t, err)
	return entries, cut
}

func paths(entries []harness.Entry) (out []string) {
	for _, e := range entries {
		out = append(out, e.Path)
	}
	return out
}

// TestBounds: a bound that is reached ends the walk, and is reported.
func TestBounds(t *testing.T) {
	root, _ := sandbox(t, map[string]string{"w/a": "1", "w/b": "2", "w/d/c": "3", "w/d/e": "4"})
	q := harness.TreeQuery{Dir: "/w"}
	entries, cut := listed(t, root, q, boundsOf(q))
	require.False(t, cut)
	require.Equal(t, []string{"a", "b", "d", "d/c", "d/e"}, paths(entries))

	few := boundsOf(q)
	few.entries = 4
	entries, cut = listed(t, root, q, few)
	require.True(t, cut)
	require.Less(t, len(entries), 5)

	short := boundsOf(q)
	short.names = 8
	entries, cut = listed(t, root, q, short)
	require.True(t, cut)
	require.Less(t, len(entries), 5)

	unread := boundsOf(q)
	unread.read = 3
	entries, cut = listed(t, root, q, unread)
	require.False(t, cut)
	require.Len(t, entries, 5)
	require.Equal(t, harness.Entry{Path: "d/e", Mode: 0o644, Size: 1, Omitted: true}, entries[4])
	require.NotEmpty(t, entries[3].SHA256)
}

// TestHardLinksAreReadOnce: many names of one file cost one reading.
func TestHardLinksAreReadOnce(t *testing.T) {
	root, dir := sandbox(t, map[string]string{"w/a": "content"})
	for _, name := range []string{"b", "c", "d"} {
		require.NoError(t, os.Link(filepath.Join(dir, "w/a"), filepath.Join(dir, "w", name)))
	}
	q := harness.TreeQuery{Dir: "/w"}
	b := boundsOf(q)
	b.read = 7
	entries, _ := listed(t, root, q, b)
	require.Len(t, entries, 4)
	for _, e := range entries {
		require.Equal(t, "content", string(e.Data), e.Path)
	}
}

// TestOneDirectoryIsOpen: a deep tree needs few descriptors.
func TestOneDirectoryIsOpen(t *testing.T) {
	root, dir := sandbox(t, map[string]string{"w/a": "1"})
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "w", "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d"), 0o755))
	before := openFiles(t)
	cut, err := Walk(root, harness.TreeQuery{Dir: "/w"}, func(harness.Entry, io.Reader) error {
		require.LessOrEqual(t, openFiles(t), before+3)
		return nil
	})
	require.NoError(t, err)
	require.False(t, cut)
	require.Equal(t, before, openFiles(t))
}

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

func TestKinds(t *testing.T) {
	for mode, want := range map[uint32]string{
		unix.S_IFREG | 0o4755: "-rwxr-xr-x", unix.S_IFDIR | 0o1777: "drwxrwxrwx", unix.S_IFLNK | 0o777: "Lrwxrwxrwx",
		unix.S_IFIFO: "p---------", unix.S_IFSOCK: "S---------", unix.S_IFBLK: "D---------", unix.S_IFCHR: "Dc---------",
	} {
		require.Equal(t, want, modeOf(mode).String())
	}
}

// TestKernelFilesAreLeftOut: a job's /proc is endless.
func TestKernelFilesAreLeftOut(t *testing.T) {
	root, _ := sandbox(t, map[string]string{"proc/a": "1", "dev/b": "2", "sys/c": "3", "w/proc/d": "4"})
	q := harness.TreeQuery{Dir: "/"}
	entries, _ := listed(t, root, q, boundsOf(q))
	require.Equal(t, []string{"w", "w/proc", "w/proc/d"}, paths(entries))
}

func TestReadStopsWithItsContext(t *testing.T) {
	root, _ := sandbox(t, map[string]string{"w/a": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Read(ctx, root, harness.TreeQuery{Dir: "/w"})
	require.ErrorIs(t, err, context.Canceled)
}

// BenchmarkRead reads a tree of 10,000 small files, nothing of it known.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		sub := filepath.Join(dir, "w", string(rune('a'+i/26))+string(rune('a'+i%26)))
		require.NoError(b, os.MkdirAll(sub, 0o755))
		for j := range 100 {
			require.NoError(b, os.WriteFile(filepath.Join(sub, "file"+string(rune('A'+j/26))+string(rune('a'+j%26))), make([]byte, 4096), 0o644))
		}
	}
	root, err := os.Open(dir)
	require.NoError(b, err)
	defer root.Close()
	for b.Loop() {
		entries, _, err := Read(b.Context(), root, harness.TreeQuery{Dir: "/w"})
		require.NoError(b, err)
		require.Len(b, entries, 10100)
	}
}
