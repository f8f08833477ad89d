package docker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// overlayTree reaches a container's files by mounting its layers, in about a
// millisecond. Paths are resolved by the kernel as in the container: links
// never lead out of it.
type overlayTree struct {
	layers   layers
	point    string
	fallback tree // where the kernel refuses the mount
}

func (t overlayTree) put(ctx context.Context, remove []string, files []harness.File, own ownFiles) error {
	root, err := t.layers.mount(t.point, true)
	if err != nil {
		return t.fallback.put(ctx, remove, files, own)
	}
	defer root.Close()
	for _, r := range remove {
		if err := root.remove(clean(r)); err != nil {
			return infraFile("removing "+r, err)
		}
	}
	for _, f := range append(slices.Clip(files), own.files(nil)...) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("putting files into a container: %w", err)
		}
		if err := root.write(clean(f.Path), f); err != nil {
			return infraFile("putting in "+f.Path, err)
		}
	}
	return nil
}

// infraFile is a failure of a file operation: a retry helps where the disk
// was full or failing, not where the path is impossible.
func infraFile(op string, err error) error {
	retry := errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EIO) || errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENOMEM)
	return &harness.InfraError{Op: op, Retryable: retry, Err: err}
}

// dir opens a directory as a process in the container would.
func (m mounted) dir(name string) (int, error) {
	fd, err := unix.Openat2(int(m.Fd()), name, &unix.OpenHow{
		Flags:   unix.O_DIRECTORY | unix.O_RDONLY | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return fd, nil
}

// parents opens a directory and makes it first where it is missing.
func (m mounted) parents(name string) (int, error) {
	fd, err := m.dir(name)
	if !errors.Is(err, fs.ErrNotExist) || name == "/" {
		return fd, err
	}
	above, err := m.parents(path.Dir(name))
	if err != nil {
		return -1, err
	}
	defer unix.Close(above)
	if err := unix.Mkdirat(above, path.Base(name), 0o755); err != nil {
		return -1, &fs.PathError{Op: "mkdir", Path: name, Err: err}
	}
	fd, err = unix.Openat(above, path.Base(name), unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = unix.Fchmod(fd, 0o755) // regardless of the umask
	}
	return fd, err
}

// root is an open directory as an os.Root, which never leaves it.
func rootOf(fd int) (*os.Root, error) {
	defer unix.Close(fd)
	return os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", fd))
}

func (m mounted) remove(name string) error {
	if name == "/" {
		return fs.ErrInvalid
	}
	fd, err := m.dir(path.Dir(name))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	if err != nil {
		return err
	}
	parent, err := rootOf(fd)
	if err != nil {
		return err
	}
	defer parent.Close()
	return parent.RemoveAll(path.Base(name))
}

func (m mounted) write(name string, f harness.File) error {
	if name == "/" {
		return fs.ErrInvalid
	}
	fd, err := m.parents(path.Dir(name))
	if err != nil {
		return err
	}
	parent, err := rootOf(fd)
	if err != nil {
		return err
	}
	defer parent.Close()
	base := path.Base(name)
	if err := parent.RemoveAll(base); err != nil {
		return err
	}
	if f.Link != "" {
		return parent.Symlink(f.Link, base)
	}
	return writeNew(parent, base, f)
}

func writeNew(parent *os.Root, base string, f harness.File) error {
	mode := fs.FileMode(modeOf(f))
	file, err := parent.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	// Past umask, and past the group that a set-group-id directory gives.
	return errors.Join(err, file.Chown(0, 0), file.Chmod(mode), file.Close())
}
