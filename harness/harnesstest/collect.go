package harnesstest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func collectChecks() []check {
	return []check{
		{"globs", collectGlobs},
		{"content", collectContent},
		{"regular-only", collectRegularOnly},
		{"escape", collectEscape},
		{"loop", collectLoop},
		{"unreadable", collectUnreadable},
		{"after-failure", collectAfterFailure},
		{"after-timeout", collectAfterTimeout},
		{"limit", collectLimit},
		{"sparse", collectSparse},
		{"no-script", collectNoScript},
	}
}

func collectGlobs(t *testing.T, s *suite) {
	job := s.job(script(
		"mkdir -p /out/a/b/c '/out/sp ace'",
		"echo 1 > /out/one.xml", "echo 2 > /out/a/two.xml", "echo 3 > /out/a/b/c/three.xml",
		"echo 4 > /out/a/four.txt", "echo 5 > '/out/sp ace/five.xml'", "echo 6 > /out/.hidden.xml"))
	tests := map[string][]string{
		"/out/*.xml":       {"/out/.hidden.xml", "/out/one.xml"},
		"/out/**/*.xml":    {"/out/.hidden.xml", "/out/a/b/c/three.xml", "/out/a/two.xml", "/out/one.xml", "/out/sp ace/five.xml"},
		"/out/a/**":        {"/out/a/b/c/three.xml", "/out/a/four.txt", "/out/a/two.xml"},
		"/out/*/[ft]*.???": {"/out/a/four.txt", "/out/a/two.xml", "/out/sp ace/five.xml"},
		"/out/a/four.txt":  {"/out/a/four.txt"},
		"/out/absent/**":   {},
		"/out/a":           {},
	}
	for pattern, want := range tests {
		job.Collect = []string{pattern}
		res := s.run(t, job)
		require.Equal(t, want, names(res), pattern)
	}
	job.Collect = []string{"/out/*.xml", "/out/a/*", "/out/one.*"}
	require.Equal(t, []string{"/out/.hidden.xml", "/out/a/four.txt", "/out/a/two.xml", "/out/one.xml"}, names(s.run(t, job)))
}

func collectContent(t *testing.T, s *suite) {
	data := []byte("\x00\xff\r\nbinary\n")
	job := s.job("mkdir /out\ncat /w/in > /out/copy\nhead -c 0 /dev/zero > /out/empty\nhead -c 3000000 /dev/zero > /out/large\n")
	job.Files = []harness.File{{Path: "/w/in", Data: data}}
	job.Collect = []string{"/out/*"}
	res := s.run(t, job)
	require.Equal(t, []string{"/out/copy", "/out/empty", "/out/large"}, names(res))
	require.Equal(t, data, res.Files["/out/copy"])
	require.Empty(t, res.Files["/out/empty"])
	require.Len(t, res.Files["/out/large"], 3000000)
}

// collectRegularOnly: neither links are returned nor anything that blocks or
// never ends when read.
func collectRegularOnly(t *testing.T, s *suite) {
	job := s.job(script(
		"mkdir -p /out/dir.xml",
		"echo fine > /out/file.xml",
		"ln -s /etc/passwd /out/passwd.xml",
		"ln -s file.xml /out/near.xml",
		"ln -s /nowhere /out/dangling.xml",
		"mkfifo /out/fifo.xml"))
	job.Collect = []string{"/out/*.xml", "/out/**", "/dev/zero", "/dev/null"}
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, []string{"/out/file.xml"}, names(res))
}

// collectEscape: directories of the host that a job's links aim at are not
// read.
func collectEscape(t *testing.T, s *suite) {
	host := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(host, "private.txt"), []byte(secret), 0o644))
	job := s.job(script(
		"mkdir -p /out/sub",
		"ln -s "+host+" /out/abs",
		"ln -s "+strings.Repeat("../", 30)+strings.TrimPrefix(host, "/")+" /out/rel",
		"echo ok > /out/sub/ok.txt"))
	job.Collect = []string{"/out/**", "/out/*/private.txt", "/out/abs/private.txt", "/out/rel/*", host + "/*"}
	require.Equal(t, []string{"/out/sub/ok.txt"}, names(s.run(t, job)))
}

// collectLoop: links between directories do not trap the walk.
func collectLoop(t *testing.T, s *suite) {
	job := s.job("mkdir -p /out/a\nln -s . /out/self\nln -s .. /out/a/up\necho ok > /out/a/ok.txt\n")
	job.Collect = []string{"/out/**/ok.txt"}
	require.Equal(t, []string{"/out/a/ok.txt"}, names(s.run(t, job)))
}

// collectUnreadable: what a job's user shut is still collected.
func collectUnreadable(t *testing.T, s *suite) {
	job := s.job("mkdir -p /tmp/out/shut\necho ok > /tmp/out/shut/f.txt\nchmod 0 /tmp/out/shut/f.txt /tmp/out/shut\n")
	job.User = "nobody"
	job.Collect = []string{"/tmp/out/**"}
	require.Equal(t, []string{"/tmp/out/shut/f.txt"}, names(s.run(t, job)))
}

func collectAfterFailure(t *testing.T, s *suite) {
	job := s.job("mkdir /out\necho partly > /out/f\nexit 4\n")
	job.Collect = []string{"/out/*"}
	res := s.run(t, job)
	require.Equal(t, 4, res.ExitCode)
	require.Equal(t, "partly\n", string(res.Files["/out/f"]))
}

func collectAfterTimeout(t *testing.T, s *suite) {
	job := s.job("mkdir /out\necho partly > /out/f\nsleep 600\n")
	job.Limits.Time = 2 * time.Second
	job.Collect = []string{"/out/*"}
	res := s.run(t, job)
	require.Equal(t, harness.TimedOut, res.End)
	require.Equal(t, "partly\n", string(res.Files["/out/f"]))
}

// collectLimit: files that are too large together are not collected, and the
// script's own outcome is still reported.
func collectLimit(t *testing.T, s *suite) {
	job := s.job("mkdir /out\nhead -c 400000 /dev/zero > /out/a\nhead -c 400000 /dev/zero > /out/b\nexit 5\n")
	job.Collect = []string{"/out/*"}
	job.Limits.Collected = 500000
	res := s.run(t, job)
	require.Equal(t, harness.CollectLimit, res.End)
	require.Equal(t, 5, res.ExitCode)
	require.LessOrEqual(t, collected(res), 500000)

	job.Limits.Collected = 800000
	res = s.run(t, job)
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, 800000, collected(res))
}

// collectSparse: a huge file of holes costs neither time nor memory.
func collectSparse(t *testing.T, s *suite) {
	job := s.job("mkdir /out\ntruncate -s 100G /out/huge || truncate -s 3G /out/huge\n")
	job.Collect = []string{"/out/*"}
	job.Limits.Collected = 1 << 20
	began := time.Now()
	res := s.run(t, job)
	require.Less(t, time.Since(began), 20*time.Second)
	require.Equal(t, harness.CollectLimit, res.End)
	require.LessOrEqual(t, collected(res), 1<<20)
}

// collectNoScript: files of the environment and of the job, and nothing is
// started.
func collectNoScript(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/only", "echo env > /opt/only/env", "echo gone > /opt/only/gone"))
	job := s.job("")
	job.Environment = env
	job.Remove = []string{"/opt/only/gone"}
	job.Files = []harness.File{{Path: "/opt/only/job", Data: []byte("job\n")}}
	job.Collect = []string{"/opt/only/*"}
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End)
	require.Zero(t, res.ExitCode)
	require.Empty(t, text(res))
	require.Equal(t, map[string][]byte{"/opt/only/env": []byte("env\n"), "/opt/only/job": []byte("job\n")}, res.Files)
}

func names(res harness.Result) []string {
	return append([]string{}, slices.Sorted(maps.Keys(res.Files))...)
}

func collected(res harness.Result) int {
	n := 0
	for _, data := range res.Files {
		n += len(data)
	}
	return n
}
