//go:build linux

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// sh runs a script over the host's tool chains and returns what it printed.
func sh(t *testing.T, d *Driver, lines ...string) string {
	t.Helper()
	res, err := d.Run(t.Context(), harness.Job{Script: strings.Join(lines, "\n")})
	require.NoError(t, err)
	require.Equal(t, harness.Exited, res.End)
	return string(res.Output.Head)
}

// TestRootIsAllowList: new directories of the host's root, and everything in
// its data directories, are not there.
func TestRootIsAllowList(t *testing.T) {
	d := newDriver(t)
	// Of all these folders jobs see nothing but the interpreters that are
	// shown on purpose.
	shown := ""
	for _, dir := range interpreterDirs() {
		shown += "-path " + dir + " -prune -o "
	}
	require.Equal(t, "0\n", sh(t, d, "find /home /root /tmp /var/tmp /mnt /srv /media /run /boot /sys "+shown+"-type f -print | wc -l"))
	known := " bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin srv sys tmp usr var "
	for _, name := range strings.Fields(sh(t, d, "ls -A /")) {
		require.Contains(t, known, " "+name+" ")
	}
}

// TestSecretsHidden: what not everyone may read on the host, and how it
// reaches its network, is not to be found in /etc.
func TestSecretsHidden(t *testing.T) {
	d := newDriver(t)
	out := sh(t, d, "find /etc ! -perm -o=r -type f; ls -d /etc/apt /etc/pip.conf /etc/gitconfig /etc/environment /etc/machine-id 2>/dev/null; cut -d: -f2 /etc/shadow | sort -u; cat /etc/hostname")
	require.Equal(t, "/etc/shadow\n*\nassay\n", out)
}

// TestHide: paths in trees can be hidden on demand; siblings stay.
func TestHide(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can write to /opt")
	}
	dir, err := os.MkdirTemp("/opt", "assay-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	for _, name := range []string{"shown", "hidden", "private"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	require.NoError(t, os.Chmod(filepath.Join(dir, "private"), 0o600))
	d, err := New(Options{Dir: t.TempDir(), Hide: []string{filepath.Join(dir, "hidden")}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.Equal(t, "755\nshown\n", sh(t, d, "stat -c %a "+dir, "ls "+dir))
}

func TestDirInTreeRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can write to /opt")
	}
	dir, err := os.MkdirTemp("/opt", "assay-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	_, err = New(Options{Dir: dir})
	require.ErrorContains(t, err, "is where jobs can see it")
}

// TestRights: what a job's root tries beyond its own files is refused.
func TestRights(t *testing.T) {
	d := newDriver(t)
	for name, command := range map[string]string{
		"mount":          "mount -t tmpfs none /mnt",
		"unmount":        "umount /proc",
		"user namespace": "unshare -U true",
		"mount space":    "unshare -m true",
		"device":         "mknod /tmp/sda b 8 0",
		"kernel setting": "echo x > /proc/sys/kernel/core_pattern",
		"sysrq":          "echo h > /proc/sysrq-trigger",
		"host name":      "hostname other",
		"supervisor":     "cat /proc/1/environ",
		"its files":      "ls /proc/1/root/",
		"its program":    "cat /proc/1/exe > /dev/null",
		"its socket":     "readlink /proc/1/fd/3",
		"log":            "dmesg",
		"memory":         "head -c 10 /proc/kcore | grep -q .",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, "refused\n", sh(t, d, "("+command+") >/dev/null 2>&1 && echo allowed || echo refused"))
		})
	}
	require.Equal(t, "yes\n", sh(t, d, "kill -9 1 2>/dev/null; sleep 0.1; echo yes"))
}

// TestThreadsAndTerminals: what the C library needs of clone and of terminals works.
func TestThreadsAndTerminals(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	out := sh(t, d, `command -v python3 >/dev/null || { echo 42 True; exit; }
python3 -c '
import os, pty, threading, subprocess, multiprocessing
got = []
t = threading.Thread(target=lambda: got.append(42)); t.start(); t.join()
m, s = pty.openpty()
subprocess.run(["true"], check=True)
multiprocessing.Lock()
print(got[0], os.isatty(s))
'`)
	require.Equal(t, "42 True\n", out)
}

// TestLent: a set-up step with network sees the host's settings, and nothing
// of them stays in the layer; without network it sees none.
func TestLent(t *testing.T) {
	home, host := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".m2"), 0o755))
	settings := filepath.Join(home, ".m2", "settings.xml")
	require.NoError(t, os.WriteFile(settings, []byte("<settings/>\n"), 0o600))
	bundle := filepath.Join(host, "ca.pem")
	require.NoError(t, os.WriteFile(bundle, []byte("bundle\n"), 0o644))
	t.Setenv("HOME", home)
	t.Setenv("SSL_CERT_FILE", bundle)
	t.Setenv("https_proxy", "http://proxy.invalid:1")
	t.Setenv("PRIVATE_KEY", "never")
	d := newDriver(t)

	r := harness.Recipe{Name: "lent", Network: true, Script: `
cat /root/.m2/settings.xml "$SSL_CERT_FILE"
(echo no > /root/.m2/settings.xml) 2>/dev/null && echo writable
mkdir -p /root/.m2/repository /etc/apt/sources.list.d
echo x > /etc/apt/sources.list.d/more.list
test -s /etc/resolv.conf
test "$https_proxy" = http://proxy.invalid:1
test -z "$PRIVATE_KEY"
echo seen > /opt/seen
exit 3`}
	_, err := d.Prepare(t.Context(), r)
	var failed *harness.BuildError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "<settings/>\nbundle\n", string(failed.Result.Output.Head))
	require.Equal(t, 3, failed.Result.ExitCode)

	r.Script = strings.TrimSuffix(r.Script, "exit 3")
	name, err := d.Prepare(t.Context(), r)
	require.NoError(t, err)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: `cat /opt/seen; ls -A /root/.m2 /etc/apt 2>/dev/null
ls -d ` + host + ` 2>/dev/null; wc -c < /etc/resolv.conf; env | grep -i -E 'proxy|cert'`})
	require.NoError(t, err)
	require.Equal(t, "seen\n/root/.m2:\nrepository\n0\n", string(res.Output.Head))
	for _, tree := range []string{rootTree + "/root/.m2/settings.xml", "etc/apt", "etc/pip.conf", "etc/resolv.conf", rootTree + host} {
		require.NoFileExists(t, filepath.Join(d.layerDir(name), "fs", tree))
		require.NoDirExists(t, filepath.Join(d.layerDir(name), "fs", tree))
	}

	r.Network, r.Script = false, "test ! -e /root/.m2/settings.xml\ntest -z \"$SSL_CERT_FILE$https_proxy\"\ntest ! -e /etc/pip.conf\n"
	_, err = d.Prepare(t.Context(), r)
	require.NoError(t, err)
}
