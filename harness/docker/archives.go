package docker

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/docker/docker/api/types/container"

	"assay/harness"
)

// unpack unpacks an archive of a recipe into the container.
func (b *box) unpack(ctx context.Context, a harness.Archive) error {
	source, err := a.Open()
	if err != nil {
		return infra(ctx, "opening the archive for "+a.Dest, err)
	}
	defer source.Close()
	moved, in := io.Pipe()
	relocated := make(chan error, 1)
	go func() {
		err := relocate(in, source, a.Dest)
		in.CloseWithError(err)
		relocated <- err
	}()
	err = b.d.engine.CopyToContainer(ctx, b.id, "/", moved, container.CopyToContainerOptions{AllowOverwriteDirWithFile: true})
	moved.CloseWithError(errStopped)
	if broken := <-relocated; broken != nil && !errors.Is(broken, errStopped) {
		err = broken
	}
	return infra(ctx, "unpacking the archive for "+a.Dest, err)
}

// errStopped ends a copy whose reader has gone.
var errStopped = errors.New("no longer read")

// relocate copies a tar stream so that it unpacks below dest. The engine
// cannot make dest, and unpacking there would follow names that lead out of
// it.
func relocate(to io.Writer, from io.Reader, dest string) error {
	r, w := tar.NewReader(from), tar.NewWriter(to)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return w.Close()
		}
		if err != nil {
			return fmt.Errorf("reading an archive: %w", err)
		}
		if err := w.WriteHeader(moveBelow(*h, dest)); err != nil {
			return fmt.Errorf("copying %s: %w", h.Name, err)
		}
		if _, err := io.Copy(w, r); err != nil {
			return fmt.Errorf("copying %s: %w", h.Name, err)
		}
	}
}

func moveBelow(h tar.Header, dest string) *tar.Header {
	dir := h.Typeflag == tar.TypeDir || strings.HasSuffix(h.Name, "/")
	h.Name = clean(dest) + clean(h.Name)
	if dir {
		h.Name = clean(h.Name) + "/"
	}
	h.Name = strings.TrimPrefix(strings.ReplaceAll(h.Name, "//", "/"), "/")
	if h.Typeflag == tar.TypeLink {
		h.Linkname = strings.TrimPrefix(clean(clean(dest)+clean(h.Linkname)), "/")
	}
	h.Format = tar.FormatUnknown // the new name may need another one
	return &h
}
