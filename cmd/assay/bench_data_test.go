package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// benchModules is how many modules, each with a bug of its own, the benchmarks'
// repository has.
const benchModules = 20

// benchRepo is a small Python repository with its mirror's folder above it.
type benchRepo struct {
	mirrors string // for --repos
	dir     string
	commits []string // oldest first
}

const benchRepoName = "acme/ranges"

// newBenchRepo makes a repository of a number of commits. Besides the modules
// it holds ballast bytes of text in eight files, of which each commit changes
// one.
func newBenchRepo(b *testing.B, commits, ballast int) benchRepo {
	mirrors := b.TempDir()
	r := benchRepo{mirrors: mirrors, dir: filepath.Join(mirrors, filepath.FromSlash(benchRepoName))}
	r.write(b, "ranges/__init__.py", "")
	r.write(b, "tests/__init__.py", "")
	for n := range benchModules {
		r.write(b, modulePath(n), moduleText(n, false))
		r.write(b, moduleTestPath(n), moduleTestText(n, false))
	}
	r.git(b, "init", "-q", "-b", "main")
	for c := range commits {
		for f := range 8 {
			if ballast > 0 && (c == 0 || c%8 == f) {
				r.write(b, fmt.Sprintf("data/table_%d.txt", f), ballastText(ballast/8, c*8+f))
			}
		}
		r.write(b, "CHANGES", fmt.Sprintf("change %d\n", c))
		r.git(b, "add", "-A")
		r.git(b, "commit", "-q", "-m", fmt.Sprintf("change %d", c))
		r.commits = append(r.commits, strings.TrimSpace(r.git(b, "rev-parse", "HEAD")))
	}
	return r
}

func (r benchRepo) write(b *testing.B, name, text string) {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(b, os.WriteFile(path, []byte(text), 0o644))
}

func (r benchRepo) git(b *testing.B, args ...string) string {
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_DATE=2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	require.NoError(b, err, complaints.String())
	return string(out)
}

// change is the diff that puts a text in the place of a file's.
func (r benchRepo) change(b *testing.B, name, text string) string {
	before, err := os.ReadFile(filepath.Join(r.dir, name))
	require.NoError(b, err)
	r.write(b, name, text)
	diff := r.git(b, "diff", "--", name)
	r.write(b, name, string(before))
	return diff
}

// instances makes n instances over the modules; commit says at which commit
// each is.
func (r benchRepo) instances(b *testing.B, n int, commit func(i int) string) []bench.Instance {
	var code, tests [benchModules]string
	for m := range min(n, benchModules) {
		code[m] = r.change(b, modulePath(m), moduleText(m, true))
		tests[m] = r.change(b, moduleTestPath(m), moduleTestText(m, true))
	}
	out := make([]bench.Instance, n)
	for i := range out {
		m := i % benchModules
		id := func(test string) string { return moduleTestPath(m) + "::" + test }
		out[i] = bench.Instance{
			ID: fmt.Sprintf("acme__ranges-%d", i+1), Repo: benchRepoName, BaseCommit: commit(i), Language: "python",
			Patch: code[m], TestPatch: tests[m], ProblemStatement: "The last number of a range is not counted.",
			FailToPass: bench.TestIDs{id("test_both_ends"), id("TestOne::test_one")},
			PassToPass: bench.TestIDs{id("test_empty"), id("test_shift[0]"), id("test_shift[1]"), id("test_shift[2]")},
		}
	}
	return out
}

func modulePath(n int) string     { return fmt.Sprintf("ranges/part_%02d.py", n) }
func moduleTestPath(n int) string { return fmt.Sprintf("tests/test_part_%02d.py", n) }

func moduleText(n int, fixed bool) string {
	count := "high - low"
	if fixed {
		count += " + 1"
	}
	return fmt.Sprintf(`"""Closed ranges of whole numbers, part %d."""


def count(low, high):
    """How many numbers low..high holds."""
    if high < low:
        return 0
    return %s


def shift(x, by=%d):
    return x + by
`, n, count, n)
}

func moduleTestText(n int, hidden bool) string {
	text := fmt.Sprintf(`import pytest

from ranges.part_%02d import count, shift


def test_empty():
    assert count(3, 2) == 0


@pytest.mark.parametrize("x", [0, 1, 2])
def test_shift(x):
    assert shift(x) == x + %d
`, n, n)
	if hidden {
		text += `

def test_both_ends():
    assert count(1, 10) == 10


class TestOne:
    def test_one(self):
        assert count(7, 7) == 1
`
	}
	return text
}

// ballastText is n bytes of text that does not compress to nothing.
func ballastText(n, seed int) string {
	var b strings.Builder
	x := uint64(seed)*2654435761 + 1
	for b.Len() < n {
		x = x*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&b, "%016x\n", x)
	}
	return b.String()[:n]
}

// writeDataset writes instances as JSON Lines.
func writeDataset(b *testing.B, instances ...bench.Instance) string {
	path := filepath.Join(b.TempDir(), "dataset.jsonl")
	f, err := os.Create(path)
	require.NoError(b, err)
	defer f.Close()
	for _, in := range instances {
		require.NoError(b, bench.WriteInstance(f, in))
	}
	return path
}

// writeLargeDataset writes n instances of about size bytes each, one by one:
// the memory of this process counts into what the kernel reports as its
// children's peak.
func writeLargeDataset(b *testing.B, n, size int) string {
	path := filepath.Join(b.TempDir(), "large.jsonl")
	f, err := os.Create(path)
	require.NoError(b, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	diff := func(name string) string {
		return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1 +1 @@\n-x = 1\n+x = 2\n", name)
	}
	in := bench.Instance{
		Language: "python", Patch: diff("m.py"), TestPatch: diff("tests/test_m.py"),
		ProblemStatement: strings.Repeat("The count is wrong where the range has one number. ", size/51+1)[:size-600],
		FailToPass:       bench.TestIDs{"tests/test_m.py::test_a"}, PassToPass: bench.TestIDs{"tests/test_m.py::test_b"},
	}
	for i := range n {
		in.ID = fmt.Sprintf("acme__ranges-%d", i+1)
		in.Repo, in.BaseCommit = fmt.Sprintf("acme/ranges%d", i%50), fmt.Sprintf("%040x", i+1)
		require.NoError(b, bench.WriteInstance(w, in))
	}
	require.NoError(b, w.Flush())
	return path
}
