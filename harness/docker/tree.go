package docker

import (
	"context"
	"path"

	"assay/harness"
)

// tree is the file system of a container that is not running.
type tree interface {
	// put removes paths and then puts files in, which get the present time.
	// own, which may be nil, adds assay's own files; it gets the paths that
	// the first process in the container has to remove, as put cannot.
	put(ctx context.Context, remove []string, files []harness.File, own ownFiles) error
	// collect returns the regular files that match one of the globs, of
	// limit bytes together at most, and whether there were more.
	collect(ctx context.Context, globs []string, limit int64) (files map[string][]byte, more bool, err error)
	// snapshot returns the entries of a directory, as Result.Tree and
	// TreeCut have them.
	snapshot(ctx context.Context, q harness.TreeQuery) (entries []harness.Entry, cut bool, err error)
}

// ownFiles makes files that depend on what is left to remove.
type ownFiles func(left []string) []harness.File

func (o ownFiles) files(left []string) []harness.File {
	if o == nil {
		return nil
	}
	return o(left)
}

// clean makes a path absolute and free of dots.
func clean(p string) string { return path.Clean("/" + p) }

// basket takes collected files up to a limit.
type basket struct {
	globs []string
	room  int64
	files map[string][]byte
}

func newBasket(globs []string, limit int64) *basket {
	return &basket{globs: globs, room: limit, files: map[string][]byte{}}
}

// wants reports whether a file is to be collected and was not yet.
func (b *basket) wants(name string) bool {
	if _, have := b.files[name]; have || within(name, ownDir) {
		return false
	}
	for _, g := range b.globs {
		if harness.MatchGlob(g, name) {
			return true
		}
	}
	return false
}

// fits reports whether a file of this size has room.
func (b *basket) fits(size int64) bool { return size <= b.room }

func (b *basket) add(name string, data []byte) {
	b.files[name] = data
	b.room -= int64(len(data))
}

// within reports whether a clean path is a directory or something below it.
func within(name, dir string) bool {
	return name == dir || dir == "/" || (len(name) > len(dir) && name[:len(dir)] == dir && name[len(dir)] == '/')
}
