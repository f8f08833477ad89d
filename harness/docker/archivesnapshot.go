package docker

import (
	"context"
	"io"
	"os"
	"path"

	cerrdefs "github.com/containerd/errdefs"

	"assay/harness"
	"assay/harness/snapshot"
)

// snapshot reads the engine's archive of the directory. The engine would
// follow links on the way to it.
func (t archiveTree) snapshot(ctx context.Context, q harness.TreeQuery) ([]harness.Entry, bool, error) {
	dir := clean(q.Dir)
	direct, err := t.direct(ctx, dir)
	if err != nil || !direct {
		return nil, false, infra(ctx, "reading the tree of "+dir, err)
	}
	fetch := func(name string) (io.ReadCloser, error) {
		stream, _, err := t.engine.CopyFromContainer(ctx, t.id, path.Join(dir, name))
		return stream, err
	}
	stream, _, err := t.engine.CopyFromContainer(ctx, t.id, dir)
	if err != nil {
		return nil, false, infra(ctx, "reading the tree of "+dir, err)
	}
	defer stream.Close()
	entries, cut, err := snapshot.Tar(stream, q, fetch)
	return withoutHollows(entries), cut, infra(ctx, "reading the tree of "+dir, err)
}

// direct reports whether a path is a directory that no link leads to.
func (t archiveTree) direct(ctx context.Context, dir string) (bool, error) {
	for ; dir != "/"; dir = path.Dir(dir) {
		stat, err := t.engine.ContainerStatPath(ctx, t.id, dir)
		if cerrdefs.IsNotFound(err) || isNoDirectory(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if stat.Mode&os.ModeSymlink != 0 || !stat.Mode.IsDir() {
			return false, nil
		}
	}
	return true, nil
}

// withoutHollows drops what put leaves in the place of what it removed where
// nothing was started.
func withoutHollows(entries []harness.Entry) []harness.Entry {
	var out []harness.Entry
	for _, e := range entries {
		if e.Link != goneLink {
			out = append(out, e)
		}
	}
	return out
}
