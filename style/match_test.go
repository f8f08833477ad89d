package style

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

const pythonBase = `import os
import sys


class Reader:
    """Reads."""

    def load(self, path, mode=[]):
        try:
            handle = open(path)
            self.text = handle.read()
        except Exception:
            return None
        return self.text


def shout(text):
    unused = 1
    return text.upper()
`

func tree(kv ...string) map[string][]byte {
	out := map[string][]byte{}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i]] = []byte(kv[i+1])
	}
	return out
}

// pythonFindings are what a linter says about a text that is much like
// pythonBase.
func pythonFindings(t testing.TB, files map[string][]byte, path string) []bench.Finding {
	var out []bench.Finding
	for _, f := range []struct{ rule, mark, message string }{
		{"unused-import", "import os", "Unused import os"},
		{"unused-import", "import sys", "Unused import sys"},
		{"dangerous-default-value", "mode=[]", "Dangerous default value [] as argument"},
		{"unspecified-encoding", "open(path)", "Using open without explicitly specifying an encoding"},
		{"attribute-defined-outside-init", "self.text =", "Attribute 'text' defined outside __init__"},
		{"broad-exception-caught", "except Exception", "Catching too general exception Exception"},
		{"unused-variable", "unused =", "Unused variable 'unused'"},
	} {
		if bytes.Contains(files[path], []byte(f.mark)) {
			out = append(out, find(t, files, f.rule, path, f.mark, 1, f.message))
		}
	}
	return out
}

func steps(m Matching) string {
	count := map[Step]int{}
	for _, p := range m.Pairs {
		count[p.Step]++
	}
	var out []string
	for _, s := range []Step{StepLine, StepMoved, StepText, StepHash, StepSymbol} {
		if count[s] > 0 {
			out = append(out, fmt.Sprintf("%s %d", s, count[s]))
		}
	}
	return strings.Join(out, ", ")
}

func rules(findings []bench.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, f.Rule)
	}
	return out
}

func TestMatchPython(t *testing.T) {
	replace := func(pairs ...string) map[string][]byte {
		return tree("a.py", strings.NewReplacer(pairs...).Replace(pythonBase))
	}
	class, function, _ := strings.Cut(pythonBase, "def shout")
	cases := map[string]struct {
		after    map[string][]byte
		resolved []string
		added    []string
		steps    string
	}{
		"nothing":                 {tree("a.py", pythonBase), []string{}, []string{}, "line 7"},
		"a blank line at the top": {tree("a.py", "\n"+pythonBase), []string{}, []string{}, "line 7"},
		"other line ends":         {replace("\n", "\r\n"), []string{}, []string{}, "line 7"},
		"tabs for blanks":         {replace("    ", "\t"), []string{}, []string{}, "line 7"},
		"mended":                  {replace("import os\n", "", "mode=[]", "mode=None"), []string{"unused-import", "dangerous-default-value"}, []string{}, "line 5"},
		"imports swapped":         {replace("import os\nimport sys\n", "import sys\nimport os\n"), []string{}, []string{}, "line 6, text 1"},
		"function moved up": {tree("a.py", "def shout"+function+"\n\n"+class), []string{}, []string{},
			"line 6, moved 1"},
		"line split":   {replace("open(path)", "open(path).\\\n                detach()"), []string{}, []string{}, "line 6, symbol 1"},
		"comment hung": {replace("except Exception:", "except Exception:  # pylint: disable=all"), []string{}, []string{}, "line 6, symbol 1"},
		"renamed":      {tree("b.py", pythonBase), []string{}, []string{}, "line 7"},
		"function to a new file": {tree("a.py", class, "b.py", "def shout"+function), []string{}, []string{},
			"line 6, moved 1"},
		"deleted": {tree(), rules(pythonFindings(t, tree("a.py", pythonBase), "a.py")), []string{}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := tree("a.py", pythonBase)
			before := pythonFindings(t, base, "a.py")
			var after []bench.Finding
			for path := range c.after {
				after = append(after, pythonFindings(t, c.after, path)...)
			}
			m := Match(before, after, Change{Language: python, Before: base, After: c.after})
			require.NoError(t, m.Check(before, after))
			require.Equal(t, c.resolved, rules(m.Resolved))
			require.Equal(t, c.added, rules(m.New))
			require.Equal(t, c.steps, steps(m))
		})
	}
}

func TestMatchDetails(t *testing.T) {
	java := tree("A.java", `class A {
  int a() {
    int x = 1;
    return x;
  }
  int b(boolean c) {
    if (c) { return 1; }
    return 2;
  }
}
`)
	at := func(line int, rule, message string) bench.Finding {
		lines := strings.Split(string(java["A.java"]), "\n")
		return bench.Finding{Tool: "pmd", Rule: rule, Path: "A.java", Message: message, Line: lines[line-1], Range: bench.Range{Line: line, Column: 5}}
	}
	renamed := func(old, new string) map[string][]byte {
		return tree("A.java", strings.ReplaceAll(string(java["A.java"]), old, new))
	}
	shift := func(f bench.Finding, line int, text, message string) bench.Finding {
		f.Range.Line, f.Line, f.Message = line, text, message
		return f
	}
	final := at(3, "LocalVariableCouldBeFinal", "Local variable 'x' could be declared final")
	branches := at(6, "CognitiveComplexity", "The method 'b' has a cognitive complexity of 21, current threshold is 15")
	cases := map[string]struct {
		before, after []bench.Finding
		texts         map[string][]byte
		steps         string
	}{
		"a number in the message": {[]bench.Finding{branches},
			[]bench.Finding{shift(branches, 6, branches.Line, "The method 'b' has a cognitive complexity of 19, current threshold is 15")}, java, "line 1"},
		"a variable renamed": {[]bench.Finding{final},
			[]bench.Finding{shift(final, 3, "    int count = 1;", "Local variable 'count' could be declared final")}, renamed("x", "count"), "symbol 1"},
		"the same message in another function": {[]bench.Finding{final},
			[]bench.Finding{shift(final, 7, "    if (c) { return 1; }", final.Message)}, java, ""},
		"other rules never":        {[]bench.Finding{at(4, "OnlyOneReturn", "m")}, []bench.Finding{at(4, "UselessParentheses", "m")}, java, ""},
		"doublets pair one to one": {[]bench.Finding{final, final, final}, []bench.Finding{final, final}, java, "line 2"},
		"a finding without a place": {[]bench.Finding{shift(final, 0, "", "no package")},
			[]bench.Finding{shift(final, 0, "", "no package")}, renamed("x", "y"), "line 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := Match(c.before, c.after, Change{Language: "java", Before: java, After: c.texts})
			require.NoError(t, m.Check(c.before, c.after))
			require.Equal(t, c.steps, steps(m))
		})
	}
}

// TestMatchDuplicatesNearest: of equal lines the one nearest to where the diff
// puts it is taken.
func TestMatchDuplicatesNearest(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("    call_%d()", i))
	}
	lines[5], lines[25] = "    return None", "    return None"
	base := tree("a.py", strings.Join(lines, "\n")+"\n")
	edited := append([]string{"# one", "# two"}, lines...)
	edited[7] = "    return  0"
	now := tree("a.py", strings.Join(edited, "\n")+"\n")
	before := []bench.Finding{find(t, base, "r", "a.py", "return None", 1, "m"), find(t, base, "r", "a.py", "return None", 2, "m")}
	after := []bench.Finding{find(t, now, "r", "a.py", "return None", 1, "m")}
	m := Match(before, after, Change{Before: base, After: now})
	require.Equal(t, 6, m.Resolved[0].Range.Line)
	require.Equal(t, StepLine, m.Pairs[0].Step)
}

// TestMatchMovedIntoClass: a function that becomes a method has another
// symbol, and its edited lines are still the same findings.
func TestMatchMovedIntoClass(t *testing.T) {
	base := tree("a.py", "class T:\n    n = 1\n\n\ndef standardize(C):\n    for a in range(C.n):\n        beta = C.table[alpha][x]\n")
	now := tree("a.py", "class T:\n    n = 1\n\n    def standardize(self):\n        for a in range(self.n):\n            beta = self.table[alpha][x]\n")
	message := "Undefined variable 'alpha'"
	before := []bench.Finding{find(t, base, "undefined-variable", "a.py", "[alpha]", 1, message)}
	after := []bench.Finding{find(t, now, "undefined-variable", "a.py", "[alpha]", 1, message)}
	require.Equal(t, "symbol 1", steps(Match(before, after, Change{Language: "python", Before: base, After: now})))
	other := tree("a.py", strings.ReplaceAll(string(now["a.py"]), "standardize", "normalise"))
	after = []bench.Finding{find(t, other, "undefined-variable", "a.py", "[alpha]", 1, message)}
	require.Empty(t, Match(before, after, Change{Language: "python", Before: base, After: other}).Pairs, "another function")
}

// TestMatchByName: where a type changed in the lines and in the messages, the
// variable shows which is which, not the nearest line.
func TestMatchByName(t *testing.T) {
	base := tree("a.cc", "void f() {\n  typedef int t;\n  ns::store<context, int> as{42};\n  ns::args<context> args(as);\n}\n")
	now := tree("a.cc", "void f() {\n  ns::store<ns::ctx, int> as{42};\n  ns::args<ns::ctx> args(as);\n}\n")
	finds := func(files map[string][]byte, context string) []bench.Finding {
		say := func(name, kind string) string {
			return "variable '" + name + "' of type 'ns::" + kind + "' can be declared 'const'"
		}
		return []bench.Finding{
			find(t, files, "const", "a.cc", "as{", 1, say("as", "store<"+context+", int>")),
			find(t, files, "const", "a.cc", "args(", 1, say("args", "args<"+context+">")),
		}
	}
	m := Match(finds(base, "context"), finds(now, "ns::ctx"), Change{Language: "cpp", Before: base, After: now})
	require.Len(t, m.Pairs, 2)
	for _, p := range m.Pairs {
		require.Equal(t, subject(p.Before.Message), subject(p.After.Message))
	}
}

func TestMatchUntouchedFileNeedsNoText(t *testing.T) {
	f := bench.Finding{Tool: "t", Rule: "r", Path: "x.cpp", Range: bench.Range{Line: 4}, Message: "m"}
	m := Match([]bench.Finding{f}, []bench.Finding{f}, Change{})
	require.Len(t, m.Pairs, 1)
}

func TestNaiveStrategies(t *testing.T) {
	base, now := tree("a.py", pythonBase), tree("a.py", "\n"+pythonBase)
	before, after := pythonFindings(t, base, "a.py"), pythonFindings(t, now, "a.py")
	change := Change{Language: python, Before: base, After: now}
	byLine := MatchBy(ByRuleLine, before, after, change)
	require.NoError(t, byLine.Check(before, after))
	require.Len(t, byLine.Resolved, 6) // but the second import, at the line of the first
	require.Empty(t, MatchBy(ByRuleText, before, after, change).Resolved)
}

func TestRenames(t *testing.T) {
	diff := "diff --git a/a.py b/lib/a.py\nsimilarity index 99%\nrename from a.py\nrename to lib/a.py\n" +
		string(patch.Between("gone.py", []byte("x = 1\n"), nil)) + string(patch.Between("new.py", nil, []byte("z = 1\n")))
	p := must(patch.Parse([]byte(diff)))(t)
	require.Equal(t, map[string]string{"a.py": "lib/a.py"}, Renames(p))
}

func TestCheckFindsWrongMatchings(t *testing.T) {
	a := bench.Finding{Rule: "a", Path: "f"}
	b := bench.Finding{Rule: "b", Path: "f"}
	require.ErrorContains(t, Matching{Pairs: []Pair{{Before: a, After: b}}}.Check([]bench.Finding{a}, []bench.Finding{b}), "paired")
	require.ErrorContains(t, Matching{}.Check([]bench.Finding{a}, nil), "accounted")
	require.ErrorContains(t, Matching{Resolved: []bench.Finding{a, a}}.Check([]bench.Finding{a, b}, nil), "more often")
}
