package snapshot

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

type member struct {
	kind    byte
	name    string
	content string // or where a link points to
}

func stream(t testing.TB, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, m := range members {
		h := &tar.Header{Typeflag: m.kind, Name: m.name, Mode: 0o644}
		if m.kind == tar.TypeReg {
			h.Size = int64(len(m.content))
		} else {
			h.Linkname = m.content
		}
		require.NoError(t, w.WriteHeader(h))
		if m.kind == tar.TypeReg {
			_, err := w.Write([]byte(m.content))
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	return buf.Bytes()
}

func noFetch(path string) (io.ReadCloser, error) { return nil, errors.New("fetched " + path) }

func sample(t testing.TB) []byte {
	return stream(t,
		member{tar.TypeDir, "w/", ""},
		member{tar.TypeReg, "w/.git/x", "1"},
		member{tar.TypeDir, "w/skip/", ""},
		member{tar.TypeReg, "w/skip/a", "hidden"},
		member{tar.TypeReg, "w/z", "last"},
		member{tar.TypeReg, "w/a", "first"},
		member{tar.TypeLink, "w/b", "w/a"},
		member{tar.TypeLink, "w/c", "w/skip/a"},
		member{tar.TypeSymlink, "w/l", "/etc/passwd"},
		member{tar.TypeFifo, "w/p", ""},
	)
}

func TestTar(t *testing.T) {
	fetch := func(path string) (io.ReadCloser, error) {
		require.Equal(t, "c", path)
		return io.NopCloser(bytes.NewReader(stream(t, member{tar.TypeReg, "c", "hidden"}))), nil
	}
	first, err := hash(strings.NewReader("first"), 5)
	require.NoError(t, err)
	q := harness.TreeQuery{Dir: "/x/w", Skip: []string{"skip", ".git/**"}, Known: map[string]string{"b": first}}
	entries, cut, err := Tar(bytes.NewReader(sample(t)), q, fetch)
	require.NoError(t, err)
	require.False(t, cut)
	require.Equal(t, []string{"a", "b", "c", "l", "p", "z"}, paths(entries))
	require.Equal(t, harness.Entry{Path: "a", Mode: 0o644, Size: 5, SHA256: first, Data: []byte("first")}, entries[0])
	require.Equal(t, harness.Entry{Path: "b", Mode: 0o644, Size: 5, SHA256: first}, entries[1])
	require.Equal(t, "hidden", string(entries[2].Data))
	require.Equal(t, "/etc/passwd", entries[3].Link)
	require.Equal(t, fs.ModeNamedPipe, entries[4].Mode.Type())
}

func TestTarOfNoDirectory(t *testing.T) {
	for _, m := range []member{{tar.TypeSymlink, "w", "/etc"}, {tar.TypeReg, "w", "x"}} {
		entries, cut, err := Tar(bytes.NewReader(stream(t, m)), harness.TreeQuery{Dir: "/w"}, noFetch)
		require.NoError(t, err)
		require.False(t, cut)
		require.Empty(t, entries)
	}
}

func TestTarBounds(t *testing.T) {
	q := harness.TreeQuery{Dir: "/w", Limit: 5}
	entries, cut, err := Tar(bytes.NewReader(sample(t)), q, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(stream(t, member{tar.TypeReg, "c", "hidden"}))), nil
	})
	require.NoError(t, err)
	require.False(t, cut)
	total := 0
	for _, e := range entries {
		total += len(e.Data)
		require.True(t, !e.Mode.IsRegular() || e.Omitted || int64(len(e.Data)) == e.Size, e.Path)
	}
	require.LessOrEqual(t, total, 5)

	few := boundsOf(q)
	few.entries = 3
	entries, cut, err = readTar(bytes.NewReader(sample(t)), q, few, noFetch)
	require.NoError(t, err)
	require.True(t, cut)
	require.Len(t, entries, 3)
}

func TestTarBroken(t *testing.T) {
	data := sample(t)
	_, _, err := Tar(bytes.NewReader(data[:700]), harness.TreeQuery{Dir: "/w"}, noFetch)
	require.ErrorContains(t, err, "/w")
}

// FuzzTar: for any stream, the entries keep the bounds, are sorted, and stay
// below the directory.
func FuzzTar(f *testing.F) {
	f.Add(sample(f))
	f.Add(stream(f, member{tar.TypeDir, "../w", ""}, member{tar.TypeReg, "w/../../x", "1"}, member{tar.TypeLink, "w/y", "../../z"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _, err := Tar(bytes.NewReader(data), harness.TreeQuery{Dir: "/w", Limit: 1000}, noFetch)
		if err != nil {
			return
		}
		total := 0
		for i, e := range entries {
			total += len(e.Data)
			require.NotContains(t, strings.Split(e.Path, "/"), "..")
			require.False(t, i > 0 && entries[i-1].Path > e.Path)
		}
		require.LessOrEqual(t, total, 1000)
	})
}
