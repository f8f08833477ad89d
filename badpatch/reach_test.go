package badpatch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/languages"
)

const reachPython = `import re


def sign(x):
    if x < 0:
        y = -1
        return y
    z = 1
    return z


def unused(x):
    if x:
        a = (1 +
             2)
        return a
    return x
`

const reachJava = `class A {
    int sign(int x) {
        if (x < 0) {
            check(x);
            x = -1;
            return x;
        }
        return 1;
    }
}
`

const reachCpp = `int sign(int x) {
    if (x < 0) {
        x = -1;
        return x;
    }
    return 1;
}

constexpr int two() {
    int a = 2;
    return a;
}
`

// reachSeen are lines as the language's tool calls them executable, and those
// that ran.
func reachSeen(executable, ran []int) languages.FileCoverage {
	return languages.FileCoverage{Executable: executable, Covered: map[string][]int{"": ran}, Loaded: true}
}

func TestReach(t *testing.T) {
	python := reachSeen([]int{1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17}, []int{1, 4, 5, 8, 9, 12})
	java := reachSeen([]int{3, 4, 5, 6, 8}, []int{3, 8})
	cpp := reachSeen([]int{1, 2, 3, 4, 6, 9, 10, 11}, []int{1, 2, 6})
	for _, test := range []struct {
		name, language, path, text string
		seen                       languages.FileCoverage
		from, to                   string
		cause                      badpatch.Cause
	}{
		{"an executed line", "python", "a.py", reachPython, python, "z = 1", "z = 2", ""},
		{"a branch that is not taken", "python", "a.py", reachPython, python, "y = -1", "y = -2", badpatch.Unreached},
		{"its condition", "python", "a.py", reachPython, python, "x < 0", "x <= 0", ""},
		{"a function that is not called", "python", "a.py", reachPython, python, "(1 +", "(3 +", badpatch.Unreached},
		{"an added line between such lines", "python", "a.py", reachPython, python, "        return y\n", "        y = 3\n        return y\n", badpatch.Unreached},
		{"an added line at the end of a branch", "python", "a.py", reachPython, python, "    z = 1\n", "    w = 3\n    z = 1\n", ""},
		{"outside of functions", "python", "a.py", reachPython, python, "import re", "import os", ""},
		{"two places, one of them executed", "python", "a.py", strings.Replace(reachPython, "-1", "-7", 1), python, "y = -7\n        return y\n    z = 1", "y = -2\n        return y\n    z = 2", ""},
		{"an exception may leave the first statement", "java", "src/main/java/A.java", reachJava, java, "check(x)", "check(1)", ""},
		{"behind it", "java", "src/main/java/A.java", reachJava, java, "x = -1", "x = -2", badpatch.Unreached},
		{"a branch in C++", "cpp", "src/a.cpp", reachCpp, cpp, "x = -1", "x = -2", badpatch.Unreached},
		{"what a compiler works out", "cpp", "src/a.cpp", reachCpp, cpp, "int a = 2", "int a = 3", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			gold := badpatchtest.Texts{test.path: test.text}
			base := badpatchtest.Texts{test.path: ""}
			s := badpatchtest.Subject(t, test.language, base, gold)
			require.Contains(t, test.text, test.from)
			candidate := badpatchtest.Texts{test.path: strings.Replace(test.text, test.from, test.to, 1)}
			cause, err := badpatch.Drops(s, languages.Coverage{test.path: test.seen}, nil, badpatchtest.Between(base, candidate))
			require.NoError(t, err)
			require.Equal(t, test.cause, cause)
		})
	}
}

// A candidate that differs from base where no test gets to behaves like base.
func TestReachOnBase(t *testing.T) {
	base := badpatchtest.Texts{"a.py": reachPython}
	gold := badpatchtest.Texts{"a.py": strings.Replace(reachPython, "z = 1", "z = 2", 1)}
	s := badpatchtest.Subject(t, "python", base, gold)
	seen := languages.Coverage{"a.py": reachSeen([]int{1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17}, []int{1, 4, 5, 8, 9, 12})}
	candidate := badpatchtest.Texts{"a.py": strings.Replace(reachPython, "y = -1", "y = -2", 1)}
	cause, err := badpatch.Drops(s, seen, seen, badpatchtest.Between(base, candidate))
	require.NoError(t, err)
	require.Equal(t, badpatch.UnreachedBase, cause)
	cause, err = badpatch.Drops(s, seen, nil, badpatchtest.Between(base, candidate))
	require.NoError(t, err)
	require.Empty(t, cause, "base was not measured")
}

// TestReachBesideOtherFiles: files that are not code are as gold has them, or the
// candidate is run; documents are not compared at all.
func TestReachBesideOtherFiles(t *testing.T) {
	base := badpatchtest.Texts{"a.py": reachPython, "README.md": "a\n", "data/a.json": "1\n"}
	gold := badpatchtest.Texts{"a.py": strings.Replace(reachPython, "z = 1", "z = 2", 1), "README.md": "b\n", "data/a.json": "2\n"}
	s := badpatchtest.Subject(t, "python", base, gold)
	seen := languages.Coverage{"a.py": reachSeen([]int{1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17}, []int{1, 4, 5, 8, 9, 12})}
	text := strings.Replace(gold["a.py"], "y = -1", "y = -2", 1)
	for _, test := range []struct {
		candidate badpatchtest.Texts
		cause     badpatch.Cause
	}{
		{badpatchtest.Texts{"a.py": text, "README.md": "b\n", "data/a.json": "2\n"}, badpatch.Unreached},
		{badpatchtest.Texts{"a.py": text, "data/a.json": "2\n"}, badpatch.Unreached},
		{badpatchtest.Texts{"a.py": text}, ""},
	} {
		cause, err := badpatch.Drops(s, seen, nil, badpatchtest.Between(base, test.candidate))
		require.NoError(t, err)
		require.Equal(t, test.cause, cause)
	}
}

// TestExecutesGold: an import alone does not show that tests run the fix.
func TestExecutesGold(t *testing.T) {
	const (
		function = "def f(x,\n      y=1):\n    z = x\n    return z\n"
		nested   = "def f(x):\n    def g():\n        return x\n    return g\n"
		plain    = "A = 1\nB = 2\n"
		java     = "class A {\n    int f() {\n        return 1;\n    }\n}\n"
	)
	for _, test := range []struct {
		name, language, path, text string
		executable, ran            []int
		want                       bool
	}{
		{"a line of a function", "python", "a.py", function, []int{1, 2, 3, 4}, []int{1, 2, 3}, true},
		{"the signature alone", "python", "a.py", function, []int{1, 2, 3, 4}, []int{1, 2}, false},
		{"a function in one that ran", "python", "a.py", nested, []int{1, 2, 3, 4}, []int{1, 2, 4}, true},
		{"no functions", "python", "a.py", plain, []int{1, 2}, []int{1, 2}, true},
		{"nothing", "python", "a.py", plain, []int{1, 2}, nil, false},
		{"the class alone", "java", "src/main/java/A.java", java, []int{1, 3}, []int{1}, false},
		{"a method", "java", "src/main/java/A.java", java, []int{1, 3}, []int{1, 3}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := badpatchtest.Subject(t, test.language, badpatchtest.Texts{test.path: ""}, badpatchtest.Texts{test.path: test.text})
			require.Equal(t, test.want, badpatch.ExecutesGold(s, languages.Coverage{test.path: reachSeen(test.executable, test.ran)}))
		})
	}
	deleted := badpatchtest.Subject(t, "python", badpatchtest.Texts{"a.py": plain}, badpatchtest.Texts{"a.py": "-"})
	require.False(t, badpatch.ExecutesGold(deleted, languages.Coverage{}))
}
