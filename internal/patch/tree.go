package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Entry is a file or symbolic link. Mode is ModeFile, ModeExecutable or
// ModeSymlink; the Data of a link is its target. Data is not to be changed.
type Entry struct {
	Data []byte
	Mode uint32
}

// Tree is what patches apply to. Read gives the entry at a slash-separated path
// and does not follow a symbolic link there. Where there is none, or a
// directory, the error wraps fs.ErrNotExist; any other error ends Apply.
type Tree interface {
	Read(path string) (Entry, error)
}

// MapTree is a tree in memory. It reads the map, which must not change while
// the tree is in use.
func MapTree(entries map[string]Entry) Tree { return mapTree(entries) }

type mapTree map[string]Entry

func (t mapTree) Read(path string) (Entry, error) {
	entry, ok := t[path]
	if !ok {
		return Entry{}, fmt.Errorf("reading %s: %w", path, fs.ErrNotExist)
	}
	return entry, nil
}

// lookup reads an entry and distinguishes absence from failure. Reading a
// directory of a file system is absence, too.
func lookup(tree Tree, path string) (entry Entry, ok bool, err error) {
	entry, err = tree.Read(path)
	switch {
	case err == nil:
		if entry.Mode == 0 {
			entry.Mode = ModeFile
		}
		return entry, true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EISDIR):
		return Entry{}, false, nil
	}
	return Entry{}, false, fmt.Errorf("reading %s to patch it: %w", path, err)
}
