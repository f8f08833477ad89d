package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"

	"assay/harness"
)

// archiveTree reaches a container's files by the engine's archive calls. It
// works with every engine; each call costs Docker a process of its own.
type archiveTree struct {
	engine *engine
	id     string
	now    func() time.Time
}

// put sends one archive. The engine unpacks it within the container's root,
// makes parents, and replaces what is at an entry's place without following
// it; only what is removed and not replaced is left to do.
func (t archiveTree) put(ctx context.Context, remove []string, files []harness.File, own ownFiles) error {
	content, err := pack(remove, files, own, t.now())
	if err != nil {
		return broken("putting files into a container", err)
	}
	err = t.engine.CopyToContainer(ctx, t.id, "/", content, container.CopyToContainerOptions{AllowOverwriteDirWithFile: true})
	return infra(ctx, "putting files into a container", err)
}

// pack makes the archive, all of whose entries have one time. Where files go
// below a removed path, a dangling link in its place (which the engine lets
// replace a whole tree) and then an empty directory are before them. Where
// nothing is started, a dangling link stays in the place of what was removed.
func pack(remove []string, files []harness.File, own ownFiles, at time.Time) (io.Reader, error) {
	var buf bytes.Buffer
	w := packer{tar.NewWriter(&buf), at}
	var left []string
	for _, r := range remove {
		r = clean(r)
		c := covering(r, files)
		if c == apart && own != nil {
			left = append(left, r)
			continue
		}
		if err := w.hollow(r, c == below); err != nil {
			return nil, err
		}
	}
	for _, f := range append(slices.Clip(files), own.files(left)...) {
		if err := w.file(f); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing files: %w", err)
	}
	return &buf, nil
}

// goneLink is the target of the links that replace removed files.
const goneLink = ownDir + "/gone"

type cover int

const (
	apart cover = iota // no file at or below the path
	same               // a file takes the path's place
	below
)

func covering(dir string, files []harness.File) cover {
	found := apart
	for _, f := range files {
		switch name := clean(f.Path); {
		case name == dir:
			found = max(found, same)
		case within(name, dir):
			return below
		}
	}
	return found
}

// packer writes entries of one time. It is exact: in whole seconds, all that
// the plain format has, a file could be older than what was made just before.
type packer struct {
	*tar.Writer
	at time.Time
}

func (w packer) WriteHeader(h *tar.Header) error {
	h.ModTime, h.Format = w.at, tar.FormatPAX
	return w.Writer.WriteHeader(h)
}

// hollow writes entries that leave nothing but a dangling link, or an empty
// directory, at a path.
func (w packer) hollow(name string, directory bool) error {
	entries := []*tar.Header{{Typeflag: tar.TypeSymlink, Name: name, Linkname: goneLink, Mode: 0o777}}
	if directory {
		entries = append(entries, &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755})
	}
	for _, h := range entries {
		if err := w.WriteHeader(h); err != nil {
			return fmt.Errorf("packing %s: %w", name, err)
		}
	}
	return nil
}

func (w packer) file(f harness.File) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: clean(f.Path), Mode: int64(modeOf(f)), Size: int64(len(f.Data))}
	if f.Link != "" {
		h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, f.Link, 0
	}
	if err := w.WriteHeader(h); err != nil || f.Link != "" {
		return err
	}
	_, err := w.Write(f.Data)
	return err
}

func modeOf(f harness.File) uint32 {
	if f.Mode == 0 {
		return uint32(harness.FileMode)
	}
	return uint32(f.Mode.Perm())
}

// collect fetches the subtrees that can hold matches, one by one.
func (t archiveTree) collect(ctx context.Context, globs []string, limit int64) (map[string][]byte, bool, error) {
	b := newBasket(globs, limit)
	for _, root := range roots(globs) {
		links, more, err := t.fetch(ctx, root, b)
		if err != nil || more {
			return b.files, more, err
		}
		// The second name of a file comes as a reference to the first.
		for _, name := range links {
			if _, more, err = t.fetch(ctx, name, b); err != nil || more {
				return b.files, more, err
			}
		}
	}
	return b.files, false, nil
}

// roots are the directories to walk, none within another, sorted.
func roots(globs []string) []string {
	var all []string
	for _, g := range globs {
		all = append(all, harness.GlobRoot(g))
	}
	slices.Sort(all)
	var out []string
	for _, r := range all {
		if !slices.ContainsFunc(out, func(o string) bool { return within(r, o) }) {
			out = append(out, r)
		}
	}
	return out
}

// fetch reads one subtree. It returns the matching names that are further
// names of a file.
func (t archiveTree) fetch(ctx context.Context, root string, b *basket) (links []string, more bool, err error) {
	stream, _, err := t.engine.CopyFromContainer(ctx, t.id, root)
	if cerrdefs.IsNotFound(err) || isNoDirectory(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, infra(ctx, "collecting "+root, err)
	}
	defer stream.Close()
	links, more, err = unpack(stream, root, b)
	return links, more, infra(ctx, "collecting "+root, err)
}

// isNoDirectory recognises the error of a path that goes through a file.
func isNoDirectory(err error) bool {
	return err != nil && strings.Contains(err.Error(), "not a directory")
}

// unpack takes what is wanted from an archive whose names start with the
// last element of root.
func unpack(stream io.Reader, root string, b *basket) (links []string, more bool, err error) {
	r := tar.NewReader(stream)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return links, false, nil
		}
		if err != nil {
			return links, false, err
		}
		name := nameIn(root, h.Name)
		if !b.wants(name) {
			continue
		}
		switch {
		case h.Typeflag == tar.TypeLink && name != root:
			links = append(links, name)
		case h.Typeflag != tar.TypeReg:
		case !b.fits(h.Size):
			return links, true, nil
		default:
			data, err := io.ReadAll(r)
			if err != nil {
				return links, false, err
			}
			b.add(name, data)
		}
	}
}

// nameIn turns an archive's name into a path of the container.
func nameIn(root, name string) string {
	if root == "/" {
		return clean(name)
	}
	return clean(path.Dir(root) + "/" + name)
}
