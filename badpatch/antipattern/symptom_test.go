package antipattern

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

// TestCatchAtTheFrame checks that a known failure is caught in the function
// that it comes from, which gold need not touch, and about its very
// statement.
func TestCatchAtTheFrame(t *testing.T) {
	base := badpatchtest.Texts{
		"lib.py":  "def low(x):\n    y = x.y\n    return y\n",
		"main.py": "def high(x):\n    return 1\n",
	}
	s := badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"main.py": "def high(x):\n    return 2\n"}, badpatch.Failure{Exception: "builtins.AttributeError", Path: "lib.py", Line: 2})
	var found []string
	for _, c := range badpatchtest.Collect(t, Symptoms{}, s) {
		if c.Operator == "catch" && c.Detail.Path == "lib.py" {
			require.Equal(t, base["main.py"], badpatchtest.State(t, base, c.Patch, "main.py"))
			found = append(found, badpatchtest.State(t, base, c.Patch, "lib.py"))
		}
	}
	require.Equal(t, []string{
		"def low(x):\n    try:\n        y = x.y\n        return y\n    except AttributeError:\n        return None\n",
		"def low(x):\n    try:\n        y = x.y\n    except AttributeError:\n        pass\n    return y\n",
	}, found)
}

func TestAssertionsAreNotCaught(t *testing.T) {
	base := badpatchtest.Texts{"lib.py": "def low(x):\n    return x\n"}
	s := badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"lib.py": "def low(x):\n    return -x\n"}, badpatch.Failure{Exception: "AssertionError", Path: "lib.py", Line: 2})
	for _, c := range badpatchtest.Collect(t, Symptoms{}, s) {
		require.NotContains(t, c.Patch, "Assertion")
	}
}

// TestCatchLeavesTexts checks that lines inside of strings keep their blanks.
func TestCatchLeavesTexts(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "def f(x):\n    a = '''one\n  two\n'''\n    return a\n"}
	s := badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"m.py": "def f(x):\n    a = '''one\n  two\n'''\n    return a * 2\n"})
	for _, c := range badpatchtest.Collect(t, Symptoms{}, s) {
		if c.Operator == "catch" {
			require.Contains(t, badpatchtest.State(t, base, c.Patch, "m.py"), "        a = '''one\n  two\n'''\n        return a\n")
			return
		}
	}
	t.Fatal("nothing caught")
}

func TestLookalike(t *testing.T) {
	base := badpatchtest.Texts{"m.py": numbered(3, nil) + "y = f(1)\n" + numbered(6, nil) + "y = f(1)\n" + numbered(3, nil)}
	gold := badpatchtest.Texts{"m.py": strings.Replace(base["m.py"], "y = f(1)", "y = f(2)", 1)}
	for _, c := range badpatchtest.Collect(t, Symptoms{}, badpatchtest.Subject(t, "python", base, gold)) {
		if c.Operator == "lookalike" {
			text := badpatchtest.State(t, base, c.Patch, "m.py")
			require.Equal(t, badpatch.WrongLayer, c.Category)
			require.Equal(t, 1, strings.Count(text, "f(2)"))
			require.Less(t, strings.Index(text, "f(1)"), strings.Index(text, "f(2)"))
			return
		}
	}
	t.Fatal("no lookalike found")
}
