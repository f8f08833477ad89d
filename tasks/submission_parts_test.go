package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// added is a patch that adds a file of one line.
func added(file string) string {
	return "diff --git a/" + file + " b/" + file + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + file + "\n@@ -0,0 +1 @@\n+x\n"
}

// clone is a patch that adds a submodule.
func clone(file string) string {
	return "diff --git a/" + file + " b/" + file + "\nnew file mode 160000\n--- /dev/null\n+++ b/" + file + "\n@@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890\n"
}

// TestWhatIsDropped: files added by accident are left out unless somebody's
// verdict hangs on them: gold's and the hidden tests' paths, code, and, where
// tests count, tests and files of the runner.
func TestWhatIsDropped(t *testing.T) {
	inst := &bench.Instance{Language: "python", Patch: edits("vendor"), TestPatch: edits("fixture")}
	for name, c := range map[string]struct {
		path     string
		fixtures bool
		dropped  bool
	}{
		"a clone":                     {"scratch", false, true},
		"a clone, for tests":          {"scratch", true, true},
		"where gold works":            {"vendor", false, false},
		"where the hidden tests work": {"fixture", false, false},
		"below the tests, for a fix":  {"tests/data", false, true},
		"below the tests, for tests":  {"tests/data", true, false},
		"as code":                     {"lib/a.py", false, false},
		"as a build file":             {"setup.py", false, false},
		"as a file of the runner":     {"conftest.py", false, true},
		"as the runner's, for tests":  {"conftest.py", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Divide(Task{Instance: inst}, clone(c.path)+added("lib/new.py"), c.fixtures)
			if !c.dropped {
				require.Error(t, err, "it is refused as a whole")
				return
			}
			require.NoError(t, err)
			require.Equal(t, []bench.Flag{{Kind: "dropped_files", Path: c.path, Detail: "left out: submodules are not allowed"}}, s.Flags)
			require.Equal(t, []string{"lib/new.py"}, s.Source.Paths())
			alone := BugFix{}.Plan(Task{Instance: inst}, bench.Prediction{Patch: clone("scratch")})
			require.Equal(t, bench.InvalidPatch, alone.Early)
			require.Equal(t, []bench.Flag{{Kind: "unsafe_path", Path: "scratch", Detail: "submodules are not allowed"}}, alone.Flags)
		})
	}
	for language, c := range map[string]map[string]bool{
		"python": {"a.py": false, "setup.py": false, "notes.txt": true, "tests/x.txt": true, "conftest.py": true},
		"java":   {"A.java": false, "pom.xml": false, "x.bin": true},
	} {
		for p, want := range c {
			require.Equal(t, want, idle(Task{Instance: &bench.Instance{Language: language}}.Language(), p, false), p)
		}
	}
	require.False(t, idle(Task{Instance: &bench.Instance{Language: "python"}}.Language(), "tests/x.txt", true))
}

// TestEveryFileIsFlagged: each of several, the first and the last too.
func TestEveryFileIsFlagged(t *testing.T) {
	inst := &bench.Instance{Language: "python"}
	paths := func(kind string, s Submission) (out []string) {
		for _, f := range s.Flags {
			if f.Kind == kind {
				out = append(out, f.Path)
			}
		}
		return out
	}
	s, err := Divide(Task{Instance: inst}, edits("MANIFEST.in", "setup.py", "lib/a.py", "pyproject.toml", "tests/conftest.py", "tests/a/conftest.py", "tests/test_a.py", "tests/z/conftest.py", "tox.ini", "pytest.ini", "lib/conftest.py")+clone("one")+clone("two"), true)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"MANIFEST.in", "setup.py", "pyproject.toml"}, paths("build_files", s))
	require.ElementsMatch(t, []string{"tests/conftest.py", "tests/a/conftest.py", "tests/z/conftest.py"}, paths("fixtures", s))
	require.ElementsMatch(t, []string{"tox.ini", "pytest.ini", "lib/conftest.py"}, paths("runner_files", s))
	require.ElementsMatch(t, []string{"one", "two"}, paths("dropped_files", s))
	fix, err := Divide(Task{Instance: inst}, edits("tests/conftest.py", "lib/a.py"), false)
	require.NoError(t, err)
	require.Equal(t, []string{"tests/conftest.py"}, paths("runner_files", fix))
	require.Empty(t, paths("fixtures", fix))
	plan := BugFix{}.Plan(Task{Instance: inst}, bench.Prediction{Patch: edits("tests/conftest.py", "lib/a.py")})
	require.Equal(t, []string{"runner_files"}, kindsOf(plan.Flags), "fixtures are the runner's where tests do not count")
	broken, err := Divide(Task{Instance: inst}, "--- a/x\n+++ b/x\n@@ what\n", true)
	require.Error(t, err)
	require.Equal(t, Submission{}, broken)
}
