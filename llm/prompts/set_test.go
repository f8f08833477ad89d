package prompts

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t *testing.T) Set {
	s, err := Load("")
	require.NoError(t, err)
	return s
}

const (
	problem = "Slug of \"Ångström\" is empty.\nIt should be `angstrom`."
	gold    = "--- a/slug.py\n+++ b/slug.py\n@@ -1,2 +1,2 @@\n def slug(text):\n-    return ascii_only(text)\n+    return ascii_only(fold(text))\n"
	bad     = "--- a/slug.py\n+++ b/slug.py\n@@ -1,2 +1,2 @@\n def slug(text):\n-    return ascii_only(text)\n+    return ascii_only(text) or \"x\"\n"
)

func TestGolden(t *testing.T) {
	slugFiles, slugTests := []Listing{{"slug.py", []string{"slug", "Slugger.make"}}}, []Listing{{"test_slug.py", []string{"test_plain", "test_empty"}}}
	slugCode := []Function{{"slug.py", "slug", 1, 2, "def slug(text):\n    return ascii_only(text)"}}
	tests := map[string]goldenCase{
		"bugfix":            {Bugfix, BugfixData{Dir: "/testbed", Language: "Python", Problem: problem, TestCommand: "pytest -q"}},
		"bugfix-plain":      {Bugfix, BugfixData{Dir: "/testbed", Language: "C++", Problem: problem}},
		"testgen":           {Testgen, TestgenData{Dir: "/testbed", Language: "Java", Problem: problem, Framework: "JUnit"}},
		"testgen-plain":     {Testgen, TestgenData{Dir: "/testbed", Language: "Java", Problem: problem}},
		"review":            {Review, ReviewData{Dir: "/testbed", Language: "Python", Problem: problem, Patch: bad, Review: "Letters with marks are still lost."}},
		"review-alone":      {Review, ReviewData{Dir: "/testbed", Language: "Python", Problem: problem, Patch: bad}},
		"style":             {Style, StyleData{Dir: "/testbed", Linter: "clang-tidy", Language: "C++", Files: []string{"a.cpp"}, Problem: "a.cpp:3: misc-const-correctness: ..."}},
		"style-files":       {Style, StyleData{Dir: "/testbed", Linter: "PMD", Language: "Java", Files: []string{"A.java", "B.java"}, Problem: "A.java:3: ..."}},
		"review-write":      {ReviewWrite, ReviewWriteData{Problem: problem, Gold: gold, BadPatch: bad, FailingTests: []string{"t.py::test_a", "t.py::test_b"}, MaxWords: 150}},
		"review-rewrite":    {ReviewWrite, ReviewWriteData{Problem: problem, Gold: gold, BadPatch: bad, MaxWords: 150, Retry: []string{"it names fold", "it holds a diff"}}},
		"review-categorise": {ReviewCategorise, ReviewCategoriseData{Problem: problem, Gold: gold, BadPatch: bad, Review: "Letters with marks are still lost."}},
		"statement-write":   {StatementWrite, StatementWriteData{Language: "python", Message: "Fold marks", Failures: []Failure{{"t.py::test_a", "assert '' == 'angstrom'"}}, Names: []string{"fold", "slug"}, MaxWords: 250, HideTests: true}},
		"statement-rewrite": {StatementWrite, StatementWriteData{Language: "python", MaxWords: 250, Retry: []string{"it holds a diff"}}},
		"setup-extract": {SetupExtract, SetupExtractData{
			Language: "Python", Repo: "o/n", Date: "2024-01-02", Inferred: `{"python":"3.9"}`, Failure: "No module named 'x'", Documents: []Document{{"tox.ini", "deps = x"}}, Fields: "- \"install\": commands", Retry: "it is not JSON",
		}},
		"setup-extract-plain": {SetupExtract, SetupExtractData{Language: "Java", Repo: "o/n", Date: "2024-01-02", Failure: "no build file", Fields: "- \"install\": commands"}},
		"setup-cause":         {SetupCause, SetupCauseData{"Python", "o/n", "2024-01-02", `{"install":["pip install -e ."]}`, "No module named 'x'", "no line"}},
		"setup-repair": {SetupRepair, SetupRepairData{
			"Python", "o/n", "2024-01-02", `{"install":["pip install -e ."]}`, "No module named 'x'", "installation", "x is missing.", []Document{{"tox.ini", "deps = x"}}, "- \"install\": commands", "it is not JSON",
		}},
		"badpatch-file":   {BadPatchFile, BadPatchFileData{Path: "slug.py", Text: "def slug(text):\n    return ascii_only(fold(text))\n"}},
		"badpatch-refile": {BadPatchFile, BadPatchFileData{Path: "slug.py", Text: "pass\n", Retry: []string{"it does not compile"}}},
		"badpatch-edits": {BadPatchEdits, BadPatchEditsData{Problem: problem, Gold: gold, FailingTests: []string{"t.py::test_a"},
			Functions: []Function{{"slug.py", "slug", 1, 2, "def slug(text):\n    return ascii_only(fold(text))"}}, Ranges: []Range{{"slug.py", 2, 2}, {"fold.py", 4, 9}},
			Strategy: Strategy{"Boundaries", "Let the first or last element come out wrong."}, Hints: []string{"an index", "a slice"}, Retry: "the edit made no test fail"}},
		"badpatch-edits-plain": {BadPatchEdits, BadPatchEditsData{Problem: problem, Gold: gold, Functions: []Function{{"slug.py", "slug", 1, 2, "def slug(text): ..."}},
			Ranges: []Range{{"slug.py", 2, 2}}, Strategy: Strategy{"Boundaries", "Let the first or last element come out wrong."}}},
		"otter-files":           {OtterFiles, OtterFilesData{Repo: "acme/slugs", Problem: problem, Language: "Python", Files: []string{"slug.py", "fold.py"}, Most: 10}},
		"otter-files-tests":     {OtterFiles, OtterFilesData{Repo: "acme/slugs", Problem: problem, Language: "Python", Tests: true, Files: []string{"test_slug.py"}, Most: 10}},
		"otter-functions":       {OtterFunctions, OtterFunctionsData{Repo: "acme/slugs", Problem: problem, Language: "Python", Files: slugFiles}},
		"otter-functions-tests": {OtterFunctions, OtterFunctionsData{Repo: "acme/slugs", Problem: problem, Language: "Python", Tests: true, Files: slugTests}},
		"otter-plan":            {OtterPlan, OtterPlanData{Repo: "acme/slugs", Problem: problem, Language: "Python", Tests: slugTests, Focal: slugFiles, Functions: slugCode}},
		"otter-plan-plain":      {OtterPlan, OtterPlanData{Repo: "acme/slugs", Problem: problem, Language: "Python"}},
		"otter-reflect": {OtterReflect, OtterReflectData{Repo: "acme/slugs", Problem: problem, Language: "Python", Tests: slugTests, Focal: slugFiles, Functions: slugCode,
			Valid:   []PlanAction{{Verb: "read", Path: "slug.py", Function: "slug"}},
			Invalid: []PlanAction{{Verb: "read", Path: "slug.py", Function: "slugs", Why: "slug.py has no such function"}}}},
		"otter-reflect-plain": {OtterReflect, OtterReflectData{Repo: "acme/slugs", Problem: problem, Language: "Python"}},
		"otter-test-write":    {OtterTest, OtterTestData{Repo: "acme/slugs", Problem: problem, Language: "Python", Framework: "pytest", Functions: slugCode, Path: "test_slug.py", Structure: "import slug\n\ndef test_plain():\n", Name: "test_marks"}},
		"otter-test-modify":   {OtterTest, OtterTestData{Repo: "acme/slugs", Problem: problem, Language: "Python", Functions: slugCode, Path: "test_slug.py", Structure: "import slug\n\ndef test_plain():\n", Name: "test_plain", Modify: true}},
		"otter-test-alone":    {OtterTest, OtterTestData{Repo: "acme/slugs", Problem: problem, Language: "Python"}},
		"tdd-zeroshot":        {TDDZeroShot, TDDZeroShotData{Repo: "acme/slugs", Problem: problem, Language: "Python", Framework: "pytest", Path: "tests/test_issue.py"}},
		"tdd-zeroshot-plain":  {TDDZeroShot, TDDZeroShotData{Repo: "acme/slugs", Problem: problem, Language: "C++", Path: "tests/issue_test.cpp"}},
		"zeroshot":            {ZeroShot, ZeroShotData{Language: "Python", Framework: "pytest", Problem: problem, Files: []NumberedFile{{Path: "slug.py", Text: "1 def slug(text):\n2     return text\n"}, {Path: "fold.py", Text: "1 x = 1\n", Cut: true}}}},
		"zeroshot-plain":      {ZeroShot, ZeroShotData{Language: "C++", Problem: problem}},
		"zeroshotplus":        {ZeroShotPlus, ZeroShotData{Language: "Java", Framework: "maven", Problem: problem, Files: []NumberedFile{{Path: "Slug.java", Text: "1 class Slug {}\n", Cut: true}}}},
		"zeroshotplus-fix":    {ZeroShotPlus, ZeroShotData{Language: "Python", Problem: problem, Fix: bad, Files: []NumberedFile{{Path: "slug.py", Text: "1 x = 1\n"}}}},
		"zeroshotplus-plain":  {ZeroShotPlus, ZeroShotData{Language: "C++", Problem: problem}},
		"libro-judge":         {LibroJudge, LibroJudgeData{Problem: problem, Test: bad, Failure: "t.py::test_a failed (assertion)\nassert 'a' == 'b'"}},
		"badpatch-categorise": {BadPatchCategorise, BadPatchCategoriseData{Problem: problem, Gold: gold, BadPatch: bad}},
	}
	maps.Copy(tests, fixerCases())
	s := load(t)
	used := map[string]bool{}
	for name, tt := range tests {
		used[tt.prompt] = true
		t.Run(name, func(t *testing.T) {
			got, err := s.Render(tt.prompt, tt.data)
			require.NoError(t, err)
			require.NotContains(t, got, "\n\n\n", "gaps where a part was left out")
			require.NotContains(t, got, "<no value>")
			file := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
	require.Len(t, used, len(Names()), "every prompt has a golden file")
}

// TestEveryFieldIsUsed checks that a prompt says all that its data have.
func TestEveryFieldIsUsed(t *testing.T) {
	s := load(t)
	for name, data := range samples() {
		typ := reflect.TypeOf(data)
		for i := range typ.NumField() {
			field := typ.Field(i).Name
			require.Contains(t, s.texts[name], "."+field, "%s", name)
		}
	}
}

func TestSamplesAreWhole(t *testing.T) {
	for name, data := range samples() {
		value := reflect.ValueOf(data)
		for i := range value.NumField() {
			require.False(t, value.Field(i).IsZero(), "%s: %s is empty, so branches on it are not tried", name, value.Type().Field(i).Name)
		}
	}
}

func TestTextsOfOthersStayAsTheyAre(t *testing.T) {
	odd := "{{.Gold}} <b>&amp;</b> {{end}} ` \" ' \\"
	got, err := load(t).Render(Bugfix, BugfixData{Problem: odd})
	require.NoError(t, err)
	require.Contains(t, got, odd)
}

func TestReplacedPrompts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bugfix.tmpl", "Mend {{.Problem}}{{if not .TestCommand}}, somehow{{end}}.")
	write(t, dir, ".hidden", "{{")
	s, err := Load(dir)
	require.NoError(t, err)
	got, err := s.Render(Bugfix, BugfixData{Problem: "it"})
	require.NoError(t, err)
	require.Equal(t, "Mend it, somehow.\n", got)
	require.NotEqual(t, load(t).Digest(), s.Digest())

	own, err := load(t).Render(Testgen, TestgenData{Problem: "it"})
	require.NoError(t, err)
	kept, err := s.Render(Testgen, TestgenData{Problem: "it"})
	require.NoError(t, err)
	require.Equal(t, own, kept)
}

func write(t *testing.T, dir, name, text string) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func TestWrongPrompts(t *testing.T) {
	tests := map[string]struct{ file, text, want string }{
		"unknown name":            {"bugfixes.tmpl", "x", "no prompt has that name; there are badpatch-categorise.tmpl, "},
		"other extension":         {"bugfix.txt", "x", "no prompt has that name"},
		"does not parse":          {"bugfix.tmpl", "a\nb\n{{if}}", "bugfix.tmpl:3: missing value for if"},
		"unknown field":           {"bugfix.tmpl", "a\n{{.Problems}}", "bugfix.tmpl:2:2: executing"},
		"its name":                {"bugfix.tmpl", "a\n{{.Problems}}", "can't evaluate field Problems in type prompts.BugfixData"},
		"in a branch":             {"bugfix.tmpl", "{{if .TestCommand}}{{else}}\n\n{{.Bogus}}{{end}}", "bugfix.tmpl:3:"},
		"in a branch of a branch": {"review-write.tmpl", "{{range .Retry}}{{if eq . \"x\"}}{{if $.Gold}}{{else if $.Bogus}}{{end}}{{end}}{{end}}", "Bogus"},
		"in a range's else":       {"review-write.tmpl", "{{range .Retry}}{{.}}{{else}}{{.Bogus}}{{end}}", "Bogus"},
		"in an element":           {"badpatch-edits.tmpl", "{{range .Ranges}}{{break}}{{.First}}{{end}}", "can't evaluate field First in type prompts.Range"},
		"in a with's else":        {"bugfix.tmpl", "{{with .Problem}}{{.}}{{else}}{{.Bogus}}{{end}}", "Bogus"},
		"in a definition":         {"bugfix.tmpl", "{{define \"x\"}}{{if false}}{{.Bogus}}{{end}}{{end}}{{template \"x\" .}}", "Bogus"},
		"unknown function":        {"bugfix.tmpl", "{{env \"HOME\"}}", `bugfix.tmpl:1: function "env" not defined`},
		"empty":                   {"bugfix.tmpl", " \n", "is empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.file, tt.text)
			_, err := Load(dir)
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, dir)
		})
	}
	_, err := Load(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "/none")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bugfix.tmpl"), 0o700))
	_, err = Load(dir)
	require.ErrorContains(t, err, "reading prompts")
}

// TestTryingLeavesTheTemplateAlone checks that conditions still count in
// Render after all branches were tried.
func TestTryingLeavesTheTemplateAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "review-write.tmpl", "{{range .Retry}}[{{if eq . \"stop\"}}{{break}}{{end}}{{.}}]{{else}}none{{end}}{{with .Gold}}{{.}}{{else}}!{{end}}")
	s, err := Load(dir)
	require.NoError(t, err)
	got, err := s.Render(ReviewWrite, ReviewWriteData{Retry: []string{"a", "stop", "b"}, Gold: "g"})
	require.NoError(t, err)
	require.Equal(t, "[a][g\n", got)
	got, err = s.Render(ReviewWrite, ReviewWriteData{})
	require.NoError(t, err)
	require.Equal(t, "none!\n", got)
}

func TestRenderWantsTheRightData(t *testing.T) {
	s := load(t)
	_, err := s.Render(Bugfix, TestgenData{})
	require.EqualError(t, err, "prompt bugfix: got prompts.TestgenData, want prompts.BugfixData")
	_, err = s.Render(Bugfix, nil)
	require.Error(t, err)
	_, err = s.Render("nothing", BugfixData{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDigest(t *testing.T) {
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", load(t).Digest())
	require.Equal(t, load(t).Digest(), load(t).Digest())
}

// TestNames: each file is a prompt, and each prompt is a file.
func TestNames(t *testing.T) {
	files, err := fs.Glob(embedded, "templates/*"+extension)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), extension))
	}
	require.ElementsMatch(t, names, Names())
	require.Contains(t, names, Bugfix)
}
