package harnesstest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func treeChecks() []check {
	return []check{
		{"content", treeContent},
		{"names", treeNames},
		{"special", treeSpecial},
		{"known", treeKnown},
		{"skip", treeSkip},
		{"limit", treeLimit},
		{"sparse", treeSparse},
		{"hard-links", treeHardLinks},
		{"absent", treeAbsent},
		{"replaced", treeReplaced},
		{"deep", treeDeep},
		{"unreadable", treeUnreadable},
		{"still", treeStill},
		{"no-script", treeNoScript},
		{"refused", treeRefused},
	}
}

// treeOf runs a script and returns the tree of a directory.
func (s *suite) treeOf(t *testing.T, q harness.TreeQuery, lines ...string) []harness.Entry {
	t.Helper()
	job := s.job(script(lines...))
	job.Tree = &q
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End, "output: %s", text(res))
	require.Zero(t, res.ExitCode, "output: %s", text(res))
	require.False(t, res.TreeCut)
	return res.Tree
}

func paths(tree []harness.Entry) []string {
	out := []string{}
	for _, e := range tree {
		out = append(out, e.Path)
	}
	return out
}

func regular(path, content string, mode fs.FileMode) harness.Entry {
	return harness.Entry{Path: path, Mode: mode, Size: int64(len(content)), SHA256: digest(content), Data: []byte(content)}
}

func digest(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

// plain makes an empty file's Data nil, as both say the same.
func plain(tree []harness.Entry) []harness.Entry {
	for i := range tree {
		if len(tree[i].Data) == 0 {
			tree[i].Data = nil
		}
	}
	return tree
}

func treeContent(t *testing.T, s *suite) {
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out"},
		"mkdir -p /out/b/empty", "chmod 700 /out/b", "echo one > /out/b/one", "chmod 755 /out/b/one",
		"echo two > /out/a.txt", "head -c 0 /dev/zero > /out/zero", "chmod 600 /out/zero", "ln -s b/one /out/link")
	zero := regular("zero", "", 0o600)
	zero.Data = nil
	require.Equal(t, []harness.Entry{
		regular("a.txt", "two\n", 0o644),
		{Path: "b", Mode: fs.ModeDir | 0o700},
		{Path: "b/empty", Mode: fs.ModeDir | 0o755},
		regular("b/one", "one\n", 0o755),
		{Path: "link", Mode: fs.ModeSymlink | 0o777, Link: "b/one"},
		zero,
	}, plain(tree))
}

// treeNames: a name is any bytes.
func treeNames(t *testing.T, s *suite) {
	s.need(t, "printf")
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out"},
		"mkdir -p /out/dir", "cd /out", `echo x > "$(printf 'a\nb')"`, `echo x > "$(printf '\377\033[2J')"`, "echo x > -rf", "echo x > 'dir/../ *?['")
	require.Equal(t, []string{" *?[", "-rf", "a\nb", "dir", "\xff\x1b[2J"}, paths(tree))
	for _, e := range tree {
		require.True(t, e.Mode.IsDir() || string(e.Data) == "x\n", "%q", e.Path)
	}
}

// treeSpecial: links are not followed, and nothing that blocks is opened.
func treeSpecial(t *testing.T, s *suite) {
	host := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(host, "private.txt"), []byte(secret), 0o644))
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out"},
		"mkdir -p /out", "ln -s "+host+" /out/host", "ln -s "+strings.Repeat("../", 30)+host[1:]+"/private.txt /out/up",
		"ln -s . /out/loop", "ln -s nowhere /out/nowhere", "ln -s /dev/zero /out/zero", "mkfifo /out/fifo")
	require.Equal(t, []string{"fifo", "host", "loop", "nowhere", "up", "zero"}, paths(tree))
	for _, e := range tree {
		require.Empty(t, e.Data, e.Path)
		require.Zero(t, e.Size, e.Path)
		if e.Path != "fifo" {
			require.Equal(t, fs.ModeSymlink, e.Mode.Type(), e.Path)
		}
	}
	require.Equal(t, fs.ModeNamedPipe, tree[0].Mode.Type())
	require.Equal(t, host, tree[1].Link)
}

func treeKnown(t *testing.T, s *suite) {
	q := harness.TreeQuery{Dir: "/out", Known: map[string]string{"same": digest("x\n"), "changed": digest("x\n"), "gone": digest("x\n")}}
	tree := s.treeOf(t, q, "mkdir /out", "echo x > /out/same", "echo y > /out/changed", "echo x > /out/other")
	require.Equal(t, []string{"changed", "other", "same"}, paths(tree))
	require.Equal(t, "y\n", string(tree[0].Data))
	require.Equal(t, "x\n", string(tree[1].Data), "known is a path's content, not any path's")
	require.Equal(t, harness.Entry{Path: "same", Mode: 0o644, Size: 2, SHA256: digest("x\n")}, tree[2])
}

func treeSkip(t *testing.T, s *suite) {
	q := harness.TreeQuery{Dir: "/out", Skip: []string{".git", "**/target", "*.log"}}
	tree := s.treeOf(t, q, "mkdir -p /out/.git/objects /out/a/target/x /out/a/.git", "echo x > /out/.git/objects/x",
		"echo x > /out/a/target/x/y", "echo x > /out/a/keep.log", "echo x > /out/drop.log", "echo x > /out/a/.git/config")
	require.Equal(t, []string{"a", "a/.git", "a/.git/config", "a/keep.log"}, paths(tree))
}

// treeLimit: the content of all files together is bounded, in the order of a
// walk. Files whose content is left out still have hashes, unless the file alone
// is larger than the bound.
func treeLimit(t *testing.T, s *suite) {
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out", Limit: 1000}, "mkdir /out",
		"head -c 600 /dev/zero > /out/a", "head -c 600 /dev/zero > /out/b", "head -c 300 /dev/zero > /out/c", "head -c 1001 /dev/zero > /out/d")
	require.Equal(t, []string{"a", "b", "c", "d"}, paths(tree))
	for i, want := range []struct {
		data    int
		omitted bool
		hashed  bool
	}{{600, false, true}, {0, true, true}, {300, false, true}, {0, true, false}} {
		require.Len(t, tree[i].Data, want.data, tree[i].Path)
		require.Equal(t, want.omitted, tree[i].Omitted, tree[i].Path)
		require.Equal(t, want.hashed, tree[i].SHA256 != "", tree[i].Path)
	}
	require.EqualValues(t, 1001, tree[3].Size)
}

// treeSparse: files of holes cost neither time nor memory.
func treeSparse(t *testing.T, s *suite) {
	began := time.Now()
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out", Limit: 1 << 20}, "mkdir /out", "echo x > /out/a",
		"truncate -s 100G /out/huge || truncate -s 1G /out/huge")
	require.Less(t, time.Since(began), 40*time.Second)
	require.Equal(t, []string{"a", "huge"}, paths(tree))
	require.Equal(t, "x\n", string(tree[0].Data))
	require.True(t, tree[1].Omitted)
	require.Nil(t, tree[1].Data)
}

// treeHardLinks: each name of a file counts against the limit, also where the
// first name is skipped.
func treeHardLinks(t *testing.T, s *suite) {
	q := harness.TreeQuery{Dir: "/out", Limit: 1000, Skip: []string{".hidden"}}
	tree := s.treeOf(t, q, "mkdir -p /out/.hidden", "head -c 400 /dev/zero > /out/.hidden/a",
		"ln /out/.hidden/a /out/b", "ln /out/.hidden/a /out/c", "ln /out/.hidden/a /out/d")
	require.Equal(t, []string{"b", "c", "d"}, paths(tree))
	total := 0
	for _, e := range tree {
		total += len(e.Data)
		require.EqualValues(t, 400, e.Size)
		require.Equal(t, digest(strings.Repeat("\x00", 400)), e.SHA256)
		require.Equal(t, e.Omitted, e.Data == nil)
	}
	require.Equal(t, 800, total)
}

func treeAbsent(t *testing.T, s *suite) {
	for _, lines := range [][]string{
		{"true"},
		{"echo x > /out"},
		{"ln -s /etc /out"},
		{"mkdir /out"},
	} {
		require.Empty(t, s.treeOf(t, harness.TreeQuery{Dir: "/out"}, lines...), lines)
	}
}

// treeReplaced: a directory that a link leads to is not the one asked for.
func treeReplaced(t *testing.T, s *suite) {
	require.Empty(t, s.treeOf(t, harness.TreeQuery{Dir: "/out/a/b"}, "mkdir -p /other/b /out", "echo x > /other/b/f", "ln -s /other /out/a"))
}

// treeDeep: directories below the longest path that can be opened hide
// nothing else.
func treeDeep(t *testing.T, s *suite) {
	s.need(t, "python3")
	tree := s.treeOf(t, harness.TreeQuery{Dir: "/out"}, "mkdir /out", "echo x > /out/z", "cd /out", `python3 -c '
import os
for i in range(3000):
    os.mkdir("dd")
    os.chdir("dd")
open("f", "w").close()
'`)
	require.Greater(t, len(tree), 1000)
	last := tree[len(tree)-1]
	require.Equal(t, "z", last.Path)
	require.Equal(t, "x\n", string(last.Data))
}

// treeUnreadable: what a job's user shut is still listed.
func treeUnreadable(t *testing.T, s *suite) {
	job := s.job("mkdir -p /tmp/out/shut\necho ok > /tmp/out/shut/f\nchmod 0 /tmp/out/shut/f /tmp/out/shut\n")
	job.User = "nobody"
	job.Tree = &harness.TreeQuery{Dir: "/tmp/out"}
	res := s.run(t, job)
	require.Equal(t, []harness.Entry{{Path: "shut", Mode: fs.ModeDir}, regular("shut/f", "ok\n", 0)}, res.Tree)
}

// treeStill: processes that keep writing are dead before the tree is read,
// also where a limit ended the job.
func treeStill(t *testing.T, s *suite) {
	s.need(t, "setsid")
	job := s.job(script("mkdir /out", "echo 'while :; do i=$((i+1)); echo $i > /out/f$((i%50)); done' > /w/busy",
		"for i in 1 2 3; do setsid sh /w/busy & done", "sleep 600"))
	job.Limits.Time = 2 * time.Second
	job.Files = []harness.File{{Path: "/w/x"}}
	job.Tree = &harness.TreeQuery{Dir: "/out"}
	res := s.run(t, job)
	require.Equal(t, harness.TimedOut, res.End, "output: %s", text(res))
	require.NotEmpty(t, res.Tree)
	for _, e := range res.Tree {
		require.Equal(t, digest(string(e.Data)), e.SHA256, e.Path)
		require.Len(t, e.Data, int(e.Size), e.Path)
	}
	s.clean(t)
}

// treeNoScript: a tree before anything ran.
func treeNoScript(t *testing.T, s *suite) {
	env := s.make(t, s.layer("mkdir -p /opt/only", "echo env > /opt/only/env", "echo gone > /opt/only/gone"))
	job := s.job("")
	job.Environment = env
	job.Remove = []string{"/opt/only/gone"}
	job.Files = []harness.File{{Path: "/opt/only/job", Data: []byte("job\n"), Mode: 0o755}}
	job.Tree = &harness.TreeQuery{Dir: "/opt/only"}
	res := s.run(t, job)
	require.Equal(t, []harness.Entry{regular("env", "env\n", 0o644), regular("job", "job\n", 0o755)}, res.Tree)
}

func treeRefused(t *testing.T, s *suite) {
	job := s.job("true\n")
	job.Tree = &harness.TreeQuery{Dir: "out"}
	_, err := s.Run(t.Context(), job)
	require.ErrorContains(t, err, "not an absolute path")
	require.False(t, harness.Retryable(err))
}
