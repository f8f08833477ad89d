package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// linkTo is a patch that makes a symbolic link.
func linkTo(path, target string) string {
	return "diff --git a/" + path + " b/" + path + "\nnew file mode 120000\n--- /dev/null\n+++ b/" + path +
		"\n@@ -0,0 +1 @@\n+" + target + "\n\\ No newline at end of file\n"
}

// TestCodeInTheWayOfTests: what keeps the tests from being written is the fault
// of the code, not of the test patch.
func TestCodeInTheWayOfTests(t *testing.T) {
	base := map[string]string{"lib.py": "bug\n", "tests/test_a.py": "old\n", "other/test_b.py": "old\n"}
	edit := change("tests/test_a.py", "old\n", "new\n")
	for name, c := range map[string]struct {
		v            Variant
		start, tests bool
	}{
		"a file at the tests' folder":           {Variant{Code: add("tests", "x\n"), Tests: edit}, false, false},
		"a link at the tests' folder":           {Variant{Code: linkTo("tests", "lib"), Tests: edit}, false, false},
		"a file at a new folder":                {Variant{Code: add("spec", "x\n"), Tests: add("spec/deep/test_n.py", "new\n")}, false, false},
		"a link at a new folder":                {Variant{Code: linkTo("spec", "lib"), Tests: add("spec/test_n.py", "new\n")}, false, false},
		"a folder at a new test file":           {Variant{Code: add("test_n.py/x.py", "x\n"), Tests: add("test_n.py", "new\n")}, false, false},
		"the tests deleted, and a link instead": {Variant{Code: string(patch.Between("tests/test_a.py", []byte("old\n"), nil)) + linkTo("tests", "lib"), Tests: edit}, false, false},
		"where existing tests are run":          {Variant{Code: linkTo("tests", "lib"), Tests: edit, Existing: true}, false, false},
		"by the state that it starts from":      {Variant{Start: add("spec", "x\n"), Tests: add("spec/test_n.py", "new\n")}, true, false},
		"contributed tests":                     {Variant{Code: add("spec", "x\n"), Tests: add("spec/test_n.py", "new\n"), Contributed: true}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compose(tree(base), c.v)
			var un *UnappliedError
			require.ErrorAs(t, err, &un)
			require.Equal(t, c.start, un.Start, un)
			require.Equal(t, c.tests, un.Tests, un)
			require.ErrorContains(t, err, "is in the way of the test file")
		})
	}
	for name, v := range map[string]Variant{
		"a name that only begins alike": {Code: add("spec_helper", "x\n"), Tests: add("spec/test_n.py", "new\n")},
		"the very file":                 {Code: add("spec/test_n.py", "x\n"), Tests: add("spec/test_n.py", "new\n")},
		"beside it":                     {Code: add("spec/x.py", "x\n"), Tests: add("spec/test_n.py", "new\n")},
	} {
		_, err := compose(tree(base), v)
		require.NoError(t, err, name)
	}
}

// listed is a tree that knows its paths, as a repository at base does.
type listed struct {
	patch.Tree
	paths []string
}

func (l listed) Paths() []string { return l.paths }

// TestFilesOverFolders: a patch that puts a file where base has a folder does
// not apply, unless it empties the folder.
func TestFilesOverFolders(t *testing.T) {
	base := map[string]string{"lib.py": "bug\n", "lib/a.py": "a\n", "lib/b.py": "b\n", "library.py": "c\n"}
	repo := listed{tree(base), []string{"lib.py", "lib/a.py", "lib/b.py", "library.py"}}
	drop := func(p string) string { return string(patch.Between(p, []byte(base[p]), nil)) }
	_, err := compose(repo, Variant{Code: linkTo("lib", "other")})
	var un *UnappliedError
	require.ErrorAs(t, err, &un)
	require.ErrorContains(t, err, "lib is a folder, which holds lib/a.py")
	require.False(t, un.Start || un.Tests)
	_, err = compose(repo, Variant{Code: drop("lib/a.py") + linkTo("lib", "other")})
	require.ErrorContains(t, err, "which holds lib/b.py")
	_, err = compose(repo, Variant{Start: linkTo("lib", "other")})
	require.ErrorAs(t, err, &un)
	require.True(t, un.Start)
	for name, v := range map[string]Variant{
		"the folder is emptied":          {Code: drop("lib/a.py") + drop("lib/b.py") + linkTo("lib", "other")},
		"the start emptied it":           {Start: drop("lib/a.py") + drop("lib/b.py"), Code: linkTo("lib", "other")},
		"a file by another name's begin": {Code: add("li", "x\n")},
	} {
		_, err := compose(repo, v)
		require.NoError(t, err, name)
	}
}
