//go:build linux

package local

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
)

var (
	_ harness.Runner   = (*Driver)(nil)
	_ harness.Preparer = (*Driver)(nil)
)

// Options are what a Driver needs to know.
type Options struct {
	// Dir keeps prepared layers and scratch directories; it is made. It must
	// not are in a directory whose content jobs see (/usr, /etc, /opt).
	Dir string
	// Hide lists more of the host's files and directories that jobs must not
	// see. Only what is in /usr, /etc or /opt can be seen at all.
	Hide []string
	// Log receives what goes wrong without an effect on results; nil discards.
	Log *slog.Logger
	// AllowWeak lets jobs run with less isolation where the machine does not
	// allow all of it: without a network of their own, a filter of system
	// calls, or with parts of /proc writable. Probe reports what is missing.
	AllowWeak bool
}

// Driver runs jobs in namespaces. It may be used by many goroutines at once.
type Driver struct {
	dir         string
	log         *slog.Logger
	user        bool // not root: a user namespace
	weak        weakness
	weakened    []error // why
	trees       []tree
	links       []link
	hide        []string
	plain       []plain
	dirs        []directory
	hierarchies []hierarchy
	fingerprint string
	scratch     *scratch
	jobs        atomic.Int64
	closeOnce   sync.Once
	closeErr    error
}

// New opens the driver over a directory of layers, clears what earlier
// processes left there when they were killed, and tries an empty job. Where
// that cannot be isolated, the error wraps harness.ErrUnavailable and
// describes what would fix it.
func New(o Options) (*Driver, error) {
	d, err := open(o)
	if err != nil {
		return nil, err
	}
	if err := d.try(o.AllowWeak); err != nil {
		return nil, errors.Join(unavailable(err), d.Close())
	}
	return d, nil
}

func open(o Options) (*Driver, error) {
	d := &Driver{log: o.Log, user: os.Geteuid() != 0, plain: standIns()}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	mounts, err := readMounts()
	if err != nil {
		return nil, err
	}
	d.trees, d.links = hostTrees(mounts)
	if err := d.makeDir(o.Dir); err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir() // "" is below no tree
	d.hide = hidden(d.trees, append([]string{home}, o.Hide...))
	if d.user {
		d.dirs = ownedDirs()
	}
	if d.fingerprint, err = fingerprint("/", d.trees, d.links, d.user); err != nil {
		return nil, err
	}
	if d.scratch, err = openScratch(d.dir, d.log); err != nil {
		return nil, err
	}
	if err := d.openCgroups(mounts); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Driver) makeDir(dir string) error {
	if dir == "" {
		return errors.New("the local executor needs a directory for its layers")
	}
	for _, sub := range []string{"layers", "locks", "tmp", "mnt"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return fmt.Errorf("making the directory of layers: %w", err)
		}
	}
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return fmt.Errorf("finding the directory of layers: %w", err)
	}
	if inTrees(d.trees, real) {
		return fmt.Errorf("the directory of layers, %s, is where jobs can see it: choose one outside of /usr, /etc and /opt", real)
	}
	d.dir = real
	return nil
}

func (d *Driver) openCgroups(mounts []mountPoint) error {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil // a kernel without cgroups: the watches do
	}
	for _, h := range findHierarchies(mounts, ownCgroups(string(own)), "assay-"+d.scratch.id) {
		if err := d.scratch.record(h.base); err != nil {
			return err
		}
		if err := h.create(); err != nil {
			d.log.Warn("cgroup not usable", "cgroup", h.base, "error", err)
			if h.undo != nil {
				h.undo()
			}
			continue
		}
		d.hierarchies = append(d.hierarchies, h)
	}
	return nil
}

// try runs an empty job, and again without a part of the isolation for as
// long as that may be gone without.
func (d *Driver) try(allowWeak bool) error {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		_, err := d.Run(ctx, harness.Job{Name: "self-test", Script: "rm -rf /etc/skel && mkdir -p /etc/skel", Limits: harness.Limits{Disk: 16 << 20}})
		cancel()
		if err == nil || !allowWeak || !d.weaken(err) {
			return err
		}
		d.weakened = append(d.weakened, err)
	}
}

// weaken goes without what has failed, once for each part.
func (d *Driver) weaken(err error) bool {
	var s *stepError
	if !errors.As(err, &s) {
		return false
	}
	var part *bool
	switch s.step {
	case "making namespaces", "raising the loopback device":
		part = &d.weak.Network
	case "installing the system call filter":
		part = &d.weak.Seccomp
	case "protecting /proc":
		part = &d.weak.Proc
	}
	if part == nil || *part {
		return false
	}
	*part = true
	return true
}

// unavailable adds what would fix it.
func unavailable(err error) error {
	return fmt.Errorf("%w: %w; %s", harness.ErrUnavailable, err, fixFor(err))
}

func fixFor(err error) string {
	switch {
	case os.Geteuid() != 0 && sysctl("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "run as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
	case os.Geteuid() != 0 && sysctl("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "run as root: sysctl -w kernel.unprivileged_userns_clone=1"
	case os.Geteuid() != 0 && sysctl("/proc/sys/user/max_user_namespaces") == "0":
		return "run as root: sysctl -w user.max_user_namespaces=15000"
	case errors.Is(err, unix.ENODEV) || strings.Contains(err.Error(), "no such device"):
		return "run as root: modprobe overlay"
	}
	return "inside a container, start that with --privileged; or use --executor docker"
}

func sysctl(p string) string {
	data, err := os.ReadFile(p)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// Close removes the driver's cgroups and scratch directory. No job may be
// running. Layers stay.
func (d *Driver) Close() error {
	d.closeOnce.Do(func() {
		var errs []error
		for _, h := range d.hierarchies {
			errs = append(errs, removeTree(h.base))
			if h.undo != nil {
				h.undo()
			}
		}
		if d.scratch != nil {
			errs = append(errs, d.scratch.close())
		}
		d.closeErr = errors.Join(errs...)
	})
	return d.closeErr
}

func randomID() (string, error) {
	var b [6]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}
