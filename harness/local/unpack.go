//go:build linux

package local

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// unpack extracts a tar stream into dest. Entries never leave dest, neither
// by their names nor through links, whether these came with the archive or
// were there before; all is owned by the job's root.
func unpack(dest string, r io.Reader) error {
	if err := os.MkdirAll(dest, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dest)
	if err != nil {
		return err
	}
	defer root.Close()
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the archive: %w", err)
		}
		if err := unpackEntry(root, h, in); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

func unpackEntry(root *os.Root, h *tar.Header, content io.Reader) error {
	name := path.Clean(strings.TrimLeft(h.Name, "/"))
	if h.Typeflag == tar.TypeXGlobalHeader || name == "." {
		return nil
	}
	if !filepath.IsLocal(name) {
		return errors.New("leaves the directory")
	}
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	mode := fs.FileMode(h.Mode).Perm()
	if h.Typeflag == tar.TypeDir {
		if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return root.Chmod(name, mode|0o700)
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch h.Typeflag {
	case tar.TypeReg:
		return unpackFile(root, name, h, mode, content)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeLink:
		target := path.Clean(strings.TrimLeft(h.Linkname, "/"))
		if !filepath.IsLocal(target) {
			return errors.New("link leaves the directory")
		}
		return root.Link(target, name)
	}
	return fmt.Errorf("entries of type %q are not unpacked", h.Typeflag)
}

func unpackFile(root *os.Root, name string, h *tar.Header, mode fs.FileMode, content io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(f, content); err == nil {
		err = f.Chmod(mode)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && !h.ModTime.IsZero() {
		err = root.Chtimes(name, h.ModTime, h.ModTime)
	}
	return err
}
