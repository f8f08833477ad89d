package collect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/mirror"
	"assay/languages"
)

func TestLinks(t *testing.T) {
	p := patterns{repo: "owner/name", pull: func(n int) bool { return n == 900 }}
	for message, want := range map[string][]Link{
		"Fixes #1":                    {{"1", ByClosingWord}},
		"Fixes: #1":                   {{"1", ByClosingWord}},
		"closed  #12.":                {{"12", ByClosingWord}},
		"resolve owner/name#3":        {{"3", ByClosingWord}},
		"Resolves OWNER/Name#3":       {{"3", ByClosingWord}},
		"fix other/name#3":            nil,
		"fix GH-4":                    {{"4", ByClosingWord}},
		"Fixes issue #5":              {{"5", ByClosingWord}},
		"fixed issue 6 of long ago":   {{"6", ByClosingWord}},
		"fix 7 warnings":              nil,
		"fixes #1, #2 and #3":         {{"1", ByClosingWord}, {"2", ByClosingWord}, {"3", ByClosingWord}},
		"fixes #1, closes #2":         {{"1", ByClosingWord}, {"2", ByClosingWord}},
		"Close bugs #1 & #2":          {{"1", ByClosingWord}, {"2", ByClosingWord}},
		"Fix a thing (fixes #8) (#9)": {{"8", ByClosingWord}, {"9", ByMention}},
		"fixes [#10]":                 {{"10", ByClosingWord}},
		"Fixes #900":                  nil, // a pull request
		"prefixes #1":                 {{"1", ByMention}},
		"fixes https://github.com/owner/name/issues/11":             {{"11", ByClosingWord}},
		"fixes https://github.com/owner/name/issues/11#comment-2 .": {{"11", ByClosingWord}},
		"fixes https://github.com/other/name/issues/11":             nil,
		"fixes https://github.com/owner/name/pull/12":               nil,
		"see https://github.com/owner/name/issues/13":               {{"13", ByMention}},
		"Text.\n\nIssue: #14":                                       {{"14", ByTrailer}},
		"Text.\n\nBug: 15":                                          {{"15", ByTrailer}},
		"Text.\n\nIssues: #16, #17":                                 {{"16", ByTrailer}, {"17", ByTrailer}},
		"Text.\n\nFixes: 123456789ab":                               nil, // a commit
		"<!-- fixes #18 -->":                                        nil,
		"ABC-12: a thing":                                           {{"ABC-12", ByKey}},
		"[ABC-12] a thing":                                          {{"ABC-12", ByKey}},
		"UTF-8: a thing":                                            nil,
		"about #19":                                                 {{"19", ByMention}},
		"about #19, fixes #19":                                      {{"19", ByClosingWord}},
		"#0 and #1234567":                                           nil,
		"Resolve a crash - issue 291":                               {{"291", ByMention}},
		"Bug 42: a thing. Ticket no. 43, issue 44.":                 {{"42", ByMention}, {"43", ByMention}, {"44", ByMention}},
		"fix issue 45, see issue 45":                                {{"45", ByClosingWord}},
		"issue 900, bug 2, issues 46 files, tissue 47":              nil,
		"issue 10.5, bug 2020-12-01, issue 50% of it, bug 10x":      nil,
	} {
		require.Equal(t, want, p.links([]string{message}), message)
	}
	require.Equal(t, []Link{{"2", ByClosingWord}, {"1", ByMention}}, p.links([]string{"on #1", "Fix #2", "Merge pull request #3 from x"}))
}

func TestInTestNames(t *testing.T) {
	for name, want := range map[string][]string{
		"test_issue_7": {"7"}, "test_gh12": {"12"}, "issue_7_test.py": {"7"}, "test_issues-8.py": {"8"}, "testIssue9": {"9"}, "testGH10": {"10"}, "TestGitHub11": {"11"}, "XMLBug12": {"12"},
		"Issue13Test.java": {"13"}, "bug_1_and_bug_2": {"1", "2"}, "test2_bug3": {"3"}, "testBUG_4": {"4"},
		"test_high_1": nil, "test_debug_2": nil, "TestHigh10": nil, "TestDEBUG2": nil, "test_tissue5": nil, "test_issue_1234567": nil, "test_length_3": nil, "test_issue": nil,
	} {
		require.Equal(t, want, inTestNames([]string{name}), name)
	}
}

// TestLinksOfTests: the names of new files and of tests count, not those of
// folders, classes and old files.
func TestLinksOfTests(t *testing.T) {
	p := patterns{repo: "owner/name", pull: func(int) bool { return false }}
	l := languages.Default().Named("python")
	declares := []string{"def test_issue_5():", "    pass"}
	for _, c := range []struct {
		added mirror.AddedLines
		want  []Link
	}{
		{mirror.AddedLines{Path: "tests/test_issue_4.py", Lines: declares, New: true}, []Link{{"4", ByTestName}, {"5", ByTestName}}},
		{mirror.AddedLines{Path: "tests/test_issue_4.py", Lines: declares}, []Link{{"5", ByTestName}}},
		{mirror.AddedLines{Path: "tests/issue_3/test_a.py", Lines: []string{"class TestIssue6:", "    def test_a(self):", "        pass"}, New: true}, nil},
	} {
		links, _ := p.fromFiles(l, []mirror.AddedLines{c.added})
		require.Equal(t, c.want, links, c.added.Path)
	}
}

func FuzzLinks(f *testing.F) {
	for _, seed := range []string{"Fixes: #1, GH-2 & owner/name#3", "fixes issue 4 and 5", "Bug: https://github.com/owner/name/issues/6", "[ABC-1] <!--", "ticket no 12."} {
		f.Add(seed)
	}
	p := patterns{repo: "owner/name", pull: func(int) bool { return false }}
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, l := range p.links([]string{text}) {
			require.NotEmpty(t, l.Issue)
			require.False(t, seen[l.Issue], "each issue once")
			require.GreaterOrEqual(t, strength(l.By), 0)
			seen[l.Issue] = true
		}
	})
}

func TestPullNumber(t *testing.T) {
	for _, c := range []struct {
		message string
		merge   bool
		want    int
		branch  string
	}{
		{"Merge pull request #12 from owner/branch\n\nTitle", true, 12, "owner/branch"},
		{"Merge pull request #12 in P/r from b to main", true, 12, "P/r"},
		{"Merge PR #12: title", true, 12, ""},
		{"Auto merge of #12 - owner:branch, r=reviewer", true, 12, ""},
		{"Merge #12 #13", true, 12, ""},
		{"Merged in fix (pull request #12)", true, 12, ""},
		{"Merge branch 'x' into 'main'\n\nTitle\n\nSee merge request group/project!12", true, 12, ""},
		{"Merge branch 'x'", true, 0, ""},
		{"Merge remote-tracking branch 'origin/main'", true, 0, ""},
		{"Title (#12)", false, 12, ""},
		{"Title (#12)\n\n* one\n* two (#13)", false, 12, ""},
		{"Fix (#11) a thing (#12)", false, 12, ""},
		{"gh-11: Title (GH-12)", false, 12, ""},
		{"Title (!12)", false, 12, ""},
		{"Merged PR 12: Title", false, 12, ""},
		{"Title\n\nPR-URL: https://github.com/owner/name/pull/12", false, 12, ""},
		{"Title, fixes #12", false, 0, ""},
		{"Title\n\nIn the body (#12)", false, 0, ""},
	} {
		n, branch := pullNumber(c.message, c.merge)
		require.Equal(t, c.want, n, c.message)
		require.Equal(t, c.branch, branch, c.message)
	}
	require.Equal(t, 5, closedPull("Title\n\nThis closes #5.", map[int]string{5: "id"}))
	require.Equal(t, 0, closedPull("Title\n\nCloses #6", map[int]string{5: "id"}))
}

func TestTitle(t *testing.T) {
	for message, want := range map[string]string{
		"Merge pull request #12 from a/b\n\nThe title\n\nMore": "The title",
		"Merge pull request #12 from a/b":                      "",
		"The title (#12)":                                      "The title",
		"The title (#11) (#12).":                               "The title",
		"The title":                                            "The title",
		"Merge branch 'fix' into 'master'\n\nThe title\n\nSee merge request g/p!34": "The title",
		"Merge branch 'fix' into 'master'\n\nSee merge request g/p!34":              "",
		"The title\n\nSee merge request g/p!34":                                     "The title",
		"Merge branch 'fix'\n\nThe title":                                           "The title",
		"Merge branch 'fix'":                                                        "",
		"Merge PR #12: The title":                                                   "The title",
		"Merged PR 12: The title\n\nMore":                                           "The title",
		"Merge two lists":                                                           "Merge two lists",
	} {
		require.Equal(t, want, title(message, true), message)
	}
}

func TestChangelogNames(t *testing.T) {
	for p, want := range map[string]struct {
		changelog bool
		fragment  int
	}{
		"CHANGES.rst": {true, 0}, "docs/changelog.md": {true, 0}, "CHANGELOG": {true, 0}, "doc/whatsnew/v1.2.txt": {true, 0},
		"changelog/123.bugfix.rst": {true, 123}, "newsfragments/45.fix": {true, 45}, "changes/6-core.rst": {true, 6}, "news/7.bugfix.rst": {true, 7},
		"src/changes.py": {false, 0}, "src/history/12.py": {false, 0}, "docs/12.rst": {false, 0}, "release/1.2.3.md": {true, 0},
	} {
		require.Equal(t, want.changelog, isChangelog(p), p)
		require.Equal(t, want.fragment, fragment(p), p)
	}
}
