package badpatch_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/internal/patch"
)

func TestFilterCauses(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "import os\n\n\ndef f(x):\n    return x\n", "setup.cfg": "[a]\n", "tests/test_m.py": "def test(): pass\n", "README.md": "a\n"}
	gold := badpatchtest.Texts{"m.py": "import os\n\n\ndef f(x):\n    helper = x + 1\n    return helper\n", "setup.cfg": "[b]\n"}
	s := badpatchtest.Subject(t, "python", base, gold)
	filter, err := badpatch.NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	with := func(text string, more ...string) string {
		changed := badpatchtest.Texts{"m.py": text}
		for i := 0; i < len(more); i += 2 {
			changed[more[i]] = more[i+1]
		}
		return badpatchtest.Between(base, changed)
	}
	bad := "import os\n\n\ndef f(x):\n    helper = x - 1\n    return helper\n"
	drops := map[badpatch.Cause]int{}
	for _, c := range []struct {
		name, patch string
		cause       badpatch.Cause
	}{
		{"prose", "I cannot do that.", badpatch.Unparsed},
		{"other base", badpatchtest.Between(badpatchtest.Texts{"m.py": "a\nb\nc\n"}, badpatchtest.Texts{"m.py": "a\nc\nc\n"}), badpatch.Unapplied},
		{"tests", with(bad, "tests/test_m.py", "def test(): assert True\n"), badpatch.OffLimits},
		{"new runner file", with(bad, "conftest.py", "import m\n"), badpatch.OffLimits},
		{"another build", with(bad, "setup.cfg", "[c]\n"), badpatch.OffLimits},
		{"comment", with("import os\n\n\n# why\ndef f(x):\n    return x\n"), badpatch.LikeBase},
		{"nothing", "", badpatch.LikeBase},
		{"gold in other words", with(gold["m.py"] + "\n# done\n"), badpatch.LikeGold},
		{"dangling", with("import os\n\n\ndef f(x):\n    return helper\n"), badpatch.Dangling},
		{"no syntax", with("import os\n\n\ndef f(x:\n    helper = x\n    return helper\n"), badpatch.NoSyntax},
		{"bad", with(bad, "setup.cfg", "[b]\n"), ""},
		{"bad again", with(bad), badpatch.LikeAnother},
		{"bad with docs", with(bad+"x = 1\n", "README.md", "b\n"), ""},
	} {
		cause, err := filter.Check(badpatch.Candidate{Patch: c.patch})
		require.NoError(t, err, c.name)
		require.Equal(t, c.cause, cause, c.name)
		if cause != "" {
			drops[cause]++
		}
	}
	require.Equal(t, map[badpatch.Cause]int{
		badpatch.Unparsed: 1, badpatch.Unapplied: 1, badpatch.OffLimits: 3, badpatch.LikeBase: 2, badpatch.LikeGold: 1, badpatch.Dangling: 1, badpatch.NoSyntax: 1, badpatch.LikeAnother: 1,
	}, drops)
}

// TestFilterTellsMembers checks that a variable of gold's is missed though
// base has a method of its name, and that a name that base takes from
// elsewhere is not.
func TestFilterTellsMembers(t *testing.T) {
	base := badpatchtest.Texts{"A.java": "class A {\n void f(B b) {\n  if (b.strict()) g(limit);\n }\n}\n"}
	gold := badpatchtest.Texts{"A.java": "class A {\n void f(B b) {\n  boolean strict = b.strict();\n  int limit = 1;\n  if (strict) g(limit);\n }\n}\n"}
	filter, err := badpatch.NewFilter(badpatchtest.Subject(t, "java", base, gold))
	require.NoError(t, err)
	defer filter.Close()
	for text, want := range map[string]badpatch.Cause{
		"class A {\n void f(B b) {\n  int limit = 1;\n  if (strict) g(limit);\n }\n}\n":               badpatch.Dangling,
		"class A {\n void f(B b) {\n  boolean strict = b.strict();\n  if (strict) g(limit);\n }\n}\n": "",
	} {
		cause, err := filter.Check(badpatch.Candidate{Patch: badpatchtest.Between(base, badpatchtest.Texts{"A.java": text})})
		require.NoError(t, err)
		require.Equal(t, want, cause, text)
	}
}

// TestFilterToleratesMacros checks that C++ that the grammar does not take is
// compared with gold, not with what is clean.
func TestFilterToleratesMacros(t *testing.T) {
	base := badpatchtest.Texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x; }\n"}
	gold := badpatchtest.Texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x + 1; }\n"}
	s := badpatchtest.Subject(t, "cpp", base, gold)
	require.Positive(t, s.Files[0].Gold.Errors)
	filter, err := badpatch.NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	cause, err := filter.Check(badpatch.Candidate{Patch: badpatchtest.Between(base, badpatchtest.Texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x - 1; }\n"})})
	require.NoError(t, err)
	require.Empty(t, cause)
	cause, err = filter.Check(badpatch.Candidate{Patch: badpatchtest.Between(base, badpatchtest.Texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x -* ; }}}\n"})})
	require.NoError(t, err)
	require.Equal(t, badpatch.NoSyntax, cause)
}

func TestFilterPassesOnErrorsOfTheTree(t *testing.T) {
	base, gold := badpatchtest.Texts{"m.py": "x = 1\n"}, badpatchtest.Texts{"m.py": "x = 2\n"}
	s := badpatchtest.Subject(t, "python", base, gold)
	filter, err := badpatch.NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	s.Base = failingTree{}
	cause, err := filter.Check(badpatch.Candidate{Patch: badpatchtest.Between(base, badpatchtest.Texts{"m.py": "x = 3\n"})})
	require.ErrorContains(t, err, "disk")
	require.Empty(t, cause)
}

type failingTree struct{}

func (failingTree) Read(string) (patch.Entry, error) { return patch.Entry{}, errors.New("disk gone") }

func TestNewSubjectRefuses(t *testing.T) {
	for name, in := range map[string]badpatch.Input{
		"no patch":       {Instance: &bench.Instance{ID: "a", Patch: "diff --git a/x b/x\n@@ nonsense"}, Base: badpatchtest.Tree(nil)},
		"does not apply": {Instance: &bench.Instance{ID: "a", Patch: badpatchtest.Between(badpatchtest.Texts{"m.py": "a\n"}, badpatchtest.Texts{"m.py": "b\n"})}, Base: badpatchtest.Tree(nil)},
		"language":       {Instance: &bench.Instance{ID: "a", Language: "cobol", Patch: badpatchtest.Between(badpatchtest.Texts{"m.c": "a\n"}, badpatchtest.Texts{"m.c": "b\n"})}, Base: badpatchtest.Tree(badpatchtest.Texts{"m.c": "a\n"})},
	} {
		_, err := badpatch.NewSubject(in)
		require.Error(t, err, name)
	}
}
