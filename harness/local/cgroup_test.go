//go:build linux

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func TestOwnCgroups(t *testing.T) {
	got := ownCgroups("12:cpu,cpuacct:/a\n4:memory:/b:c\n0::/user.slice/x\nnonsense\n")
	require.Equal(t, map[string]string{"cpu": "/a", "cpuacct": "/a", "memory": "/b:c", "": "/user.slice/x"}, got)
}

func TestOwnCgroupDir(t *testing.T) {
	tests := map[string]struct {
		root, own, want string
		ok              bool
	}{
		"host":              {"/", "/user.slice", "/cg/user.slice", true},
		"bound in":          {"/docker/1", "/docker/1/sub", "/cg/sub", true},
		"elsewhere":         {"/docker/1", "/system", "/cg", true},
		"outside namespace": {"/", "/../other", "", false},
		"none":              {"/", "", "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir, ok := ownCgroup(mountPoint{path: "/cg", root: test.root}, test.own)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.want, dir)
		})
	}
}

// fakeCgroup makes the files of a version 2 cgroup, which accept all.
func fakeCgroup(t *testing.T, dir, controllers, procs string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, data := range map[string]string{"cgroup.controllers": controllers, "cgroup.procs": procs, "cgroup.subtree_control": ""} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
}

// TestUnifiedPlace: the process's own cgroup where it can hand controllers
// on, and those controllers only that are there.
func TestUnifiedPlace(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "scope")
	fakeCgroup(t, dir, "cpu memory pids io\n", "")
	fakeCgroup(t, own, "memory pids\n", strconv.Itoa(os.Getpid())+"\n")
	m := mountPoint{path: dir, root: "/", kind: "cgroup2"}
	hs := findHierarchies([]mountPoint{m}, map[string]string{"": "/scope"}, "assay-x")
	require.Len(t, hs, 1)
	require.Equal(t, filepath.Join(own, "assay-x"), hs[0].base)
	require.Equal(t, []string{"memory", "pids"}, hs[0].controllers)
	require.Equal(t, []string{"cpu"}, missingControllers(hs))
	require.Equal(t, filepath.Join(own, "cgroup.procs"), hs[0].leave)

	require.NoError(t, os.Remove(filepath.Join(own, "cgroup.subtree_control"))) // as if the kernel refused
	hs = findHierarchies([]mountPoint{m}, map[string]string{"": "/scope"}, "assay-x")
	require.Len(t, hs, 1)
	require.Equal(t, filepath.Join(dir, "assay-x"), hs[0].base)
	require.Equal(t, []string{"memory", "pids", "cpu"}, hs[0].controllers)
}

// TestUnifiedEnterAndLeave runs a job in a cgroup of the unified hierarchy,
// which may be without controllers on this machine.
func TestUnifiedEnterAndLeave(t *testing.T) {
	d := newDriver(t)
	mounts, err := readMounts()
	require.NoError(t, err)
	i := slices.IndexFunc(mounts, func(m mountPoint) bool { return m.kind == "cgroup2" })
	text, err := os.ReadFile("/proc/self/cgroup")
	require.NoError(t, err)
	if i < 0 || d.user {
		t.Skip("no unified hierarchy to write to")
	}
	own, ok := ownCgroup(mounts[i], ownCgroups(string(text))[""])
	require.True(t, ok)
	base := filepath.Join(own, "assay-"+d.scratch.id)
	if err := os.Mkdir(base, 0o755); err != nil {
		t.Skipf("no unified hierarchy to write to: %v", err)
	}
	d.hierarchies = append(d.hierarchies, hierarchy{version: 2, base: base, leave: filepath.Join(own, "cgroup.procs")})
	res, err := d.Run(t.Context(), harness.Job{Script: "grep ^0:: /proc/self/cgroup; sleep 1; grep ^0:: /proc/1/cgroup"})
	require.NoError(t, err)
	require.Regexp(t, `^0::.*/assay-`+d.scratch.id+`/\d+\n0::.*\n$`, string(res.Output.Head))
	require.Equal(t, 1, strings.Count(string(res.Output.Head), "assay-"), "the supervisor must have left")
	require.Empty(t, leaks(t, d))
}

// TestCPULimit: two busy loops on half a core take about as long as that
// allows.
func TestCPULimit(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	if slices.Contains(missingControllers(d.hierarchies), "cpu") {
		t.Skip("no cpu controller to write to")
	}
	res, err := d.Run(t.Context(), harness.Job{
		Script: `timeout 2 sh -c 'while :; do :; done' & timeout 2 sh -c 'while :; do :; done' & wait; times | tail -1`,
		Limits: harness.Limits{CPUs: 0.5},
	})
	require.NoError(t, err)
	var min, sec float64
	_, err = fmt.Sscanf(string(res.Output.Head), "%fm%fs", &min, &sec)
	require.NoError(t, err, "%s", res.Output.Head)
	require.Less(t, 60*min+sec, 1.6, "seconds of processor time in 2 seconds at half a core")
}
