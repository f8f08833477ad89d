package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// Walk reads a tree below root, an open directory that stands for "/", while
// nothing changes it. yield gets each entry, without Data, in an order that is
// the same for the same tree; content, where it is not nil, is what belongs in
// Data and must be read before yield returns. cut is as Result.TreeCut. Errors
// are those of the machine and of yield.
func Walk(root *os.File, q harness.TreeQuery, yield Yield) (cut bool, err error) {
	return walk(root, q, boundsOf(q), yield)
}

// Yield gets an entry of a tree.
type Yield func(e harness.Entry, content io.Reader) error

func walk(root *os.File, q harness.TreeQuery, b *bounds, yield Yield) (bool, error) {
	w := &walker{query: q, bounds: b, yield: yield, seen: map[inode]string{}}
	top, err := openBeneath(int(root.Fd()), relative(path.Clean(q.Dir)))
	if err != nil {
		if gone(err) {
			return false, nil
		}
		return false, fmt.Errorf("opening %s: %w", q.Dir, err)
	}
	defer top.Close()
	// Breadth first, with one open directory at a time: a deep tree must not
	// use up the open files.
	for dirs := []string{"."}; len(dirs) > 0 && !w.cut; dirs = dirs[1:] {
		below, err := w.directory(top, dirs[0])
		if err != nil {
			return false, fmt.Errorf("reading %q in %s: %w", dirs[0], q.Dir, err)
		}
		dirs = append(dirs, below...)
	}
	return w.cut, nil
}

type walker struct {
	query  harness.TreeQuery
	bounds *bounds
	yield  Yield
	cut    bool
	seen   map[inode]string // hashes of files with several names
}

type inode struct{ dev, ino uint64 }

func relative(p string) string {
	if p == "/" {
		return "."
	}
	return p[1:]
}

// openBeneath opens a directory that no link leads to.
func openBeneath(dir int, name string) (*os.File, error) {
	fd, err := unix.Openat2(dir, name, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// gone reports whether an error means that the file is absent, or is not a
// directory.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP)
}

// closed reports whether an error means that the file is absent or may not be
// opened. The entry of such a file is still listed.
func closed(err error) bool {
	return gone(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENAMETOOLONG) || errors.Is(err, unix.ENXIO)
}

// directory lists one directory and returns those in it that are to be
// listed next.
func (w *walker) directory(top *os.File, rel string) (below []string, err error) {
	dir, err := openBeneath(int(top.Fd()), rel)
	if err != nil {
		if closed(err) {
			return nil, nil
		}
		return nil, err
	}
	defer dir.Close()
	names, err := w.names(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		enter, err := w.entry(dir, path.Join(rel, name), name)
		if err != nil || w.cut {
			return nil, err
		}
		if enter {
			below = append(below, path.Join(rel, name))
		}
	}
	return below, nil
}

// names reads the names of a directory in parts, as there may be any number.
func (w *walker) names(dir *os.File) ([]string, error) {
	var all []string
	for bytes := 0; ; {
		some, err := dir.Readdirnames(4096)
		all = append(all, some...)
		for _, name := range some {
			bytes += len(name)
		}
		if len(all) > w.bounds.entries || bytes > w.bounds.names {
			w.cut = true
			return nil, nil
		}
		if errors.Is(err, io.EOF) {
			slices.Sort(all)
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// entry handles one name. enter says that it is a directory to list.
func (w *walker) entry(dir *os.File, rel, name string) (enter bool, err error) {
	if skipped(w.query, rel) || w.kernels(rel) {
		return false, nil
	}
	var st unix.Stat_t
	if err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		if gone(err) {
			return false, nil
		}
		return false, err
	}
	e := harness.Entry{Path: rel, Mode: modeOf(st.Mode)}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		enter = len(rel) <= pathBytes && w.opens(dir, name)
		e.Omitted = !enter
	case unix.S_IFLNK:
		if e.Link, err = readLink(int(dir.Fd()), name); err != nil {
			return false, err
		}
	case unix.S_IFREG:
		e.Size = st.Size
		return false, w.file(dir, name, e, st)
	}
	return enter, w.list(e, nil)
}

func (w *walker) list(e harness.Entry, content io.Reader) error {
	if !w.bounds.list(e) {
		w.cut = true
		return nil
	}
	return w.yield(e, content)
}

// kernels reports whether a path is a file system that the kernel makes up.
func (w *walker) kernels(rel string) bool {
	return path.Clean(w.query.Dir) == "/" && slices.Contains([]string{"proc", "sys", "dev"}, rel)
}

// opens reports whether a directory may be read.
func (w *walker) opens(dir *os.File, name string) bool {
	f, err := openBeneath(int(dir.Fd()), name)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// smallFile is the size, in bytes, up to which a file is read once only.
const smallFile = 64 << 10

// file handles a regular file: it is read once to hash it, and where it is not
// small a second time if its content is to be returned.
func (w *walker) file(dir *os.File, name string, e harness.Entry, st unix.Stat_t) error {
	id := inode{uint64(st.Dev), st.Ino}
	e.SHA256 = w.seen[id]
	if e.SHA256 == "" && !w.bounds.open(e.Size) {
		e.Omitted = true
		return w.list(e, nil)
	}
	f, err := openRegular(dir, name)
	if err != nil {
		if !closed(err) {
			return err
		}
		e.Omitted, e.SHA256 = true, ""
		return w.list(e, nil)
	}
	defer f.Close()
	var content io.ReadSeeker = f
	if e.Size <= smallFile {
		data := make([]byte, e.Size)
		if _, err := io.ReadFull(f, data); err != nil {
			return err
		}
		content = bytes.NewReader(data)
	}
	if e.SHA256 == "" {
		if e.SHA256, err = hash(content, e.Size); err != nil {
			return err
		}
		if st.Nlink > 1 {
			w.seen[id] = e.SHA256
		}
	}
	if w.query.Known[e.Path] == e.SHA256 {
		return w.list(e, nil)
	}
	if !w.bounds.give(e.Size) {
		e.Omitted = true
		return w.list(e, nil)
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return w.list(e, io.LimitReader(content, e.Size))
}

// openRegular opens a file that was seen to be regular, and looks again.
func openRegular(dir *os.File, name string) (*os.File, error) {
	fd, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = unix.ENXIO
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func readLink(dir int, name string) (string, error) {
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(dir, name, buf)
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

// modeOf translates the kernel's mode.
func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	}
	return m
}
