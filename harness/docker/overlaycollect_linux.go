package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// errFull stops a walk when the limit is reached.
var errFull = errors.New("limit of collected bytes reached")

func (t overlayTree) collect(ctx context.Context, globs []string, limit int64) (map[string][]byte, bool, error) {
	root, err := t.layers.mount(t.point, false)
	if err != nil {
		return t.fallback.collect(ctx, globs, limit)
	}
	defer root.Close()
	b := newBasket(globs, limit)
	for _, start := range roots(globs) {
		err := root.walk(ctx, start, b)
		switch {
		case errors.Is(err, errFull):
			return b.files, true, nil
		case ctx.Err() != nil:
			return nil, false, fmt.Errorf("collecting %s: %w", start, ctx.Err())
		case err != nil:
			return nil, false, infraFile("collecting "+start, err)
		}
	}
	return b.files, false, nil
}

// walk collects below a path, or the path itself.
func (m mounted) walk(ctx context.Context, start string, b *basket) error {
	fd, err := m.dir(start)
	if err == nil {
		dir, err := rootOf(fd)
		if err != nil {
			return err
		}
		defer dir.Close()
		return walkDir(ctx, dir, start, b)
	}
	if !errors.Is(err, unix.ENOTDIR) {
		return absent(err)
	}
	fd, err = m.dir(path.Dir(start))
	if err != nil {
		return absent(err)
	}
	parent, err := rootOf(fd)
	if err != nil {
		return err
	}
	defer parent.Close()
	return take(parent, path.Base(start), start, b)
}

// absent forgives a path that does not exist or leads nowhere.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	return err
}

func walkDir(ctx context.Context, dir *os.Root, start string, b *basket) error {
	return fs.WalkDir(dir.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name := path.Join(start, p)
		if e.IsDir() {
			if p != "." && !promising(b.globs, name) {
				return fs.SkipDir
			}
			return nil
		}
		return take(dir, p, name, b)
	})
}

// promising reports whether a directory can hold a match: one of the globs
// has an element "**" early enough, or as many elements that match.
func promising(globs []string, dir string) bool {
	depth := strings.Count(dir, "/")
	return slices.ContainsFunc(globs, func(g string) bool {
		elems := strings.FieldsFunc(g, func(r rune) bool { return r == '/' })
		head := elems[:min(depth, len(elems))]
		if i := slices.Index(head, "**"); i >= 0 {
			return harness.MatchGlob("/"+strings.Join(elems[:i+1], "/"), dir)
		}
		return len(elems) > depth && harness.MatchGlob("/"+strings.Join(head, "/"), dir)
	})
}

// take reads one file if it is wanted and regular. Nothing runs in the
// container any more, so what was looked at is what is opened.
func take(dir *os.Root, p, name string, b *basket) error {
	if !b.wants(name) {
		return nil
	}
	info, err := dir.Lstat(p)
	if err != nil || !info.Mode().IsRegular() {
		return absent(err)
	}
	if !b.fits(info.Size()) {
		return errFull
	}
	file, err := dir.Open(p)
	if err != nil {
		return err
	}
	defer file.Close()
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(file, data); err != nil {
		return err
	}
	b.add(name, data)
	return nil
}
