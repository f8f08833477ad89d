//go:build linux

package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// putIn removes what is to go and receives files and archives until the
// driver says that all is there.
func (c *child) putIn() error {
	for _, p := range c.spec.Remove {
		if err := os.RemoveAll(p); err != nil && !errors.Is(err, unix.ENOTDIR) {
			return fmt.Errorf("removing %s: %w", p, err)
		}
	}
	for {
		kind, data, err := c.receiveNext()
		if err != nil {
			return err
		}
		content := &stream{wire: c.wire}
		switch kind {
		case frameGo:
			return nil
		case frameFile:
			var h fileHeader
			if err := decode(data, &h); err != nil {
				return err
			}
			if err := putFile(h, content); err != nil {
				return fmt.Errorf("putting %s in: %w", h.Path, err)
			}
		case frameArchive:
			if err := unpack(string(data), content); err != nil {
				return fmt.Errorf("unpacking into %s: %w", data, err)
			}
		default:
			return fmt.Errorf("frame %q before the start", kind)
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
	}
}

// putFile makes a file or link again, with the present time. Anything at its
// path is removed, also a directory; links on the way to it are followed
// within the job's root.
func putFile(h fileHeader, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(h.Path); err != nil {
		return err
	}
	if h.Link != "" {
		return os.Symlink(h.Link, h.Path)
	}
	f, err := os.OpenFile(h.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(f, content); err == nil {
		err = unix.Fchmod(int(f.Fd()), h.Mode)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
