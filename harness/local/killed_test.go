//go:build linux

package local

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// helperEnv makes this test binary run one long job and wait to be killed.
const helperEnv = "ASSAY_LOCAL_TEST_DIR"

func TestHelperProcess(t *testing.T) {
	dir := os.Getenv(helperEnv)
	if dir == "" {
		t.Skip("started by TestKilled only")
	}
	d, err := New(Options{Dir: dir})
	require.NoError(t, err)
	go func() {
		_, _ = d.Prepare(context.Background(), harness.Recipe{Name: "long", Script: "echo x > /opt/x; sleep 777"})
	}()
	_, _ = d.Run(context.Background(), harness.Job{Script: "setsid sleep 777 & sleep 777"})
}

// TestKilled: when the driver's process is killed, its jobs die with it, and
// the next driver clears the rest.
func TestKilled(t *testing.T) {
	notInShortMode(t)
	newDriver(t) // or skip
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHelperProcess$")
	cmd.Env = append(os.Environ(), helperEnv+"="+dir)
	require.NoError(t, cmd.Start())
	pids := func() (found []string) {
		all, _ := filepath.Glob("/proc/[0-9]*")
		for _, p := range all {
			ppid, name := parent(p)
			if ppid == fmt.Sprint(cmd.Process.Pid) && strings.HasPrefix(name, childName) {
				found = append(found, p)
			}
		}
		return found
	}
	require.Eventually(t, func() bool {
		half, _ := filepath.Glob(filepath.Join(dir, "tmp/*/1/fs/opt/x"))
		return len(pids()) == 2 && len(half) == 1
	}, 20*time.Second, 10*time.Millisecond)
	jobs := pids()
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool {
		for _, p := range jobs {
			if _, name := parent(p); name != "" {
				return false
			}
		}
		return true
	}, 5*time.Second, 10*time.Millisecond, "supervisors outlived their driver")
	recorded, err := filepath.Glob(filepath.Join(dir, "tmp/*/cgroups"))
	require.NoError(t, err)
	var cgroups string
	if len(recorded) > 0 {
		data, err := os.ReadFile(recorded[0])
		require.NoError(t, err)
		cgroups = string(data)
	}
	d, err := New(Options{Dir: dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	for cgroup := range strings.FieldsSeq(cgroups) {
		require.NoDirExists(t, cgroup)
	}
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	require.NoError(t, err)
	require.Len(t, left, 1, "scratch directories beside the new driver's")
	layers, err := d.Layers()
	require.NoError(t, err)
	require.Empty(t, layers)
}

// parent reads a process's parent and its program's name.
func parent(proc string) (ppid, name string) {
	f, err := os.Open(filepath.Join(proc, "status"))
	if err != nil {
		return "", ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if v, ok := strings.CutPrefix(lines.Text(), "PPid:"); ok {
			ppid = strings.TrimSpace(v)
		}
	}
	cmdline, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
	return ppid, strings.TrimRight(string(cmdline), "\x00")
}
