package harnesstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func isolationChecks() []check {
	return []check{
		{"fresh", isolationFresh},
		{"environment-kept", isolationEnvironmentKept},
		{"host-kept", isolationHostKept},
		{"host-hidden", isolationHostHidden},
		{"host-processes", isolationHostProcesses},
		{"secrets", isolationSecrets},
	}
}

// isolationFresh: what one job writes no later one sees, wherever it is.
func isolationFresh(t *testing.T, s *suite) {
	var write, read []string
	for _, dir := range []string{"", "/w", "/tmp", "/root", "/dev/shm", "/var/tmp", "/opt", "/etc", "/usr/local/lib"} {
		write = append(write, "echo mark > "+dir+"/assay-mark || echo cannot write to "+dir)
		read = append(read, "test -e "+dir+"/assay-mark && echo found in "+dir)
	}
	job := s.job(script(append(write, "echo written")...))
	job.Files = []harness.File{{Path: "/w/f"}}
	require.Equal(t, "written\n", s.ok(t, job))
	require.Equal(t, "looked\n", s.sh(t, append(read, "echo looked")...))
}

// isolationEnvironmentKept: changes to files of the environment stay in the
// job.
func isolationEnvironmentKept(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/kept/dir", "echo original > /opt/kept/f", "echo x > /opt/kept/dir/g"))
	job := s.job(script("cat /opt/kept/f /opt/kept/dir/g", "echo changed > /opt/kept/f", "rm -rf /opt/kept/dir", "chmod 700 /opt/kept", "cat /opt/kept/f"))
	job.Environment = env
	for range 2 {
		require.Equal(t, "original\nx\nchanged\n", s.ok(t, job))
	}
}

// isolationHostKept: root in a job may write to what looks like the system;
// the machine's own files do not change.
func isolationHostKept(t *testing.T, s *suite) {
	mark := "assay-host-" + nonce()
	before, err := os.ReadFile("/etc/passwd")
	require.NoError(t, err)
	s.run(t, s.job(script("for d in / /etc /usr /usr/bin /var/tmp /tmp /root /opt; do echo x > $d/"+mark+"; done",
		"echo "+mark+" >> /etc/passwd", "hostname "+mark, "true")))
	for _, dir := range []string{"/", "/etc", "/usr", "/usr/bin", "/var/tmp", "/tmp", "/root", "/opt"} {
		require.NoFileExists(t, filepath.Join(dir, mark))
	}
	after, err := os.ReadFile("/etc/passwd")
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	name, err := os.Hostname()
	require.NoError(t, err)
	require.NotEqual(t, mark, name)
}

// isolationHostHidden: private places of the machine, among them the working
// directory with the data set and its solutions, are not readable.
func isolationHostHidden(t *testing.T, s *suite) {
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	for _, dir := range []string{home, wd, os.TempDir()} {
		f, err := os.CreateTemp(dir, ".assay-conformance-*")
		require.NoError(t, err)
		t.Cleanup(func() { _ = os.Remove(f.Name()) })
		_, err = f.WriteString(secret)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, "hidden\n", s.sh(t, "cat '"+f.Name()+"' 2>/dev/null || echo hidden"), dir)
	}
}

// isolationHostProcesses: processes of the machine are neither seen nor
// signalled.
func isolationHostProcesses(t *testing.T, s *suite) {
	mark := nonce()
	cmd := exec.CommandContext(t.Context(), "sleep", mark)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	pid := strconv.Itoa(cmd.Process.Pid)
	out := s.sh(t,
		"cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c -x '["+mark[:1]+"]"+mark[1:]+"' || true",
		"kill -9 "+pid+" 2>/dev/null || true")
	require.Equal(t, "0\n", out, "the machine's processes are visible")
	require.NotEmpty(t, processesWith(mark), "a job killed a process of the machine")
}

// isolationSecrets: the harness's environment variables, where keys of
// services are, reach a job neither directly nor through a parent process.
func isolationSecrets(t *testing.T, s *suite) {
	out := s.sh(t, "env", "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'", "echo end")
	require.Contains(t, out, "PATH=")
	require.NotContains(t, out, secret)
	require.NotContains(t, out, "ASSAY_")
}
