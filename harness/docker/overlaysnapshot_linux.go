package docker

import (
	"context"

	"assay/harness"
	"assay/harness/snapshot"
)

func (t overlayTree) snapshot(ctx context.Context, q harness.TreeQuery) ([]harness.Entry, bool, error) {
	root, err := t.layers.mount(t.point, false)
	if err != nil {
		return t.fallback.snapshot(ctx, q)
	}
	defer root.Close()
	entries, cut, err := snapshot.Read(ctx, root.File, q)
	if err != nil && ctx.Err() == nil {
		err = infraFile("reading the tree of "+q.Dir, err)
	}
	return entries, cut, err
}
