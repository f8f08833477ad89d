package badpatch

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

func TestFilterCauses(t *testing.T) {
	base := texts{"m.py": "import os\n\n\ndef f(x):\n    return x\n", "setup.cfg": "[a]\n", "tests/test_m.py": "def test(): pass\n", "README.md": "a\n"}
	gold := texts{"m.py": "import os\n\n\ndef f(x):\n    helper = x + 1\n    return helper\n", "setup.cfg": "[b]\n"}
	s := subject(t, "python", base, gold)
	filter, err := NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	with := func(text string, more ...string) string {
		changed := texts{"m.py": text}
		for i := 0; i < len(more); i += 2 {
			changed[more[i]] = more[i+1]
		}
		return between(base, changed)
	}
	bad := "import os\n\n\ndef f(x):\n    helper = x - 1\n    return helper\n"
	drops := map[Cause]int{}
	for _, c := range []struct {
		name, patch string
		cause       Cause
	}{
		{"prose", "I cannot do that.", Unparsed},
		{"other base", between(texts{"m.py": "a\nb\nc\n"}, texts{"m.py": "a\nc\nc\n"}), Unapplied},
		{"tests", with(bad, "tests/test_m.py", "def test(): assert True\n"), OffLimits},
		{"new runner file", with(bad, "conftest.py", "import m\n"), OffLimits},
		{"another build", with(bad, "setup.cfg", "[c]\n"), OffLimits},
		{"comment", with("import os\n\n\n# why\ndef f(x):\n    return x\n"), LikeBase},
		{"nothing", "", LikeBase},
		{"gold in other words", with(gold["m.py"] + "\n# done\n"), LikeGold},
		{"dangling", with("import os\n\n\ndef f(x):\n    return helper\n"), Dangling},
		{"no syntax", with("import os\n\n\ndef f(x:\n    helper = x\n    return helper\n"), NoSyntax},
		{"bad", with(bad, "setup.cfg", "[b]\n"), ""},
		{"bad again", with(bad), LikeAnother},
		{"bad with docs", with(bad+"x = 1\n", "README.md", "b\n"), ""},
	} {
		cause, err := filter.Check(Candidate{Patch: c.patch})
		require.NoError(t, err, c.name)
		require.Equal(t, c.cause, cause, c.name)
		if cause != "" {
			drops[cause]++
		}
	}
	require.Equal(t, map[Cause]int{
		Unparsed: 1, Unapplied: 1, OffLimits: 3, LikeBase: 2, LikeGold: 1, Dangling: 1, NoSyntax: 1, LikeAnother: 1,
	}, drops)
}

// TestFilterTellsMembers holds that a variable of gold's is missed though base
// has a method of its name, and that a name that base takes from elsewhere is
// not.
func TestFilterTellsMembers(t *testing.T) {
	base := texts{"A.java": "class A {\n void f(B b) {\n  if (b.strict()) g(limit);\n }\n}\n"}
	gold := texts{"A.java": "class A {\n void f(B b) {\n  boolean strict = b.strict();\n  int limit = 1;\n  if (strict) g(limit);\n }\n}\n"}
	filter, err := NewFilter(subject(t, "java", base, gold))
	require.NoError(t, err)
	defer filter.Close()
	for text, want := range map[string]Cause{
		"class A {\n void f(B b) {\n  int limit = 1;\n  if (strict) g(limit);\n }\n}\n":               Dangling,
		"class A {\n void f(B b) {\n  boolean strict = b.strict();\n  if (strict) g(limit);\n }\n}\n": "",
	} {
		cause, err := filter.Check(Candidate{Patch: between(base, texts{"A.java": text})})
		require.NoError(t, err)
		require.Equal(t, want, cause, text)
	}
}

// TestFilterToleratesMacros holds that C++ that the grammar does not take is
// compared with gold, not with what is clean.
func TestFilterToleratesMacros(t *testing.T) {
	base := texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x; }\n"}
	gold := texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x + 1; }\n"}
	s := subject(t, "cpp", base, gold)
	require.Positive(t, s.files[0].gold.errors)
	filter, err := NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	cause, err := filter.Check(Candidate{Patch: between(base, texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x - 1; }\n"})})
	require.NoError(t, err)
	require.Empty(t, cause)
	cause, err = filter.Check(Candidate{Patch: between(base, texts{"a.cc": "MACRO(x) y() z {\n  int f(int x) { return x -* ; }}}\n"})})
	require.NoError(t, err)
	require.Equal(t, NoSyntax, cause)
}

func TestFilterPassesOnErrorsOfTheTree(t *testing.T) {
	base, gold := texts{"m.py": "x = 1\n"}, texts{"m.py": "x = 2\n"}
	s := subject(t, "python", base, gold)
	filter, err := NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	s.base = failingTree{}
	cause, err := filter.Check(Candidate{Patch: between(base, texts{"m.py": "x = 3\n"})})
	require.ErrorContains(t, err, "disk")
	require.Empty(t, cause)
}

type failingTree struct{}

func (failingTree) Read(string) (patch.Entry, error) { return patch.Entry{}, errors.New("disk gone") }

func TestNewSubjectRefuses(t *testing.T) {
	for name, in := range map[string]Input{
		"no patch":       {Instance: &bench.Instance{ID: "a", Patch: "diff --git a/x b/x\n@@ nonsense"}, Base: tree(nil)},
		"does not apply": {Instance: &bench.Instance{ID: "a", Patch: between(texts{"m.py": "a\n"}, texts{"m.py": "b\n"})}, Base: tree(nil)},
		"language":       {Instance: &bench.Instance{ID: "a", Language: "cobol", Patch: between(texts{"m.c": "a\n"}, texts{"m.c": "b\n"})}, Base: tree(texts{"m.c": "a\n"})},
	} {
		_, err := NewSubject(in)
		require.Error(t, err, name)
	}
}
