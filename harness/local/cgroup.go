//go:build linux

package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// hierarchy is where the cgroups of a driver's jobs are made.
type hierarchy struct {
	version     int
	controllers []string // those used here
	base        string   // the driver's own cgroup, parent of the jobs'
	leave       string   // cgroup.procs of the driver's process (version 2)
	undo        func()   // gives back what was changed to be able to use it
}

// wantedControllers limit jobs; any may be missing.
func wantedControllers() []string { return []string{"memory", "pids", "cpu"} }

// findHierarchies finds the places where cgroups can be made, each controller where it
// is: in its own hierarchy (version 1) or the unified one (version 2). name
// becomes the driver's cgroup, below the one that this process is in, so that
// limits on that hold for the jobs as well.
func findHierarchies(mounts []mountPoint, own map[string]string, name string) []hierarchy {
	var out []hierarchy
	missing := wantedControllers()
	for _, c := range wantedControllers() {
		i := slices.IndexFunc(mounts, func(m mountPoint) bool {
			return m.kind == "cgroup" && slices.Contains(strings.Split(m.options, ","), c)
		})
		if i < 0 {
			continue
		}
		dir, ok := ownCgroup(mounts[i], own[c])
		missing = slices.DeleteFunc(missing, func(s string) bool { return s == c })
		if ok && unix.Access(dir, unix.W_OK) == nil {
			out = append(out, hierarchy{version: 1, controllers: []string{c}, base: filepath.Join(dir, name)})
		}
	}
	i := slices.IndexFunc(mounts, func(m mountPoint) bool { return m.kind == "cgroup2" })
	if i < 0 || len(missing) == 0 {
		return out
	}
	if h, ok := unified(mounts[i], own[""], missing, name); ok {
		out = append(out, h)
	}
	return out
}

// ownCgroup turns a path of /proc/self/cgroup into a directory.
func ownCgroup(m mountPoint, own string) (string, bool) {
	rel := own
	if m.root != "/" {
		var ok bool
		if rel, ok = strings.CutPrefix(own, m.root); !ok {
			rel = "/" // a container: what is mounted is its own cgroup
		}
	}
	if own == "" || strings.HasPrefix(own, "/..") {
		return "", false
	}
	return filepath.Join(m.path, rel), true
}

// ownCgroups reads /proc/self/cgroup (cgroups(7)): controller to path, the
// unified hierarchy's under "".
func ownCgroups(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for c := range strings.SplitSeq(parts[1], ",") {
			out[c] = parts[2]
		}
	}
	return out
}

// create makes the driver's cgroup, in which jobs' are made.
func (h hierarchy) create() error {
	if err := os.Mkdir(h.base, 0o755); err != nil {
		return err
	}
	if h.version == 1 {
		return nil
	}
	return enable(h.base, h.controllers)
}

func enable(dir string, controllers []string) error {
	return write(dir, "cgroup.subtree_control", "+"+strings.Join(controllers, " +"))
}

func write(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// group is the cgroup of one job, in one or more hierarchies.
type group struct {
	dirs  []string
	files []*os.File // to be inherited, numbered as in fds
	fds   inherited
}

// newGroup makes the cgroups of a job and sets its limits; extra is what the
// memory limit must allow in addition to the processes.
func newGroup(hs []hierarchy, name string, l harness.Limits, extra int64) (*group, error) {
	g := &group{fds: inherited{Enter: -1, Leave: -1, Pids: -1, Stat: -1, Events: -1}}
	for _, h := range hs {
		if err := g.add(h, filepath.Join(h.base, name), l, extra); err != nil {
			return nil, errors.Join(fmt.Errorf("making a cgroup: %w", err), g.remove())
		}
	}
	return g, nil
}

func (g *group) add(h hierarchy, dir string, l harness.Limits, extra int64) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	g.dirs = append(g.dirs, dir)
	var err error
	for _, c := range h.controllers {
		switch c {
		case "memory":
			err = g.memory(h.version, dir, l.Memory+extra)
		case "pids":
			err = g.pids(dir, l.Processes)
		case "cpu":
			err = limitCPUs(h.version, dir, l.CPUs)
		}
		if err != nil {
			return err
		}
	}
	if h.version == 1 {
		fd, err := g.open(dir, "tasks")
		g.fds.Tasks = append(g.fds.Tasks, fd)
		return err
	}
	if g.fds.Enter, err = g.open(dir, "cgroup.procs"); err != nil {
		return err
	}
	g.fds.Leave, err = g.open(filepath.Dir(h.leave), filepath.Base(h.leave))
	return err
}

// open opens a file for the supervisor to inherit and returns its number
// there.
func (g *group) open(dir, file string) (int, error) {
	flags := os.O_RDWR
	if strings.HasPrefix(file, "memory.") {
		flags = os.O_RDONLY
	}
	f, err := os.OpenFile(filepath.Join(dir, file), flags, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	}
	if err != nil {
		return -1, err
	}
	g.files = append(g.files, f)
	return firstFD + len(g.files) - 1, nil
}

func (g *group) memory(version int, dir string, limit int64) error {
	bytes := strconv.FormatInt(limit, 10)
	max, swap, events, off := "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control", bytes
	if version == 2 {
		max, swap, events, off = "memory.max", "memory.swap.max", "memory.events", "0"
	}
	if err := write(dir, max, bytes); err != nil {
		return err
	}
	_ = write(dir, swap, off) // absent where swapping is not accounted
	var err error
	if g.fds.Stat, err = g.open(dir, "memory.stat"); err != nil {
		return err
	}
	g.fds.Events, err = g.open(dir, events)
	return err
}

// pids leaves room for the supervisor's threads, which enter version 2's
// cgroup for a moment; the supervisor sets the limit itself when they have
// left.
func (g *group) pids(dir string, n int) error {
	if err := write(dir, "pids.max", strconv.Itoa(n+64)); err != nil {
		return err
	}
	var err error
	g.fds.Pids, err = g.open(dir, "pids.max")
	return err
}

func limitCPUs(version int, dir string, cpus float64) error {
	if cpus <= 0 {
		return nil
	}
	const period = 100_000 // microseconds, the kernel's default
	quota := strconv.Itoa(max(1000, int(cpus*period)))
	if version == 2 {
		return write(dir, "cpu.max", quota+" "+strconv.Itoa(period))
	}
	return write(dir, "cpu.cfs_quota_us", quota)
}

// closeFiles closes this side's once the supervisor has them.
func (g *group) closeFiles() {
	for _, f := range g.files {
		f.Close()
	}
	g.files = nil
}

// remove waits for the kernel to be done with the last processes.
func (g *group) remove() error {
	g.closeFiles()
	var errs []error
	for _, dir := range g.dirs {
		errs = append(errs, removeCgroup(dir))
	}
	return errors.Join(errs...)
}

// removeCgroup removes a cgroup without children, after killing everything in
// it.
func removeCgroup(dir string) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := unix.Rmdir(dir)
		if err == nil || err == unix.ENOENT {
			return nil
		}
		if err != unix.EBUSY || wait > 4*time.Second {
			return fmt.Errorf("removing cgroup %s: %w", dir, err)
		}
		killMembers(dir)
		time.Sleep(wait)
	}
}

func killMembers(dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return
	}
	for pid := range strings.FieldsSeq(string(data)) {
		if n, err := strconv.Atoi(pid); err == nil && n > 1 && n != os.Getpid() {
			_ = unix.Kill(n, unix.SIGKILL)
		}
	}
}

// removeTree removes a driver's cgroup with the jobs' in it.
func removeTree(base string) error {
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			_ = removeCgroup(filepath.Join(base, e.Name()))
		}
	}
	return removeCgroup(base)
}
