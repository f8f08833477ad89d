//go:build linux

package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assay/harness"
)

// mountEnv makes this test binary work in a mount namespace of its own.
const mountEnv = "ASSAY_LOCAL_TEST_MOUNTS"

// TestMountsBelowTrees: file systems mounted below /usr and /opt are part of
// jobs and of layers, and stay as they are.
func TestMountsBelowTrees(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount")
	}
	if os.Getenv(mountEnv) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMountsBelowTrees$", "-test.v")
		cmd.Env = append(os.Environ(), mountEnv+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	const at = "/opt"
	require.NoError(t, unix.Mount("tool", at, "tmpfs", 0, "mode=755"))
	require.NoError(t, os.MkdirAll(at+"/tool/sub", 0o755))
	require.NoError(t, unix.Mount("sub", at+"/tool/sub", "tmpfs", 0, "mode=755"))
	require.NoError(t, os.WriteFile(at+"/tool/a", []byte("a\n"), 0o644))
	require.NoError(t, os.WriteFile(at+"/tool/sub/b", []byte("b\n"), 0o644))
	d := newDriver(t)
	name, err := d.Prepare(t.Context(), harness.Recipe{Name: "mounts", Script: "cat /opt/tool/a /opt/tool/sub/b; echo c > /opt/tool/sub/c; rm /opt/tool/sub/b"})
	require.NoError(t, err)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "ls /opt/tool/sub; cat /opt/tool/a"})
	require.NoError(t, err)
	require.Equal(t, "c\na\n", string(res.Output.Head))
	require.FileExists(t, at+"/tool/sub/b")
	require.NoFileExists(t, filepath.Join(at, "tool/sub/c"))
}

// TestProbe: on a machine that can run jobs, the first two checks hold.
func TestProbe(t *testing.T) {
	checks := newDriver(t).Probe(t.Context())
	for _, c := range checks {
		t.Logf("%-10s %-5v %s %s", c.Name, c.OK, c.Detail, c.Fix)
		require.NotEmpty(t, c.Detail)
		require.True(t, c.OK || c.Fix != "", c.Name)
	}
	require.True(t, checks[0].OK)
	require.True(t, checks[1].OK)
}
