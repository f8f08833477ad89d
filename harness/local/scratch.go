//go:build linux

package local

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// scratch is what belongs to one open Driver on disk: half-made layers, and
// the list of its cgroups. A lock, which the kernel gives up when the process
// dies, distinguishes the living from the dead; jobs themselves end with
// their driver.
type scratch struct {
	id, dir string
	lock    *os.File
	mu      sync.Mutex
	n       int
}

func newScratch(dir string) (*scratch, error) {
	id, err := randomID()
	if err != nil {
		return nil, err
	}
	s := &scratch{id: id, dir: filepath.Join(dir, "tmp", id)}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a scratch directory: %w", err)
	}
	if s.lock, err = os.Create(filepath.Join(s.dir, "lock")); err != nil {
		return nil, fmt.Errorf("making a scratch directory: %w", err)
	}
	if err := unix.Flock(int(s.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, fmt.Errorf("locking the scratch directory: %w", err)
	}
	return s, nil
}

// record notes a cgroup before it is made.
func (s *scratch) record(cgroup string) error {
	f, err := os.OpenFile(filepath.Join(s.dir, "cgroups"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(cgroup + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// newDir makes an empty directory.
func (s *scratch) newDir() (string, error) {
	s.mu.Lock()
	s.n++
	dir := filepath.Join(s.dir, strconv.Itoa(s.n))
	s.mu.Unlock()
	return dir, os.Mkdir(dir, 0o700)
}

func (s *scratch) close() error {
	err := removeAll(s.dir)
	s.lock.Close()
	return err
}

// openScratch clears what dead drivers left and makes a directory of its own.
// One driver does so at a time: a lock file that is not locked yet would look
// like a dead one's.
func openScratch(dir string, log *slog.Logger) (*scratch, error) {
	lock, err := lockFile(context.Background(), filepath.Join(dir, "locks", "open"), unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	reapScratch(dir, log)
	return newScratch(dir)
}

// reapScratch removes what dead drivers left.
func reapScratch(dir string, log *slog.Logger) {
	locks, _ := filepath.Glob(filepath.Join(dir, "tmp", "*", "lock"))
	for _, name := range locks {
		lock, err := os.Open(name)
		if err != nil {
			continue
		}
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			if err := reapOne(filepath.Dir(name)); err != nil {
				log.Warn("clearing what an earlier run left", "directory", filepath.Dir(name), "error", err)
			}
		}
		lock.Close()
	}
}

func reapOne(dir string) error {
	cgroups, _ := os.ReadFile(filepath.Join(dir, "cgroups")) // absent where there were none
	for base := range strings.Lines(string(cgroups)) {
		base = strings.TrimSpace(base)
		if !strings.HasPrefix(filepath.Base(base), "assay-") {
			continue
		}
		if err := removeTree(base); err != nil {
			return err
		}
	}
	return removeAll(dir)
}

// removeAll is os.RemoveAll also for directories without rights for their
// owner, as overlayfs makes them.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700) // before it is listed
		}
		return nil
	})
	return os.RemoveAll(dir)
}
