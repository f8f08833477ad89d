//go:build linux

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// unified finds a place in the unified hierarchy (cgroup version 2) from
// which controllers can be handed to children. A cgroup that holds processes
// cannot do that, except the root; so the driver's own will do if this is the
// only process in it, which then moves to a child. Root falls back to the top
// of the hierarchy, as engines do.
func unified(m mountPoint, own string, wanted []string, name string) (hierarchy, bool) {
	dir, ok := ownCgroup(m, own)
	if !ok {
		return hierarchy{}, false
	}
	h := hierarchy{version: 2, leave: filepath.Join(dir, "cgroup.procs")}
	if h.controllers = available(dir, wanted); len(h.controllers) > 0 && unix.Access(dir, unix.W_OK) == nil {
		if enable(dir, h.controllers) == nil {
			h.base = filepath.Join(dir, name)
			return h, true
		}
		if h.moveDown(dir, name) {
			return h, true
		}
	}
	h.controllers = available(m.path, wanted)
	if dir == m.path || len(h.controllers) == 0 || unix.Access(m.path, unix.W_OK) != nil || enable(m.path, h.controllers) != nil {
		return hierarchy{}, false
	}
	h.base = filepath.Join(m.path, name)
	return h, true
}

// available lists which controllers a cgroup has.
func available(dir string, wanted []string) []string {
	data, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return nil
	}
	there := strings.Fields(string(data))
	return slices.DeleteFunc(slices.Clone(wanted), func(c string) bool { return !slices.Contains(there, c) })
}

// moveDown moves this process, if it is alone in dir, to a child of dir.
func (h *hierarchy) moveDown(dir, name string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil || strings.TrimSpace(string(data)) != strconv.Itoa(os.Getpid()) {
		return false
	}
	leaf := filepath.Join(dir, name+"-self")
	if os.Mkdir(leaf, 0o755) != nil {
		return false
	}
	back := func() {
		_ = write(dir, "cgroup.subtree_control", "-"+strings.Join(h.controllers, " -"))
		_ = write(dir, "cgroup.procs", strconv.Itoa(os.Getpid()))
		_ = unix.Rmdir(leaf)
	}
	if write(leaf, "cgroup.procs", strconv.Itoa(os.Getpid())) != nil || enable(dir, h.controllers) != nil {
		back()
		return false
	}
	h.base, h.leave, h.undo = filepath.Join(dir, name), filepath.Join(leaf, "cgroup.procs"), back
	return true
}

// missingControllers lists what no hierarchy limits.
func missingControllers(hs []hierarchy) []string {
	missing := wantedControllers()
	for _, h := range hs {
		missing = slices.DeleteFunc(missing, func(c string) bool { return slices.Contains(h.controllers, c) })
	}
	return missing
}

func describe(hs []hierarchy) string {
	var parts []string
	for _, h := range hs {
		parts = append(parts, fmt.Sprintf("%s (v%d)", strings.Join(h.controllers, ", "), h.version))
	}
	return strings.Join(parts, ", ")
}
