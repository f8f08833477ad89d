package collect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// told is a change as a line of text.
func told(c Change) string {
	by := ""
	for _, l := range c.Links {
		by += fmt.Sprintf(" %s(%s)", l.Issue, l.By)
	}
	if c.Dropped != "" {
		return fmt.Sprintf("%s %d %q: %s", c.Kind, c.Number, c.Subject, c.Dropped)
	}
	return fmt.Sprintf("%s %d %q:%s", c.Kind, c.Number, c.Subject, by)
}

func find(t *testing.T, s Source, f Filter) (lines []string, changes []Change) {
	t.Helper()
	changes, err := Find(t.Context(), s, f)
	require.NoError(t, err)
	for _, c := range changes {
		lines = append(lines, told(c))
	}
	return lines, changes
}

// TestFind has every form of a change in one history.
func TestFind(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "README.md", "a\n", "CHANGES.md", "# Changes\n", "setup.py", "x\n")
	r.fix("Direct fix, fixes #1")
	r.fix("Squashed (#12)\n\nFixes: #2")
	r.merge("b13", "Merge pull request #13 from a/b13\n\nMerged", "step, closes GH-3", "another step")
	r.merge("b14", "Merge branch 'b14'\n\nA branch", "On a branch, fixes #4")
	r.fix("By changelog (#15)", "CHANGES.md", "# Changes\n- It works. (#5)\n")
	r.fix("By fragment (#16)", "changes/6.bugfix.rst", "It works.\n")
	r.commit("By test name", "src/t.py", "x\n", "tests/test_t.py", "def test_issue_7():\n    pass\n")
	r.fix("About another pull request, fixes #12")
	r.fix("Mentions #8")
	r.fix("No issue")
	r.commit("Docs, fixes #9", "README.md", "b\n")
	r.commit("Settings, fixes #9", "setup.cfg", "b\n")
	r.commit("Only source, fixes #9", "src/only.py", "b\n")
	r.commit("Only tests, fixes #9", "tests/test_only.py", "b\n")
	r.commit("Only a picture, fixes #9", "logo.png", "b\n")
	r.commit("Nothing, fixes #9")
	r.fix("[1.x] Ported, fixes #9")
	r.fix("Backport of it, fixes #9")
	r.fix("Ported, fixes #9\n\n(cherry picked from commit 0123456)")
	r.fix("Revert \"it\", fixes #9")
	bad := r.fix("Bad, fixes #9")
	r.commit("Undo\n\nThis reverts commit "+bad+".", "README.md", "c\n")
	r.fix("Large, fixes #9", "src/a.py", "a\n", "src/b.py", "a\n", "src/c.py", "a\n")

	// A pull request whose two commits were copied one by one.
	r.git("checkout", "--quiet", "-b", "b17")
	first := r.fix("Rebased, part one, fixes #10")
	second := r.fix("Rebased, part two")
	r.git("update-ref", "refs/pull/17/head", second)
	r.git("checkout", "--quiet", "main")
	r.commit("In between", "README.md", "d\n")
	r.git("cherry-pick", first, second)
	// The same merge as above, which only a ref knows.
	head := r.merge("b18", "merged by hand", "By hand, fixes #11")
	r.git("update-ref", "refs/pull/18/head", r.git("rev-parse", head+"^2"))
	r.git("branch", "--quiet", "-D", "b17")

	lines, changes := find(t, r.source(), Filter{MaxFiles: 3})
	require.Equal(t, strings.Split(strings.TrimSpace(`
merge 18 "merged by hand": 11(closing word)
rebase 17 "Rebased, part two": 10(closing word)
direct 0 "In between": documentation_only
direct 0 "Large, fixes #9": too_large
direct 0 "Undo": documentation_only
direct 0 "Bad, fixes #9": reverted
direct 0 "Revert \"it\", fixes #9": revert
direct 0 "Ported, fixes #9": backport
direct 0 "Backport of it, fixes #9": backport
direct 0 "[1.x] Ported, fixes #9": backport
direct 0 "Nothing, fixes #9": empty
direct 0 "Only a picture, fixes #9": no_source
direct 0 "Only tests, fixes #9": no_source
direct 0 "Only source, fixes #9": no_tests
direct 0 "Settings, fixes #9": configuration_only
direct 0 "Docs, fixes #9": documentation_only
direct 0 "No issue": no_issue
direct 0 "Mentions #8": 8(mention)
direct 0 "About another pull request, fixes #12": no_issue
direct 0 "By test name": 7(test name)
squash 16 "By fragment": 6(news fragment)
squash 15 "By changelog": 5(changelog)
merge 0 "A branch": branch_merge
direct 0 "On a branch, fixes #4": 4(closing word)
merge 13 "Merged": 3(closing word)
squash 12 "Squashed": 2(closing word)
direct 0 "Direct fix, fixes #1": 1(closing word)
direct 0 "first": first_commit
`), "\n"), lines)
	again, _ := find(t, r.source(), Filter{MaxFiles: 3})
	require.Equal(t, lines, again)
	for _, c := range changes {
		require.Equal(t, c.Dropped == "", c.Messages != nil, "messages are kept where they are needed: %s", c.ID)
	}
	require.Equal(t, "owner__name-18", changes[0].ID)
	require.Equal(t, "owner__name-"+changes[3].Commit[:12], changes[3].ID)
	require.Len(t, changes[1].Copies, 1)
	require.Len(t, changes[1].Messages, 2)
}

func TestFindWithin(t *testing.T) {
	r := newRepository(t)
	for _, m := range []string{"one", "two, fixes #1 (#5)", "three, fixes #2 (#5)", "four"} {
		r.fix(m) // on 2020-01-02 and so on
	}
	day := func(n int) time.Time { return time.Date(2020, 1, n, 0, 0, 0, 0, time.UTC) }
	lines, changes := find(t, r.source(), Filter{Since: day(3), Until: day(5), Unlinked: true})
	require.Equal(t, []string{
		`direct 0 "four": outside_dates`, `squash 5 "three, fixes #2": 2(closing word)`, `squash 5 "two, fixes #1": 1(closing word)`, `direct 0 "one": first_commit`,
	}, lines)
	require.Equal(t, "owner__name-5", changes[2].ID, "the first has the plain id")
	require.Equal(t, "owner__name-5-"+changes[1].Commit[:12], changes[1].ID)
	lines, _ = find(t, r.source(), Filter{Unlinked: true})
	require.Equal(t, `direct 0 "four":`, lines[0])
}

// TestFindReverted: a pull request that another one reverts by its number.
func TestFindReverted(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "README.md", "a\n")
	r.fix("Bad, fixes #1 (#5)")
	r.fix("Bad elsewhere, fixes #2 (#6)")
	r.fix("Bad as well, fixes #3 (#7)")
	r.fix("Good, fixes #4")
	r.commit("Revert \"Bad\" (#9)\n\nReverts Owner/Name#5", "README.md", "b\n")
	r.commit("Revert another's (#10)\n\nReverts other/name#6", "README.md", "c\n")
	r.commit("Undo it (#11)\n\nReverts #7\nReverts #0", "README.md", "d\n")
	lines, _ := find(t, r.source(), Filter{})
	require.Equal(t, []string{
		`direct 0 "Good, fixes #4": 4(closing word)`, `squash 7 "Bad as well, fixes #3": reverted`, `squash 6 "Bad elsewhere, fixes #2": 2(closing word)`, `squash 5 "Bad, fixes #1": reverted`,
	}, lines[3:7])
}
