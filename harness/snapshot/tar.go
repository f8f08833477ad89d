package snapshot

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"assay/harness"
)

// Fetch returns a tar stream of one file of a tree, whose path is relative to
// it.
type Fetch func(path string) (io.ReadCloser, error)

// Tar reads a tree from a tar stream whose names start with the last element
// of the query's directory. It stops where a bound is reached. Of a file with
// several names the stream has the content at the first; where the query skips
// that one, the file is fetched by another. Errors are those of the streams.
func Tar(stream io.Reader, q harness.TreeQuery, fetch Fetch) (entries []harness.Entry, cut bool, err error) {
	return readTar(stream, q, boundsOf(q), fetch)
}

// Bounds of what tar streams cost more than a file system.
const (
	maxStream  = 4 << 30 // bytes read in all, also of files that are left out
	maxFetched = 100     // files that are fetched one by one
)

func readTar(stream io.Reader, q harness.TreeQuery, b *bounds, fetch Fetch) ([]harness.Entry, bool, error) {
	t := &tarReader{query: q, bounds: b, fetch: fetch, hidden: map[string]bool{}, index: map[string]int{}}
	r := tar.NewReader(stream)
	for first := true; !t.cut; first = false {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, fmt.Errorf("reading the tree of %s: %w", q.Dir, err)
		}
		if first && h.Typeflag != tar.TypeDir {
			return nil, false, nil // a link, or a file
		}
		if first {
			continue
		}
		if err := t.take(h, r); err != nil {
			return nil, false, fmt.Errorf("reading %q in %s: %w", h.Name, q.Dir, err)
		}
	}
	Sort(t.entries)
	return t.entries, t.cut, nil
}

type tarReader struct {
	query    harness.TreeQuery
	bounds   *bounds
	fetch    Fetch
	fetched  int
	streamed int64
	cut      bool
	entries  []harness.Entry
	hidden   map[string]bool // directories that are not entered
	index    map[string]int  // of regular files in entries
}

// name makes a path relative to the tree of one in the stream.
func (t *tarReader) name(in string) string {
	in = path.Clean("/" + in)[1:]
	if path.Clean(t.query.Dir) == "/" {
		return in
	}
	_, rel, _ := strings.Cut(in, "/")
	return rel
}

func (t *tarReader) take(h *tar.Header, r io.Reader) error {
	rel := t.name(h.Name)
	if t.streamed += h.Size; t.streamed > maxStream {
		t.cut = true
		return nil
	}
	if t.hidden[path.Dir(rel)] || skipped(t.query, rel) {
		if h.Typeflag == tar.TypeDir {
			t.hidden[rel] = true
		}
		return nil
	}
	e := harness.Entry{Path: rel, Mode: typed(h.FileInfo().Mode())}
	switch h.Typeflag {
	case tar.TypeSymlink:
		e.Link = h.Linkname
	case tar.TypeReg:
		e.Size = h.Size
		return t.file(e, r)
	case tar.TypeLink:
		return t.again(e, t.name(h.Linkname))
	}
	t.list(e)
	return nil
}

func (t *tarReader) list(e harness.Entry) {
	if !t.bounds.list(e) {
		t.cut = true
		return
	}
	if e.Mode.IsRegular() {
		t.index[e.Path] = len(t.entries)
	}
	t.entries = append(t.entries, e)
}

// file reads a regular file once; what is not to be returned is forgotten.
func (t *tarReader) file(e harness.Entry, r io.Reader) error {
	if !t.bounds.open(e.Size) {
		e.Omitted = true
		t.list(e)
		return nil
	}
	var kept bytes.Buffer
	to := io.Discard
	if e.Size <= t.bounds.content {
		to = &kept
	}
	var err error
	if e.SHA256, err = hash(io.TeeReader(r, to), e.Size); err != nil {
		return err
	}
	if t.query.Known[e.Path] != e.SHA256 {
		if e.Omitted = !t.bounds.give(e.Size); !e.Omitted {
			e.Data = kept.Bytes()
		}
	}
	t.list(e)
	return nil
}

// again handles a further name of a file.
func (t *tarReader) again(e harness.Entry, first string) error {
	e.Mode &= fs.ModePerm
	i, have := t.index[first]
	if !have {
		return t.fetchFile(e)
	}
	same := t.entries[i]
	known := same.SHA256 != "" && t.query.Known[e.Path] == same.SHA256
	if !known && !same.Omitted && int64(len(same.Data)) < same.Size {
		return t.fetchFile(e) // the first name's content was known, this one's is not
	}
	e.Size, e.SHA256, e.Omitted = same.Size, same.SHA256, same.Omitted && !known
	if !known && !e.Omitted {
		if e.Omitted = !t.bounds.give(e.Size); !e.Omitted {
			e.Data = same.Data
		}
	}
	t.list(e)
	return nil
}

func (t *tarReader) fetchFile(e harness.Entry) error {
	if t.fetched++; t.fetched > maxFetched {
		e.Omitted = true
		t.list(e)
		return nil
	}
	stream, err := t.fetch(e.Path)
	if err != nil {
		return err
	}
	defer stream.Close()
	r := tar.NewReader(stream)
	h, err := r.Next()
	if err != nil {
		return err
	}
	if h.Typeflag != tar.TypeReg {
		return fmt.Errorf("a file with several names came as %q", h.Typeflag)
	}
	e.Size = h.Size
	return t.file(e, r)
}
