package harnesstest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func fileChecks() []check {
	return []check{
		{"binary", filesBinary},
		{"modes", filesModes},
		{"parents", filesParents},
		{"names", filesNames},
		{"link", filesLink},
		{"replace-link", filesReplaceLink},
		{"order", filesOrder},
		{"newer", filesNewer},
		{"escape", filesEscape},
		{"large", filesLarge},
		{"remove", filesRemove},
		{"remove-link", filesRemoveLink},
		{"caller", filesCaller},
	}
}

func filesBinary(t *testing.T, s *suite) {
	data := make([]byte, 1024)
	for i := range data {
		data[i] = byte(i)
	}
	job := s.job("sha256sum /w/data\ncat /w/empty\n")
	job.Files = []harness.File{{Path: "/w/data", Data: data}, {Path: "/w/empty"}}
	require.Equal(t, fmt.Sprintf("%x  /w/data\n", sha256.Sum256(data)), s.ok(t, job))
}

func filesModes(t *testing.T, s *suite) {
	job := s.job("stat -c '%a %u %g' /w/plain /w/run /w/own\n")
	job.Files = []harness.File{
		{Path: "/w/plain"},
		{Path: "/w/run", Mode: 0o755},
		{Path: "/w/own", Mode: 0o600},
	}
	require.Equal(t, "644 0 0\n755 0 0\n600 0 0\n", s.ok(t, job))
}

// filesParents: directories that did not exist can be entered by everyone.
func filesParents(t *testing.T, s *suite) {
	job := s.job("cat /w/a/b/c/f\nstat -c %a /w/a/b\n")
	job.Files = []harness.File{{Path: "/w/a/b/c/f", Data: []byte("deep\n")}}
	require.Equal(t, "deep\n755\n", s.ok(t, job))
}

func filesNames(t *testing.T, s *suite) {
	long := "/w/" + strings.Repeat("directory-of-a-long-name/", 12) + strings.Repeat("f", 120)
	job := s.job("cat '/w/a b/-ü$x.txt'\ncat " + long + "\n")
	job.Files = []harness.File{
		{Path: "/w/a b/-ü$x.txt", Data: []byte("odd\n")},
		{Path: long, Data: []byte("long\n")},
	}
	require.Equal(t, "odd\nlong\n", s.ok(t, job))
}

func filesLink(t *testing.T, s *suite) {
	job := s.job("readlink /w/link\nreadlink /w/dangling\ncat /w/link\n")
	job.Files = []harness.File{
		{Path: "/w/target", Data: []byte("aimed at\n")},
		{Path: "/w/link", Link: "target", Data: []byte("ignored")},
		{Path: "/w/dangling", Link: "/nowhere/at/all"},
	}
	require.Equal(t, "target\n/nowhere/at/all\naimed at\n", s.ok(t, job))
}

// filesReplaceLink: both a link of the environment and one that the same job
// put in are replaced, and what they aim at keeps its content.
func filesReplaceLink(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/rl", "echo kept > /opt/rl/target", "ln -s target /opt/rl/link"))
	job := s.job(script(
		"cat /opt/rl/target /opt/rl/link",
		"test -L /opt/rl/link || echo regular",
		"cat /w/target /w/link"))
	job.Environment = env
	job.Files = []harness.File{
		{Path: "/opt/rl/link", Data: []byte("new\n")},
		{Path: "/w/target", Data: []byte("kept too\n")},
		{Path: "/w/link", Link: "/w/target"},
		{Path: "/w/link", Data: []byte("new too\n")},
	}
	require.Equal(t, "kept\nnew\nregular\nkept too\nnew too\n", s.ok(t, job))
}

func filesOrder(t *testing.T, s *suite) {
	job := s.job("cat /w/f\n")
	job.Files = []harness.File{{Path: "/w/f", Data: []byte("first\n")}, {Path: "/w/f", Data: []byte("last\n")}}
	require.Equal(t, "last\n", s.ok(t, job))
}

// filesNewer: to a build tool, a source that was put in has changed since the
// environment was built, and is not in the future. Shells may compare whole
// seconds.
func filesNewer(t *testing.T, s *suite) {
	low := s.layer("mkdir -p /opt/nt", "echo x > /opt/nt/f.c", "echo x > /opt/nt/g.c", "echo x > /opt/nt/f.o", "sleep 1")
	source := harness.File{Path: "/opt/nt/g.c", Data: []byte("layer\n")}
	top := s.layer("test /opt/nt/g.c -nt /opt/nt/f.o && echo newer > /opt/nt/layer")
	top.Parent, top.Files = &low, []harness.File{source}
	source = harness.File{Path: "/opt/nt/f.c", Data: []byte("job\n")}
	job := s.job(script(
		"cat /opt/nt/layer",
		"test /opt/nt/f.c -nt /opt/nt/f.o && echo newer",
		"echo x > /opt/nt/later",
		"test /opt/nt/f.c -nt /opt/nt/later || echo not in the future"))
	job.Environment = s.make(t, top)
	s.discard(t, s.prepare(t, low))
	job.Files = []harness.File{source}
	require.Equal(t, "newer\nnewer\nnot in the future\n", s.ok(t, job))
}

// filesEscape: a file put in below a link to a directory of the host must
// not end there. Whether such a job runs or is refused is left open.
func filesEscape(t *testing.T, s *suite) {
	host := t.TempDir()
	job := s.job("true\n")
	job.Files = []harness.File{
		{Path: "/w/out", Link: host},
		{Path: "/w/out/planted", Data: []byte("x")},
		{Path: "/w/up", Link: strings.Repeat("../", 30) + strings.TrimPrefix(host, "/")},
		{Path: "/w/up/planted-too", Data: []byte("x")},
		{Path: "/w/../../../../../.." + host + "/dots", Data: []byte("x")},
	}
	_, err := s.Run(t.Context(), job)
	t.Logf("the driver's answer: %v", err)
	entries, err := os.ReadDir(host)
	require.NoError(t, err)
	require.Empty(t, entries, "files were written to the host, outside of the job")
	require.NoFileExists(t, filepath.Join("/", "dots"))
}

func filesLarge(t *testing.T, s *suite) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	job := s.job("sha256sum /w/large\n")
	job.Files = []harness.File{{Path: "/w/large", Data: data}}
	require.Equal(t, fmt.Sprintf("%x  /w/large\n", sha256.Sum256(data)), s.ok(t, job))
}

// filesRemove: trees and files of the environment go, absent paths are not
// error, and a File at a removed path is there.
func filesRemove(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/rm/tree/deep", "echo x > /opt/rm/tree/deep/f", "echo x > /opt/rm/file", "echo kept > /opt/rm/other"))
	job := s.job(script("ls /opt/rm", "ls /opt/rm/tree", "cat /opt/rm/other"))
	job.Environment = env
	job.Remove = []string{"/opt/rm/tree", "/opt/rm/file", "/opt/absent/path"}
	job.Files = []harness.File{{Path: "/opt/rm/tree/new"}}
	require.Equal(t, "other\ntree\nnew\nkept\n", s.ok(t, job))

	job = s.job("cat /opt/rm/tree/deep/f\n")
	job.Environment = env
	require.Equal(t, "x\n", s.ok(t, job), "the environment itself must keep what a job removed")
}

func filesRemoveLink(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/rl/dir", "echo kept > /opt/rl/dir/f", "ln -s dir /opt/rl/link"))
	job := s.job(script("cat /opt/rl/dir/f", "test -L /opt/rl/link || echo gone"))
	job.Environment = env
	job.Remove = []string{"/opt/rl/link"}
	require.Equal(t, "kept\ngone\n", s.ok(t, job))
}

// filesCaller: the job stays the caller's.
func filesCaller(t *testing.T, s *suite) {
	mk := func() harness.Job {
		job := s.job("echo changed > /w/f\n")
		job.Env = append(make([]string, 0, 8), "B=2", "A=1")
		job.Remove = append(make([]string, 0, 8), "/w/z", "/w/y")
		job.Files = append(make([]harness.File, 0, 8), harness.File{Path: "/w/f", Data: []byte("mine")})
		job.Collect = append(make([]string, 0, 8), "/w/*", "/a/*")
		job.Limits = harness.Limits{}
		return job
	}
	job := mk()
	s.ok(t, job)
	require.Equal(t, mk(), job)
	require.Empty(t, job.Env[:3][2], "the driver appended to the caller's slice")
}
