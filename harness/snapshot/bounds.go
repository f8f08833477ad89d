package snapshot

import (
	"io/fs"
	"slices"
	"strings"

	"assay/harness"
)

// bounds are what a tree may cost. A field is what is left of it.
type bounds struct {
	entries int
	names   int   // bytes of paths and links
	read    int64 // bytes read to hash them
	content int64 // bytes returned
	file    int64 // size of the largest file that is read
}

// pathBytes is the longest path that is opened. A directory with a longer path is
// listed, and its content is not.
const pathBytes = 4095

func boundsOf(q harness.TreeQuery) *bounds {
	limit := q.Limit
	if limit == 0 {
		limit = harness.TreeLimit
	}
	return &bounds{entries: 400_000, names: 64 << 20, read: 4 << 30, content: limit, file: limit}
}

// list takes the room of one more entry; false means that there is none.
func (b *bounds) list(e harness.Entry) bool {
	b.entries--
	b.names -= len(e.Path) + len(e.Link)
	return b.entries >= 0 && b.names >= 0
}

// open takes the room for reading a file of this size.
func (b *bounds) open(size int64) bool {
	if size > b.file || size > b.read {
		return false
	}
	b.read -= size
	return true
}

// give takes the room for returning content of this size.
func (b *bounds) give(size int64) bool {
	if size > b.content {
		return false
	}
	b.content -= size
	return true
}

// skipped reports whether a relative path is not to be listed.
func skipped(q harness.TreeQuery, path string) bool {
	return slices.ContainsFunc(q.Skip, func(glob string) bool { return harness.MatchGlob(glob, path) })
}

// Sort puts entries in the order that harness.Result.Tree has.
func Sort(entries []harness.Entry) {
	slices.SortFunc(entries, func(a, b harness.Entry) int { return strings.Compare(a.Path, b.Path) })
}

// typed is what is kept of a mode.
func typed(m fs.FileMode) fs.FileMode { return m & (fs.ModeType | fs.ModePerm) }
