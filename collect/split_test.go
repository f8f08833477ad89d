package collect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func split(t *testing.T, r *made, f Filter) []Part {
	t.Helper()
	_, changes := find(t, r.source(), f)
	var candidates []Change
	for _, c := range changes {
		if c.Dropped == "" {
			candidates = append(candidates, c)
		}
	}
	parts, err := Split(t.Context(), r.source(), f, Issues{}, candidates, nil)
	require.NoError(t, err)
	return parts
}

// paths are the files that a diff names.
func paths(diff string) string {
	var out []string
	for line := range strings.Lines(diff) {
		if rest, ok := strings.CutPrefix(line, "diff --git "); ok {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return strings.Join(out, "; ")
}

func TestSplitByPath(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n", "helper.py", "def help():\n    return 1\n", "conftest.py", "c\n")
	base := r.git("rev-parse", "HEAD")
	r.fix("A fix of several files, fixes #1", "conftest.py", "d\n", "CHANGES.md", "- text (#1)\n", "tests/data/x.bin", "\x00\x01\n", "pyproject.toml", "[project]\n")
	parts := split(t, r, Filter{})
	require.Len(t, parts, 1)
	inst := parts[0].Instance
	require.Equal(t, base, inst.BaseCommit)
	require.Equal(t, "a/CHANGES.md b/CHANGES.md; a/pyproject.toml b/pyproject.toml; a/src/m1.py b/src/m1.py", paths(inst.Patch))
	require.Equal(t, "a/conftest.py b/conftest.py; a/tests/data/x.bin b/tests/data/x.bin; a/tests/test_m1.py b/tests/test_m1.py", paths(inst.TestPatch))
	require.Equal(t, "python", inst.Language)
	require.Equal(t, "2020-01-03T00:00:00Z", inst.CreatedAt)
	require.Equal(t, "A fix of several files, fixes #1\n\nFrom the changelog:\n- text", inst.ProblemStatement)
	require.Equal(t, "collected from the history; problem statement: commit message, changelog", inst.Provenance.Notes)
	var about Collected
	require.NoError(t, json.Unmarshal(inst.Extra["collected"], &about))
	require.Equal(t, Direct, about.Kind)
	require.Equal(t, 2, about.SourceFiles)
	require.Empty(t, inst.Check())
}

// TestSplitIssues: the instance names the issues that gave its statement, and
// how many lines are of each.
func TestSplitIssues(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	r.fix("Fix two of them, fixes #1, #3\n\nFixes #9 as well. See #4. Fixes #5.")
	_, changes := find(t, r.source(), Filter{})
	is, err := ReadIssues("f", strings.NewReader(`{"number": 3, "title": "It breaks"}
{"number": 5, "title": "It breaks too", "body": "Steps:\r\n1. run"}
{"number": 4, "title": "Beside"}
`))
	require.NoError(t, err)
	parts, err := Split(t.Context(), r.source(), Filter{}, is, changes[:1], nil)
	require.NoError(t, err)
	require.Equal(t, "It breaks\n\nIt breaks too\nSteps:\n1. run", parts[0].Instance.ProblemStatement)
	var about Collected
	require.NoError(t, json.Unmarshal(parts[0].Instance.Extra["collected"], &about))
	require.Equal(t, []Used{{Issue: "3", Lines: 1}, {Issue: "5", Lines: 3}}, about.Issues)
}

// TestSplitMoves: a file that moves between code and tests is removed by one
// patch and added by the other.
func TestSplitMoves(t *testing.T) {
	r := newRepository(t)
	text := strings.Repeat("a line of a helper\n", 20)
	r.commit("first", "src/a.py", "a\n", "src/helper.py", text, "src/old.py", strings.Repeat("code\n", 20))
	r.fix("Move the helper to the tests, fixes #1", "src/helper.py", "", "tests/helper.py", text)
	r.fix("Move some code about, fixes #2", "src/old.py", "", "src/new.py", strings.Repeat("code\n", 20))
	parts := split(t, r, Filter{})
	require.Len(t, parts, 2)
	require.Contains(t, parts[0].Instance.Patch, "rename to src/new.py")
	require.Contains(t, paths(parts[1].Instance.Patch), "a/src/helper.py b/src/helper.py")
	require.Contains(t, paths(parts[1].Instance.TestPatch), "a/tests/helper.py b/tests/helper.py")
	require.NotContains(t, parts[1].Instance.Patch+parts[1].Instance.TestPatch, "rename")
}

// TestSplitBase: a merge starts where its branch left the main line, or last
// took something from it.
func TestSplitBase(t *testing.T) {
	r := newRepository(t)
	fork := r.commit("first", "src/a.py", "a\n")
	r.git("checkout", "--quiet", "-b", "b")
	r.fix("On the branch, fixes #1")
	r.git("checkout", "--quiet", "main")
	r.fix("On the main line")
	r.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request #5 from a/b\n\nWhat it is for", "b")
	require.Equal(t, fork, split(t, r, Filter{})[0].Instance.BaseCommit)
	r.git("checkout", "--quiet", "-b", "c")
	r.fix("On another branch, fixes #2")
	r.git("checkout", "--quiet", "main")
	tip := r.fix("On the main line again")
	r.git("checkout", "--quiet", "c")
	r.git("merge", "--quiet", "-m", "Merge branch 'main' into c", "main")
	r.git("checkout", "--quiet", "main")
	r.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request #6 from a/c\n\nWhat else it is for", "c")
	parts := split(t, r, Filter{})
	require.Equal(t, "owner__name-6", parts[0].ID)
	require.Equal(t, tip, parts[0].Instance.BaseCommit)
	require.NotContains(t, parts[0].Instance.Patch, "On the main line")
}

func TestSplitDrops(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	test := []string{"tests/test_a.py", "def test_a():\n    pass\n"}
	r.commit("Not in UTF-8, fixes #1", append(test, "src/b.py", "caf\xe9\n")...)
	r.commit("Fix #2", "tests/test_c.py", "pass\n", "src/c.py", "c\n")
	r.commit("It only removes tests, fixes #3", "tests/test_c.py", "", "src/c.py", "d\n")
	r.commit("It is too long, fixes #4", "tests/test_c.py", "pass\n", "src/c.py", strings.Repeat("d\n", 50))
	r.fix("The same twice, fixes #5")
	r.git("revert", "--no-edit", "HEAD")
	r.git("commit", "--amend", "--quiet", "-m", "Away with it")
	r.git("revert", "--no-edit", "HEAD")
	r.git("commit", "--amend", "--quiet", "-m", "The same once more, fixes #5")
	got := map[Reason]string{}
	for _, p := range split(t, r, Filter{MaxLines: 20}) {
		got[p.Dropped] = p.Detail
		require.Equal(t, p.Dropped == "" || p.Dropped == NoStatement, p.Instance != nil)
	}
	require.Equal(t, "the patch is not UTF-8", got[Unsplittable])
	require.Equal(t, "1 source files, 49 lines", got[TooLarge])
	require.Contains(t, got, NoStatement)
	require.Contains(t, got, NoTests)
	require.Regexp(t, "^of owner__name-", got[Duplicate])
	require.Contains(t, got, Reason(""))
}

// TestSplitSameUntold: of changes without a statement only the first is kept,
// and none that another one with a statement has in full.
func TestSplitSameUntold(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n", "tests/test_a.py", "pass\n")
	for _, message := range []string{"Fix #2", "Fix #3", "It counts in the wrong direction, fixes #4", "Fix #5"} {
		r.commit(message, "src/a.py", "b\n", "tests/test_a.py", "assert b\n")
		r.commit("Away with it", "src/a.py", "a\n", "tests/test_a.py", "pass\n")
	}
	var got []Reason
	for _, p := range split(t, r, Filter{}) {
		got = append(got, p.Dropped)
	}
	require.Equal(t, []Reason{Duplicate, "", Duplicate, NoStatement}, got, "newest first")
}

// TestFolder: the same command changes nothing, a later commit only adds.
func TestFolder(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	r.fix("The first fix, fixes #1")
	dir := t.TempDir()
	gather := func(f Filter) (string, string) {
		folder, err := OpenFolder(dir, f)
		require.NoError(t, err)
		require.NoError(t, folder.Gather(t.Context(), r.source(), Issues{}))
		c, err := os.ReadFile(filepath.Join(dir, candidatesFile))
		require.NoError(t, err)
		s, err := os.ReadFile(filepath.Join(dir, splitFile))
		require.NoError(t, err)
		return string(c), string(s)
	}
	c1, s1 := gather(Filter{})
	c2, s2 := gather(Filter{})
	require.Equal(t, c1, c2)
	require.Equal(t, s1, s2)
	require.NoError(t, os.Remove(filepath.Join(dir, splitFile)), "a stage that was cut is done again")
	_, s2 = gather(Filter{})
	require.Equal(t, s1, s2)

	r.fix("A later fix, fixes #2")
	r.fix("No issue at all")
	c3, s3 := gather(Filter{})
	require.Equal(t, c1, c3[:len(c1)], "what was there stays")
	require.Equal(t, s1, s3[:len(s1)])
	require.Equal(t, 4, strings.Count(c3, "\n"))
	require.Equal(t, 2, strings.Count(s3, "\n"))

	folder, err := ReadFolder(dir)
	require.NoError(t, err)
	require.Equal(t, []Count{
		{"owner/name", "", StageFind, FirstCommit, 1}, {"owner/name", "python", StageFind, "", 2}, {"owner/name", "python", StageFind, NoIssue, 1},
		{"owner/name", "python", StageSplit, "", 2},
	}, folder.Funnel())
	_, err = OpenFolder(dir, Filter{MaxFiles: 1})
	require.ErrorContains(t, err, "other filters")
	_, err = ReadFolder(t.TempDir())
	require.ErrorContains(t, err, "holds no collection")
	require.NoError(t, os.WriteFile(filepath.Join(dir, splitFile), []byte("{}\n{\n"), 0o644))
	_, err = ReadFolder(dir)
	require.ErrorContains(t, err, "split.jsonl:2: ")
}

// TestFolderIssues: a folder keeps to the export with which a repository came.
func TestFolderIssues(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	r.fix("The first fix of all, fixes #1")
	read := func(text string) Issues {
		is, err := ReadIssues("f", strings.NewReader(text))
		require.NoError(t, err)
		return is
	}
	one, two := read(`{"number": 1, "title": "It breaks"}`), read(`{"number": 1, "title": "It breaks still"}`)
	for name, c := range map[string]struct {
		first, later Issues
		wrong        string
	}{
		"the same": {one, one, ""},
		"another":  {one, two, "holds owner/name with other issues (sha256 " + one.digest[:12] + ", now sha256 " + two.digest[:12] + "): it has no new commits, so give the same --issues (and --api), or choose another folder"},
		"later":    {Issues{}, one, "(none, now sha256 "},
		"none":     {one, Issues{}, ", now none)"},
	} {
		dir := t.TempDir()
		gather := func(is Issues) error {
			folder, err := OpenFolder(dir, Filter{})
			require.NoError(t, err)
			return folder.Gather(t.Context(), r.source(), is)
		}
		require.NoError(t, gather(c.first), name)
		if c.wrong == "" {
			require.NoError(t, gather(c.later), name)
			continue
		}
		require.ErrorContains(t, gather(c.later), c.wrong, name)
	}
}

// TestNewerIssues: a newer export comes with new commits, and leaves what was
// split before as it is.
func TestNewerIssues(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	r.fix("The first fix of all, fixes #1")
	dir := t.TempDir()
	gather := func(text string) []Part {
		is, err := ReadIssues("f", strings.NewReader(text))
		require.NoError(t, err)
		folder, err := OpenFolder(dir, Filter{})
		require.NoError(t, err)
		require.NoError(t, folder.Gather(t.Context(), r.source(), is))
		return folder.Parts
	}
	before := gather(`{"number": 1, "title": "It breaks on the first call"}`)
	require.Len(t, before, 1)
	r.fix("The second fix of all, fixes #2")
	after := gather(`{"number": 1, "title": "It was always so"}` + "\n" + `{"number": 2, "title": "It breaks on the second call"}`)
	require.Len(t, after, 2)
	require.Equal(t, before[0], after[0])
	require.Contains(t, after[1].Instance.ProblemStatement, "on the second call")
}

// TestReasonsAreListed: the table of the funnel leaves none out.
func TestReasonsAreListed(t *testing.T) {
	listed := map[Reason]bool{}
	for _, r := range Reasons() {
		require.False(t, listed[r], r)
		listed[r] = true
	}
	declared := 0
	for _, file := range []string{"change.go", "validate.go"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		declared += len(regexp.MustCompile(` Reason += "`).FindAll(data, -1))
	}
	require.Equal(t, len(listed), declared)
}
