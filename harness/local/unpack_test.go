//go:build linux

package local

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// archive packs entries; the content of regular files is their name.
func archive(t testing.TB, entries ...tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range entries {
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(h.Name))
		}
		require.NoError(t, w.WriteHeader(&h))
		if h.Typeflag == tar.TypeReg {
			_, err := w.Write([]byte(h.Name))
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	return buf.Bytes()
}

func TestUnpack(t *testing.T) {
	dest := filepath.Join(t.TempDir(), "deep", "dest")
	require.NoError(t, unpack(dest, bytes.NewReader(archive(t,
		tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": "1"}},
		tar.Header{Typeflag: tar.TypeDir, Name: "./", Mode: 0o755},
		tar.Header{Typeflag: tar.TypeDir, Name: "a/", Mode: 0o750},
		tar.Header{Typeflag: tar.TypeReg, Name: "a/run", Mode: 0o755},
		tar.Header{Typeflag: tar.TypeReg, Name: "/abs/f", Mode: 0o644},
		tar.Header{Typeflag: tar.TypeSymlink, Name: "out", Linkname: "/etc/passwd"},
		tar.Header{Typeflag: tar.TypeLink, Name: "hard", Linkname: "a/run"},
		tar.Header{Typeflag: tar.TypeReg, Name: "out", Mode: 0o600},
	))))
	for name, mode := range map[string]os.FileMode{"a/run": 0o755, "abs/f": 0o644, "hard": 0o755, "out": 0o600} {
		info, err := os.Lstat(filepath.Join(dest, name))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), name)
	}
}

func TestUnpackEscapes(t *testing.T) {
	tests := map[string][]tar.Header{
		"dots":              {{Typeflag: tar.TypeReg, Name: "../planted", Mode: 0o644}},
		"dots in between":   {{Typeflag: tar.TypeReg, Name: "a/../../planted", Mode: 0o644}},
		"through a link":    {{Typeflag: tar.TypeSymlink, Name: "l", Linkname: ".."}, {Typeflag: tar.TypeReg, Name: "l/planted", Mode: 0o644}},
		"a link's parents":  {{Typeflag: tar.TypeSymlink, Name: "l", Linkname: ".."}, {Typeflag: tar.TypeReg, Name: "l/x/planted", Mode: 0o644}},
		"hard link outside": {{Typeflag: tar.TypeLink, Name: "planted", Linkname: "../secret"}},
		"hard link by link": {{Typeflag: tar.TypeSymlink, Name: "l", Linkname: ".."}, {Typeflag: tar.TypeLink, Name: "planted", Linkname: "l/secret"}},
		"device":            {{Typeflag: tar.TypeChar, Name: "null", Devmajor: 1, Devminor: 3}},
	}
	for name, entries := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600))
			require.Error(t, unpack(filepath.Join(dir, "dest"), bytes.NewReader(archive(t, entries...))))
			requireOnly(t, dir, "dest", "secret")
			require.NoFileExists(t, filepath.Join(dir, "dest", "planted"))
		})
	}
}

func requireOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	require.Equal(t, names, got)
}

func FuzzUnpack(f *testing.F) {
	f.Add(archive(f, tar.Header{Typeflag: tar.TypeReg, Name: "a/b", Mode: 0o644}))
	f.Add(archive(f, tar.Header{Typeflag: tar.TypeSymlink, Name: "l", Linkname: ".."}, tar.Header{Typeflag: tar.TypeReg, Name: "l/x"}))
	f.Add(archive(f, tar.Header{Typeflag: tar.TypeReg, Name: "../x"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		_ = unpack(filepath.Join(dir, "dest"), io.LimitReader(bytes.NewReader(data), 1<<20))
		requireOnly(t, dir, "dest")
	})
}

// TestPutFileReplaces: anything in a file's place is removed, a full
// directory too.
func TestPutFileReplaces(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "f", "full"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kept"), []byte("kept"), 0o644))
	require.NoError(t, os.Symlink("kept", filepath.Join(dir, "l")))
	for _, name := range []string{"f", "l"} {
		require.NoError(t, putFile(fileHeader{Path: filepath.Join(dir, name), Mode: 0o640}, bytes.NewReader([]byte("new"))))
		info, err := os.Lstat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o640), info.Mode())
	}
	data, err := os.ReadFile(filepath.Join(dir, "kept"))
	require.NoError(t, err)
	require.Equal(t, "kept", string(data))
}
