//go:build linux

package local

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// lend mounts the host's files that a set-up step may see in the new root. The
// mount points that it has to make are recorded in made, so that returnLent can
// remove them and none of them stays in the layer.
func (r *root) lend() error {
	for i := range r.Borrow {
		b := &r.Borrow[i]
		if err := r.lendOne(i, b); err != nil {
			return step("lending "+b.Source, err)
		}
	}
	return nil
}

func (r *root) lendOne(i int, b *borrow) error {
	source := b.Source
	if b.Copy {
		source = fmt.Sprintf("b%d", i)
		if err := copyTree(b.Source, source); err != nil {
			return err
		}
	}
	target, err := b.place()
	if err != nil || target == "" {
		return err
	}
	b.lent = true
	if err := mount(source, target, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	if b.Copy {
		return nil
	}
	return remountReadOnly(target)
}

// place makes what to mount on, if it is not there. Nothing is mounted where
// the environment has a link on the way, as that would be followed on the
// host.
func (b *borrow) place() (string, error) {
	dir := "root"
	elems := strings.Split(strings.Trim(b.Target, "/"), "/")
	for i, e := range elems {
		dir += "/" + e
		last := i == len(elems)-1
		info, err := os.Lstat(dir)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return "", nil
		case err == nil:
			continue
		case last && !b.Dir:
			err = writeNew(dir, nil, 0o644)
		default:
			err = os.Mkdir(dir, 0o755)
		}
		if err != nil {
			return "", err
		}
		b.made = append(b.made, strings.TrimPrefix(dir, "root"))
	}
	return dir, nil
}

// remountReadOnly keeps the flags that a user namespace may not take away.
func remountReadOnly(target string) error {
	var st unix.Statfs_t
	if err := unix.Statfs(target, &st); err != nil {
		return err
	}
	keep := uintptr(st.Flags) & (unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NODIRATIME | unix.MS_RELATIME)
	return mount("", target, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|keep, "")
}

// returnLent unmounts the host's files and removes the places made for it, as
// far as the set-up left them empty.
func (c *child) returnLent() error {
	for i := len(c.spec.Root.Borrow) - 1; i >= 0; i-- {
		b := c.spec.Root.Borrow[i]
		if !b.lent {
			continue
		}
		if err := unix.Unmount(b.Target, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW); err != nil {
			return fmt.Errorf("taking %s out of the environment: %w", b.Target, err)
		}
		for j := len(b.made) - 1; j >= 0; j-- {
			_ = os.Remove(b.made[j]) // refused for directories that hold something now
		}
	}
	return nil
}

// copyTree copies a small directory of settings: files and directories only.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := to + strings.TrimPrefix(p, from)
		if d.IsDir() {
			return os.Mkdir(at, 0o755)
		}
		return copyFile(p, at)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return nil // a dangling link or not for this user
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}
