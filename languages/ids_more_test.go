package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExactIDsWin: an id that ran stands for itself alone, even if it could
// be read in another way.
func TestExactIDsWin(t *testing.T) {
	checkMatches(t, Python, []string{"tests/a.py", "tests/a.py::t", "tests/a.py::t[1]", "b/tests/a.py::t"}, map[string][]string{
		"tests/a.py":     {"tests/a.py"},
		"tests/a.py::t":  {"tests/a.py::t"},
		" tests/a.py::t": {"tests/a.py::t"},
		"tests.a::t":     {"tests/a.py::t", "tests/a.py::t[1]"},
		"a.py::t":        {"tests/a.py::t", "tests/a.py::t[1]", "b/tests/a.py::t"},
		"   ":            {},
	})
	checkMatches(t, Python, []string{"a.py::t", "a.py::t "}, map[string][]string{"a.py::t ": {"a.py::t "}, "a.py::t": {"a.py::t"}})
	checkMatches(t, Java, []string{"a.B", "a.B::t", "c.a.B::t"}, map[string][]string{
		"a.B": {"a.B"}, "a.B::t": {"a.B::t"}, "a.B.t": {"a.B::t"}, "B.t": {"a.B::t", "c.a.B::t"},
	})
	checkMatches(t, Cpp, []string{"S.T", "S.T/0", "P/S.T/0", "case", "case/a"}, map[string][]string{
		"S.T": {"S.T"}, "case": {"case"},
	})
}

// TestParametersOfIDs: given ones must be equal, or be cut inside a bracket.
func TestParametersOfIDs(t *testing.T) {
	known := []string{"a.py::t[x]", "a.py::t[x y]", "a.py::t[x y z]", "a.py::t[(a)]", "a.py::t[z]", "a.py::u"}
	checkMatches(t, Python, known, map[string][]string{
		"a.py::t":        {"a.py::t[x]", "a.py::t[x y]", "a.py::t[x y z]", "a.py::t[(a)]", "a.py::t[z]"},
		"a.py::t[x":      {"a.py::t[x]", "a.py::t[x y]", "a.py::t[x y z]"},
		"a.py::t[x y":    {"a.py::t[x y]", "a.py::t[x y z]"},
		"a.py::t[x y]":   {"a.py::t[x y]"},
		"a::t[x]":        {"a.py::t[x]"},
		"a::t[w":         {},
		"a::t[y]":        {},
		"u[1]":           {},
		"a.py::u[":       {},
		"t[z]":           {"a.py::t[z]"},
		"other.py::t[z]": {},
	})
	for params, want := range map[string]bool{"[a": true, "[a]": false, "[[a]": true, "[[]]": false, "": false, "[a]]": false} {
		require.Equal(t, want, unclosed(params), params)
	}
}

// TestWholeParameters: parameters whose brackets are closed do not match the
// beginning of others, and a folder matches that of a path in Python alone.
func TestWholeParameters(t *testing.T) {
	checkMatches(t, Python, []string{"a.py::t[x]", "a.py::t[x][y]"}, map[string][]string{
		"a::t[x]":    {"a.py::t[x]"},
		"a::t[x][y]": {"a.py::t[x][y]"},
		"a::t[x][":   {"a.py::t[x][y]"},
	})
	checkMatches(t, Java, []string{"org.a.BTest::t"}, map[string][]string{"org/a": {}, "org/a/BTest": {"org.a.BTest::t"}})
	checkMatches(t, Python, []string{"org/a/b.py::t"}, map[string][]string{"org/a": {"org/a/b.py::t"}})
}

// TestContainersOfIDs: a class, a nested class, a file or a directory stands
// for what is in it, and for nothing else.
func TestContainersOfIDs(t *testing.T) {
	known := []string{
		"pkg/tests/test_a.py::A::B::y", "pkg/tests/test_a.py::A::x", "pkg/tests/test_a.py::z", "pkg/tests/test_ab.py::v", "pkg/tests_more/test_c.py::w",
	}
	checkMatches(t, Python, known, map[string][]string{
		"pkg/tests/test_a.py":       known[0:3],
		"pkg/tests/test_a.py::A":    known[0:2],
		"pkg/tests/test_a.py::A::B": known[0:1],
		"test_a.py":                 known[0:3],
		"pkg/tests":                 known[0:4],
		"pkg/tests/":                known[0:4],
		"./pkg/tests":               known[0:4],
		"pkg":                       {},
		"pkg/":                      known,
		"A":                         known[0:2],
		"pkg/tests::A":              {},
	})
	java := []string{"a.B$C$D::z", "a.B$C::y", "a.B::x", "a.Bc::w"}
	checkMatches(t, Java, java, map[string][]string{
		"a.B": java[0:3], "a.B$C": java[0:2], "a.B$C$D": java[0:1], "a.B.C": java[0:2], "B": java[0:3], "C": java[0:2],
		"src/test/java/a/B.java": java[0:3], "module/src/test/java/a/Bc.java": java[3:4], "a": {}, "x(a.B)": java[2:3], "x (a.B)": java[2:3],
	})
	deep := "a.py::" + strings.Repeat("C::", maxParts+4) + "t"
	got := MatchIDs(pythonLanguage{}, []string{"a.py"}, []string{deep})
	require.Empty(t, got["a.py"], "names may be made of separators: only so many are looked at")
}

// TestUnittestForms: a method followed by its class.
func TestUnittestForms(t *testing.T) {
	known := []string{"app/tests.py::C::test_x", "app/tests.py::D::test_x"}
	checkMatches(t, Python, known, map[string][]string{
		"test_x (app.tests.C)":             {known[0]},
		"test_x (app.tests.C.test_x)":      {known[0]},
		"test_x (app.tests.C) [note]":      {known[0]},
		"test_x (app.tests.D): text":       {known[1]},
		"test_x (app.tests.E)":             {},
		"test_x":                           known,
		"test_x (tests.C)":                 {known[0]},
		"test_x (app.tests.C)x":            {},
		"app.tests.D.test_x":               {known[1]},
		"./app/tests.py::C::test_x":        {known[0]},
		"app/tests.py::C.test_x":           {known[0]},
		"test_x (C)":                       {known[0]},
		"test_x (unittest.loader._Failed)": {},
	})
}
