//go:build linux

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/harness/harnesstest"
)

func TestConformance(t *testing.T) {
	d := newDriver(t)
	skip := map[string]string{}
	if d.user {
		skip["script/user"] = "without root's rights jobs have one user only"
		skip["script/user-rights"] = skip["script/user"]
		skip["collect/unreadable"] = skip["script/user"]
		skip["tree/unreadable"] = skip["script/user"]
		skip["relays/user"] = skip["script/user"]
	}
	jobs := 200
	if d.user {
		jobs = 20 // a second run of the same code
	}
	harnesstest.Run(t, d, harnesstest.Options{
		Base: harness.Recipe{Name: "base"},
		Jobs: jobs,
		Skip: skip,
		Leaks: func(t *testing.T) []string {
			return leaks(t, d)
		},
		Discard: func(t *testing.T, name string) {
			require.NoError(t, d.RemoveLayer(t.Context(), name))
		},
		Another: func(t *testing.T) harnesstest.Driver {
			other, err := New(Options{Dir: d.dir})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, other.Close()) })
			return other
		},
	})
}

// leaks lists what jobs of a driver have left: mounts on its directory, its
// supervisors, cgroups and scratch directories.
func leaks(t *testing.T, d *Driver) []string {
	t.Helper()
	mounts, err := readMounts()
	require.NoError(t, err)
	var out []string
	for _, m := range mounts {
		if below(d.dir, m.path) {
			out = append(out, "mount "+m.path)
		}
	}
	for _, h := range d.hierarchies {
		found, _ := filepath.Glob(h.base + "/*/")
		out = append(out, found...)
	}
	found, _ := filepath.Glob(filepath.Join(d.scratch.dir, "[0-9]*"))
	return append(append(out, found...), supervisors(t)...)
}

// supervisors lists this process's children that are supervisors of jobs.
func supervisors(t *testing.T) []string {
	t.Helper()
	var out []string
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, task := range tasks {
		children, _ := os.ReadFile(task)
		for pid := range strings.FieldsSeq(string(children)) {
			cmdline, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			if strings.HasPrefix(string(cmdline), childName) {
				out = append(out, "process "+pid)
			}
		}
	}
	return out
}
