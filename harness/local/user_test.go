//go:build linux

package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrdinaryUser runs the tests of jobs again without root's rights.
func TestOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests run without root's rights already")
	}
	notInShortMode(t)
	const nobody = 65534
	dir, err := os.MkdirTemp("", "assay-user-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, removeAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	home := filepath.Join(dir, "home")
	require.NoError(t, os.Mkdir(home, 0o755))
	require.NoError(t, os.Chown(home, nobody, nobody))
	program := filepath.Join(dir, "local.test")
	require.NoError(t, copyFile("/proc/self/exe", program))
	require.NoError(t, os.Chmod(program, 0o755))

	cmd := exec.CommandContext(t.Context(), program, "-test.v",
		"-test.run=^(TestConformance|TestRights|TestSecretsHidden|TestRootIsAllowList|TestThreadsAndTerminals|TestManyLayers|TestWorkCMake|TestLent)$")
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	if testing.Verbose() {
		t.Logf("%s", out)
	}
	require.Contains(t, string(out), "--- PASS: TestRights")
}
