//go:build linux

package local

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assay/harness"
)

func TestParseMount(t *testing.T) {
	tests := map[string]struct {
		line string
		want mountPoint
		ok   bool
	}{
		"plain":    {"26 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard", mountPoint{"/", "/", "ext4", "rw,discard"}, true},
		"optional": {"30 26 0:5 /a /mnt/b rw - tmpfs none rw", mountPoint{"/mnt/b", "/a", "tmpfs", "rw"}, true},
		"blank":    {`30 26 0:5 / /mnt/a\040b\134c rw - tmpfs none rw`, mountPoint{`/mnt/a b\c`, "/", "tmpfs", "rw"}, true},
		"cgroup":   {"30 26 0:5 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct", mountPoint{"/sys/fs/cgroup/cpu,cpuacct", "/", "cgroup", "rw,cpu,cpuacct"}, true},
		"short":    {"30 26 0:5 / - tmpfs", mountPoint{}, false},
		"empty":    {"", mountPoint{}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m, ok := parseMount(test.line)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.want, m)
		})
	}
}

func FuzzParseMount(f *testing.F) {
	f.Add(`30 26 0:5 / /mnt/a\040b rw - tmpfs none rw`)
	f.Add(`30 26 0:5 / /mnt/a\0 rw - tmpfs`)
	f.Fuzz(func(t *testing.T, line string) {
		if m, ok := parseMount(line); ok && (m.path == "" || m.kind == "") {
			t.Fatalf("%q: empty fields in %+v", line, m)
		}
	})
}

func TestReadStatus(t *testing.T) {
	found, err := readStatus("testdata/dpkg-status")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"cmake": true, "cmake:amd64": true, "libgtest-dev": true, "libgtest-dev:amd64": true}, found)
}

// TestInstalledInLayer: the topmost layer that has a database of its own
// counts.
func TestInstalledInLayer(t *testing.T) {
	plain, changed := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(plain, "var+lib+dpkg"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(changed, "var+lib+dpkg"), 0o755))
	require.NoError(t, copyFile("testdata/dpkg-status", filepath.Join(changed, "var+lib+dpkg", "status")))
	found, err := installedPackages([]string{plain, changed})
	require.NoError(t, err)
	require.True(t, found["libgtest-dev"])
	require.False(t, found["removed"])
}

func FuzzReadStatus(f *testing.F) {
	seed, err := os.ReadFile("testdata/dpkg-status")
	require.NoError(f, err)
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "status")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		found, err := readStatus(file)
		if err == nil && len(found) > 2*bytes.Count(data, []byte("Package: ")) {
			t.Fatalf("%d names of too few paragraphs", len(found))
		}
	})
}

func TestStatValue(t *testing.T) {
	stat := []byte("cache 1\nrss 2\nrss_huge 3\ntotal_rss 4\ntotal_shmem 5\nbroken x\n")
	require.EqualValues(t, 4, statValue(stat, "total_rss", "anon"))
	require.EqualValues(t, 2, statValue(stat, "anon", "rss"))
	require.EqualValues(t, 0, statValue(stat, "broken"))
	require.EqualValues(t, 0, statValue(nil, "anon"))
}

func TestWire(t *testing.T) {
	var buf bytes.Buffer
	w := wire{&buf, &buf}
	data := bytes.Repeat([]byte("\x00\xffabc"), chunkSize)
	require.NoError(t, w.sendValue(frameFile, fileHeader{Path: "/a\xff", Size: 3}))
	require.NoError(t, w.sendStream(bytes.NewReader(data)))
	require.NoError(t, w.send(frameGo, nil))
	kind, payload, err := w.receive()
	require.NoError(t, err)
	require.EqualValues(t, frameFile, kind)
	var h fileHeader
	require.NoError(t, decode(payload, &h))
	require.Equal(t, fileHeader{Path: "/a\xff", Size: 3}, h)
	got, err := io.ReadAll(&stream{wire: w})
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, got))
	kind, payload, err = w.receive()
	require.NoError(t, err)
	require.EqualValues(t, frameGo, kind)
	require.Empty(t, payload)
	_, _, err = w.receive()
	require.ErrorIs(t, err, io.EOF)
}

func FuzzWire(f *testing.F) {
	f.Add([]byte("D\x00\x00\x00\x03abcE\x00\x00\x00\x00"))
	f.Add([]byte("F\xff\xff\xff\xff"))
	f.Add([]byte("D\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := receiver{files: map[string][]byte{}}
		w := wire{r: bytes.NewReader(data)}
		for {
			kind, payload, err := w.receive()
			if err != nil {
				return
			}
			if len(payload) > len(data) {
				t.Fatal("a frame is longer than what was received")
			}
			if r.take(message{kind: kind, data: payload}) != nil {
				return
			}
		}
	})
}

func TestEnviron(t *testing.T) {
	require.Equal(t, []string{"LANG=C.UTF-8", "TZ=UTC", "A=2", "PATH=/opt/bin", "B="},
		environ([]string{"A=1"}, []string{"A=2", "PATH=/opt/bin"}, []string{"B="}))
}

func TestJudge(t *testing.T) {
	tests := map[string]struct {
		outcome  outcome
		exceeded bool
		end      harness.End
		code     int
	}{
		"exit":         {outcome{exit: exit{Code: 3}}, false, harness.Exited, 3},
		"timeout":      {outcome{exit: exit{Reason: harness.TimedOut, Code: -1}, tooMuch: true}, true, harness.TimedOut, -1},
		"kernel's oom": {outcome{exit: exit{Code: 1, OOMKills: 2}}, false, harness.OutOfMemory, 1},
		"late output":  {outcome{exit: exit{}}, true, harness.OutputLimit, 0},
		"files":        {outcome{exit: exit{Code: 5}, tooMuch: true}, false, harness.CollectLimit, 5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			end, code := test.outcome.judge(test.exceeded)
			require.Equal(t, test.end, end)
			require.Equal(t, test.code, code)
		})
	}
}

func TestHiddenWithoutChildren(t *testing.T) {
	require.Equal(t, []string{"/etc/a", "/etc/ab", "/etc/b/c"}, withoutChildren([]string{"/etc/a", "/etc/a/b", "/etc/ab", "/etc/b/c"}))
}

func TestRetryable(t *testing.T) {
	require.True(t, harness.Retryable(infra("x", unix.EAGAIN)))
	require.False(t, harness.Retryable(infra("x", unix.EINVAL)))
	require.False(t, harness.Retryable(infra("x", errUnknown)))
}

func TestWeaken(t *testing.T) {
	d := &Driver{}
	refused := step("raising the loopback device", unix.EPERM)
	require.True(t, d.weaken(refused))
	require.Equal(t, weakness{Network: true}, d.weak)
	require.False(t, d.weaken(refused), "it was gone without and failed nonetheless")
	require.False(t, d.weaken(step("mounting an overlay", unix.EPERM)), "nothing can be gone without there")
	require.False(t, d.weaken(unix.EPERM))
}

func TestUnavailable(t *testing.T) {
	err := unavailable(step("mounting an overlay", unix.ENODEV))
	require.ErrorIs(t, err, harness.ErrUnavailable)
	require.ErrorContains(t, err, "modprobe overlay")
}
