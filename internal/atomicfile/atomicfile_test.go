package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	for name, o := range map[string]Options{"plain": {}, "synced": {Sync: true}, "for all": {Mode: 0o644}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f.json")
			require.NoError(t, Write(path, []byte("one"), o))
			require.NoError(t, Write(path, []byte("two"), o))
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "two", string(text))
			info, err := os.Stat(path)
			require.NoError(t, err)
			want := fs.FileMode(0o600)
			if o.Mode != 0 {
				want = o.Mode
			}
			require.Equal(t, want, info.Mode().Perm())
			require.ErrorContains(t, Write(filepath.Join(dir, "absent", "x"), nil, o), "no such file")
			require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o755))
			require.Error(t, Write(filepath.Join(dir, "taken"), nil, o), "a directory is in the way")
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, left, 2, "no temporary file is left")
		})
	}
}

func TestWriteReplacesLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	require.NoError(t, os.Symlink(target, link))
	require.NoError(t, Write(link, []byte("new"), Options{}))
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
}

func TestTemporaryNames(t *testing.T) {
	require.True(t, IsTemporary("a/.f.json.tmp-ABC"))
	require.False(t, IsTemporary("a.tmp-b/f.json"))
}
