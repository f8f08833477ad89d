//go:build linux

package local

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// share replaces files of a finished layer with hard links to those of another
// layer with the same path, content, rights and time: instances of one
// repository differ in a few files. Files at different paths never share, since
// a job would see one file with two names, which cp, for one, refuses to copy to
// each other. No job writes to a layer's own files; overlayfs copies them first.
// That gives a file with several names another inode, which git mistakes for an
// attack when it clones a repository by links: repositories' own files never
// share, except the objects in a folder of their own (apartInGit). Files that
// cannot be shared stay as they are.
func (d *Driver) share(dir string) error {
	store := d.storeDir()
	if err := os.MkdirAll(store, 0o700); err != nil {
		return fmt.Errorf("sharing files: %w", err)
	}
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Base(filepath.Dir(path)) == ".git" && e.Name() != apartInGit {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		if size, err := unix.Llistxattr(path, nil); st.Nlink != 1 || st.Size == 0 || size > 0 || err != nil {
			return nil
		}
		name, err := sharedName(dir, path, st)
		if errors.Is(err, fs.ErrPermission) {
			return nil // a user's own driver may not read what its set-up made
		}
		if err != nil {
			return err
		}
		return shareFile(path, filepath.Join(store, name[:2], name))
	})
}

// apartInGit is the folder of a repository whose objects no clone links
// (internal/mirror).
const apartInGit = "shared"

// stamp is the variable harness.StampVariable: the time when the layer below
// was whole. All of its files are older, and layers over the same one share it.
func (d *Driver) stamp(parent string) ([]string, error) {
	if parent == "" {
		return nil, nil
	}
	meta, err := d.readMeta(parent)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("%s=%d.%09d", harness.StampVariable, meta.Created.Unix(), meta.Created.Nanosecond())}, nil
}

func (d *Driver) storeDir() string { return filepath.Join(d.dir, "shared") }

// sharedName is made of all that must be the same in two layers' files.
func sharedName(dir, path string, st unix.Stat_t) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	fmt.Fprintf(h, "\x00%s\x00%o %d %d", strings.TrimPrefix(path, dir), st.Mode, st.Uid, st.Gid)
	if !timeless(path) {
		fmt.Fprintf(h, " %d.%d", st.Mtim.Sec, st.Mtim.Nsec)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// timeless recognises files whose time is never used: Maven's are as old as
// their download, and Python's bytecode holds its source's time.
func timeless(path string) bool {
	return strings.Contains(path, "/.m2/repository/") || strings.HasSuffix(path, ".pyc")
}

// shareFile puts the stored file in the place of a layer's, or stores that one.
func shareFile(path, stored string) error {
	switch err := os.Link(path, stored); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(stored), 0o700); err != nil {
			return err
		}
		return unlessFull(os.Link(path, stored))
	case !errors.Is(err, fs.ErrExist):
		return unlessFull(err)
	}
	next := path + ".assay-shared"
	if err := os.Link(stored, next); err != nil {
		return unlessFull(err)
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return nil
}

// unlessFull skips what only means that a file is not shared: it has as many
// names as a file can have, was stored or swept meanwhile, or the file system
// has no links.
func unlessFull(err error) error {
	for _, e := range []error{syscall.EMLINK, syscall.EEXIST, syscall.ENOENT, syscall.EPERM, syscall.ENOTSUP, syscall.EXDEV} {
		if errors.Is(err, e) {
			return nil
		}
	}
	return err
}

// SweepShared removes stored files that no layer has any more. It looks at all
// of them: it is for the end of removing layers.
func (d *Driver) SweepShared() error {
	err := filepath.WalkDir(d.storeDir(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		var st unix.Stat_t
		if unix.Lstat(path, &st) == nil && st.Nlink == 1 {
			return os.Remove(path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
