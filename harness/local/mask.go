//go:build linux

package local

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// mask fills m/ with one directory for each tree: the skeleton of the root,
// marks of deletion over what must be hidden, and files that stand in for the
// host's.
func (r *root) mask() error {
	for _, t := range r.all() {
		if err := os.Mkdir("m/"+t.Key, os.FileMode(t.Mode)); err != nil {
			return err
		}
	}
	if err := r.skeleton(); err != nil {
		return fmt.Errorf("making the root: %w", err)
	}
	for _, d := range r.Dirs {
		if err := r.ownDir(d); err != nil {
			return err
		}
	}
	for _, p := range r.Hide {
		if err := r.hide(p); err != nil {
			return step("hiding "+p, err)
		}
	}
	for _, f := range r.Plain {
		p, err := r.masked(f.Path)
		if err != nil {
			return err
		}
		if err := writeNew(p, f.Data, f.Mode); err != nil {
			return err
		}
	}
	return nil
}

func (r *root) skeleton() error {
	const top = "m/" + rootTree
	for _, d := range []string{
		"boot", "dev", "home", "media", "mnt", "proc", "run/lock", "srv", "sys", "var/backups", "var/cache/debconf",
		"var/cache/apt/archives/partial", "var/lib/apt/lists/partial", "var/lib/misc", "var/local", "var/log/apt", "var/mail", "var/opt", "var/spool",
	} {
		if err := os.MkdirAll(top+"/"+d, 0o755); err != nil {
			return err
		}
	}
	for d, mode := range map[string]fs.FileMode{"root": 0o700, "tmp": 0o777 | fs.ModeSticky, "var/tmp": 0o777 | fs.ModeSticky} {
		if err := os.Mkdir(top+"/"+d, 0o700); err != nil {
			return err
		}
		if err := os.Chmod(top+"/"+d, mode); err != nil {
			return err
		}
	}
	for _, t := range r.Trees {
		if err := os.MkdirAll(top+t.Path, 0o755); err != nil {
			return err
		}
	}
	for _, l := range append([]link{{"/var/run", "/run"}, {"/var/lock", "/run/lock"}}, r.Links...) {
		if err := os.Symlink(l.Target, top+l.Path); err != nil {
			return err
		}
	}
	return nil
}

// treeOf returns the innermost tree that holds an absolute path.
func (r *root) treeOf(p string) tree {
	best := tree{Path: "/", Key: rootTree}
	for _, t := range r.Trees {
		if (p == t.Path || below(t.Path, p)) && len(t.Path) > len(best.Path) {
			best = t
		}
	}
	return best
}

// masked returns the place in the mask that covers a path, with its parents
// made. These look like the host's, which they cover.
func (r *root) masked(p string) (string, error) {
	t := r.treeOf(p)
	rel := strings.TrimPrefix(strings.TrimPrefix(p, t.Path), "/")
	dir := "m/" + t.Key
	elems := strings.Split(rel, "/")
	host := t.Path
	for _, e := range elems[:len(elems)-1] {
		host, dir = filepath.Join(host, e), dir+"/"+e
		if err := copyDir(host, dir); err != nil {
			return "", err
		}
	}
	return dir + "/" + elems[len(elems)-1], nil
}

// copyDir makes dir with owner and mode of a directory of the host.
func copyDir(host, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		if os.IsExist(err) {
			return nil
		}
		return err
	}
	info, err := os.Stat(host)
	if err != nil {
		return nil // a stand-in where the host has nothing
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(dir, int(s.Uid), int(s.Gid)) // in a user namespace all is the job's
	}
	return os.Chmod(dir, info.Mode())
}

func (r *root) ownDir(d directory) error {
	if r.treeOf(d.Path).Path == d.Path {
		return nil
	}
	p, err := r.masked(d.Path)
	if err != nil {
		return err
	}
	if err := os.Mkdir(p, 0o755); err != nil && !os.IsExist(err) {
		return err
	}
	return os.Chmod(p, os.FileMode(d.Mode))
}

// hide puts a whiteout over a path.
func (r *root) hide(p string) error {
	at, err := r.masked(p)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	return unix.Mknod(at, unix.S_IFCHR, 0)
}

// writeNew makes a file that must not be there yet.
func writeNew(p string, data []byte, mode uint32) error {
	f, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(os.FileMode(mode))
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
