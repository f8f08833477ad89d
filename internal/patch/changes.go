package patch

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Method describes how a patch found its place. A higher one is less certain.
type Method int

// The methods. Differences in line ends alone do not count: the file's are kept.
const (
	Strict Method = iota // at the very lines that it names
	Offset               // the same content, at other lines
	Fuzz                 // with up to two lines of context dropped at either end
)

func (m Method) String() string {
	switch m {
	case Strict:
		return "strict"
	case Offset:
		return "offset"
	case Fuzz:
		return "fuzz"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Changes is the outcome of a patch on a tree: entries to write, and paths to
// remove, sorted; no path is in both. Entries that stay as they are, are left
// out. PerFile has every file of the patch by File.Path, and Method the worst
// of them.
type Changes struct {
	Write   map[string]Entry
	Remove  []string
	Method  Method
	PerFile map[string]Method

	created map[string]bool // paths of Write that the tree did not have
}

// Over is the tree with the changes on top.
func (c *Changes) Over(tree Tree) Tree {
	removed := make(map[string]bool, len(c.Remove))
	for _, path := range c.Remove {
		removed[path] = true
	}
	return &overlay{base: tree, write: c.Write, removed: removed}
}

type overlay struct {
	base    Tree
	write   map[string]Entry
	removed map[string]bool
}

func (o *overlay) Read(path string) (Entry, error) {
	if entry, ok := o.write[path]; ok {
		return entry, nil
	}
	if o.removed[path] {
		return Entry{}, fmt.Errorf("reading %s: removed by a patch: %w", path, fs.ErrNotExist)
	}
	return o.base.Read(path)
}

// Merge combines the changes a with the changes b, made on top of a, into one
// set against the tree that a was made for. Either may be nil.
func Merge(a, b *Changes) *Changes {
	out := &Changes{
		Write:   make(map[string]Entry),
		PerFile: make(map[string]Method),
		created: make(map[string]bool),
	}
	removed := make(map[string]bool)
	for _, c := range []*Changes{a, b} {
		if c != nil {
			out.absorb(c, removed)
		}
	}
	out.Remove = slices.Sorted(maps.Keys(removed))
	return out
}

// absorb applies c on top. removed holds the paths that the original tree has
// and the result has not.
func (out *Changes) absorb(c *Changes, removed map[string]bool) {
	for path, entry := range c.Write {
		if c.created[path] && !removed[path] {
			out.created[path] = true
		}
		delete(removed, path)
		out.Write[path] = entry
	}
	for _, path := range c.Remove {
		delete(out.Write, path)
		if !out.created[path] {
			removed[path] = true
		}
		delete(out.created, path)
	}
	for path, method := range c.PerFile {
		out.PerFile[path] = max(out.PerFile[path], method)
	}
	out.Method = max(out.Method, c.Method)
}
