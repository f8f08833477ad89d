//go:build linux

package local

import (
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// errTooMuch ends a collection that exceeds its limit.
var errTooMuch = errors.New("more files than the limit allows")

// collect sends the regular files that match, in order of their paths. The
// walk follows no link anywhere, the way to a pattern's first directory
// included, and does not enter /proc, /dev and /sys.
func (c *child) collect() error {
	roots := map[string][]string{}
	for _, p := range c.spec.Collect {
		roots[harness.GlobRoot(p)] = append(roots[harness.GlobRoot(p)], p)
	}
	k := &collector{wire: c.wire, left: c.spec.Bounds.Collected, sent: map[string]bool{}}
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		k.patterns, k.depth = roots[root], depth(roots[root])
		err := k.from(root)
		if errors.Is(err, errTooMuch) {
			return c.wire.send(frameTooMuch, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type collector struct {
	wire     wire
	patterns []string // those that begin at the root of the walk
	depth    int      // of the longest pattern; deeper nothing can match
	left     int64
	sent     map[string]bool
}

// depth is the number of elements that a match can have.
func depth(patterns []string) int {
	longest := 0
	for _, p := range patterns {
		if strings.Contains(p, "**") {
			return math.MaxInt
		}
		longest = max(longest, elements(p))
	}
	return longest
}

func elements(p string) int { return strings.Count(path.Clean("/"+p), "/") }

// from walks a directory, or takes the single file, at an absolute path.
func (k *collector) from(root string) error {
	dir, base := path.Split(root)
	if base == "" {
		return k.walk("/", openAt(unix.AT_FDCWD, "/"))
	}
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err := unix.Openat2(unix.AT_FDCWD, dir, &how)
	if err != nil {
		return nil // absent, or reached through a link
	}
	defer unix.Close(fd)
	return k.entry(fd, path.Clean(dir), base)
}

// openAt opens a directory to read; -1 where that is not possible.
func openAt(fd int, name string) int {
	d, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	return d
}

func (k *collector) walk(dir string, fd int) error {
	if fd < 0 {
		return nil
	}
	f := os.NewFile(uintptr(fd), dir)
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil // vanished or unreadable: there is nothing to collect
	}
	slices.Sort(names)
	for _, name := range names {
		if err := k.entry(fd, dir, name); err != nil {
			return err
		}
	}
	return nil
}

func (k *collector) entry(fd int, dir, name string) error {
	var st unix.Stat_t
	if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return nil
	}
	p := path.Join(dir, name)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if p == "/proc" || p == "/dev" || p == "/sys" || elements(p) >= k.depth {
			return nil
		}
		return k.walk(p, openAt(fd, name))
	case unix.S_IFREG:
		if !k.sent[p] && slices.ContainsFunc(k.patterns, func(g string) bool { return harness.MatchGlob(g, p) }) {
			k.sent[p] = true
			return k.file(fd, name, p, st.Size)
		}
	}
	return nil
}

func (k *collector) file(dirfd int, name, p string, size int64) error {
	if size > k.left {
		return errTooMuch
	}
	fd, err := unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), p)
	defer f.Close()
	if err := k.wire.sendValue(frameFile, fileHeader{Path: p, Size: size}); err != nil {
		return err
	}
	k.left -= size
	return k.wire.sendStream(io.LimitReader(f, size))
}
