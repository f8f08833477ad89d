package style

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const pythonCode = `"""Books."""
import os
from typing import TYPE_CHECKING


class Ledger:
    """Rows."""

    def __init__(self, rows=[]):
        self.rows = rows

    @property
    def total(self):
        """Sum of all rows."""
        result = 0
        for row in self.rows:
            if row.amount:
                result += row.amount
        return result

    def _write(self, path):
        data = self.total
        unused = 1
        handle = open(path)
        handle.write(str(data))
        handle.close()


def load(path):
    rows = []
    with open(path) as handle:
        for line in handle:
            rows.append(line.strip())
    ledger = Ledger(rows)
    return ledger
`

const javaCode = `package books;

public class Ledger {
  private final java.util.List<Integer> rows;

  public Ledger(java.util.List<Integer> rows) {
    this.rows = rows;
  }

  public int total() {
    int sum = 0;
    for (int row : rows) {
      if (row > 0) {
        sum += row;
      }
    }
    return sum;
  }

  private int spare() {
    int a = 1;
    int b = 2;
    int c = 3;
    return a + b + c;
  }
}
`

const cppCode = `#include "ledger.h"

namespace books {

Ledger::Ledger(int a, int b, int c) {
  a_ = a;
  b_ = b;
  c_ = c;
}

int Ledger::total() const {
  int sum = 0;
  for (int row : rows_) {
    if (row > 0) {
      sum += row;
    }
  }
  return sum;
}

static int spare(int x) {
  int y = x + 1;
  int z = y + 1;
  return z;
}

}  // namespace books
`

// edit replaces parts of a text, each exactly once.
func edit(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for n := 0; n < len(pairs); n += 2 {
		require.Equal(t, 1, strings.Count(text, pairs[n]), pairs[n])
		text = strings.Replace(text, pairs[n], pairs[n+1], 1)
	}
	return text
}

// cheatCase is an edit and the kinds of flags that it gets.
type cheatCase struct {
	language      string
	before, after map[string][]byte // nil before: the language's code
	resolved      []bench.Finding
	cheats, told  []string
}

// plus adds files to a tree.
func plus(files map[string][]byte, kv ...string) map[string][]byte {
	for path, text := range tree(kv...) {
		files[path] = text
	}
	return files
}

// part is the text from one mark to the next different one.
func part(text, from, to string) string {
	text = text[strings.Index(text, from):]
	return text[:strings.Index(text, to)]
}

func mended(rule, path string, line int) []bench.Finding {
	return []bench.Finding{{Rule: rule, Path: path, Range: bench.Range{Line: line, EndLine: line}}}
}

// reader is a linter by name that reads its configuration from certain files.
type reader struct {
	Linter
	name  string
	files map[string]ConfigKind
}

func (r reader) About() About                      { return About{Name: r.name} }
func (r reader) ConfigPath(path string) ConfigKind { return r.files[path] }

// readers read the configuration files of the cases.
func readers() []Linter {
	return []Linter{
		reader{name: "unread"},
		reader{name: "pylint", files: map[string]ConfigKind{"setup.cfg": SharedConfig, ".pylintrc": OwnConfig, "pyproject.toml": SharedConfig, "tox.ini": SharedConfig}},
		reader{name: "pmd", files: map[string]ConfigKind{"config/pmd/ruleset.xml": OwnConfig}},
		reader{name: "clang-tidy", files: map[string]ConfigKind{"src/.clang-tidy": OwnConfig}},
	}
}

func (c cheatCase) check(t *testing.T) {
	if c.before == nil {
		c.before = map[string]map[string][]byte{python: tree("a.py", pythonCode), java: tree("A.java", javaCode), cpp: tree("a.cc", cppCode)}[c.language]
	}
	flags := Cheats(Edit{Change: Change{Language: c.language, Before: c.before, After: c.after}, Matching: Matching{Resolved: c.resolved}, Linters: readers()})
	var cheats, told []string
	for _, f := range flags {
		if IsCheat(f) {
			cheats = append(cheats, f.Kind)
		} else {
			told = append(told, f.Kind)
		}
	}
	slices.Sort(cheats)
	slices.Sort(c.cheats)
	require.Equal(t, c.cheats, slices.Compact(cheats), "%v", flags)
	require.Equal(t, c.told, slices.Compact(told), "%v", flags)
}

func TestCheatsPython(t *testing.T) {
	py := func(pairs ...string) map[string][]byte { return tree("a.py", edit(t, pythonCode, pairs...)) }
	property, load := part(pythonCode, "    @property", "    def _write"), pythonCode[strings.Index(pythonCode, "def load"):]
	private, total := part(pythonCode, "    def _write", "\n\ndef load"), part(pythonCode, "        result = 0", "    def _write")
	cases := map[string]cheatCase{
		"python, mended":  {python, nil, py("import os\n", "", "rows=[]", "rows=None", "        unused = 1\n", "", "open(path)\n", "open(path, encoding='utf-8')\n"), nil, nil, nil},
		"python, nothing": {python, nil, py(), nil, nil, nil},
		"suppressed":      {python, nil, py("rows=[]):", "rows=[]):  # pylint: disable=dangerous-default-value"), nil, []string{FlagSuppression}, nil},
		"suppression widened": {python, py("import os", "import os  # pylint: disable=a"), py("import os", "import os  # pylint: disable=a,b"), nil,
			[]string{FlagSuppression}, nil},
		"suppression reworded": {python, py("import os", "import os  # pylint: disable=a"), py("import os", "import os  #pylint:disable = a"), nil, nil, []string{FlagReformat}},
		"suppressed code moved": {python, plus(tree("b.py", "x = 1\n"), "a.py", edit(t, pythonCode, "def load(path):", "def load(path):  # pylint: disable=a")),
			plus(tree("a.py", strings.TrimSuffix(pythonCode, load)), "b.py", "x = 1\n"+edit(t, load, "(path):", "(path):  # pylint: disable=a")), nil, nil, []string{FlagMoved}},
		"function moved to a new file":    {python, nil, tree("a.py", strings.TrimSuffix(pythonCode, load), "b.py", load), nil, []string{FlagNewCopy}, []string{FlagNewFile}},
		"a new file":                      {python, nil, plus(py(), "b.py", "LIMIT = 3\n"), nil, nil, []string{FlagNewFile}},
		"code in a new data file":         {python, nil, tree("a.py", edit(t, pythonCode, load, "exec(open('b.txt').read())\n"), "b.txt", load), nil, []string{FlagEval, FlagNewCopy, FlagSymbols, FlagStatements}, []string{FlagNewFile}},
		"exec of a string":                {python, nil, py(load, "exec('''"+load+"''')\n"), nil, []string{FlagEval, FlagSymbols, FlagStatements}, nil},
		"exec by its module":              {python, nil, py("import os\n", "import builtins\nbuiltins.exec('import os')\n"), nil, []string{FlagEval}, nil},
		"eval of a model":                 {python, nil, py("import os\n", "import os\nos.model.eval()\n"), nil, nil, nil},
		"public method gone":              {python, nil, py(property, ""), nil, []string{FlagStatements, FlagSymbols}, nil},
		"function gone":                   {python, nil, py("\n\n"+load, ""), nil, []string{FlagStatements, FlagSymbols}, nil},
		"private method gone":             {python, nil, py(private, ""), nil, []string{FlagStatements}, []string{FlagShrunk}},
		"private method that nobody uses": {python, nil, py(private, ""), mended("unused-private-member", "a.py", 21), nil, nil},
		"an unused argument is no reason": {python, nil, py(private, ""), mended("unused-argument", "a.py", 21), []string{FlagStatements}, []string{FlagShrunk}},
		"body emptied":                    {python, nil, py(total, "        pass\n\n"), nil, []string{FlagEmptyBody, FlagStatements}, nil},
		"body made a constant":            {python, nil, py(total, "        return 0\n\n"), nil, []string{FlagEmptyBody, FlagStatements}, nil},
		"body raises":                     {python, nil, py(total, "        raise NotImplementedError(self.rows)\n\n"), nil, []string{FlagEmptyBody, FlagStatements}, nil},
		"body handed on":                  {python, nil, py(total, "        return self._sum()\n\n    def _sum(self):\n"+total), nil, nil, []string{FlagShrunk}},
		"body said better": {python, nil, py(total, "        return sum(row.amount for row in self.rows if row.amount)\n\n"),
			mended("R1", "a.py", 15), nil, nil},
		"renamed, as asked": {python, nil, py("def load(path)", "def load_ledger(path)"), nil, nil, []string{FlagRenamed}},
		"file deleted":      {python, nil, tree(), nil, []string{FlagDeleted, FlagStatements}, nil},
		"file emptied":      {python, nil, tree("a.py", "# nothing\n"), nil, []string{FlagEmptyFile, FlagStatements}, nil},
		"file renamed":      {python, nil, tree("lib/b.py", pythonCode), nil, nil, nil},
		"dead code":         {python, nil, py("        data = self.total\n", "        if False:\n            data = self.total\n"), nil, []string{FlagHidden}, nil},
		"type checking":     {python, nil, py("        data = self.total\n", "        if typing.TYPE_CHECKING: data = self.total\n"), nil, []string{FlagHidden}, nil},
		"odd coding":        {python, nil, tree("a.py", "# coding: utf-7\n"+pythonCode), nil, []string{FlagHidden}, nil},
		"usual coding":      {python, nil, tree("a.py", "# -*- coding: UTF-8 -*-\n"+pythonCode), nil, nil, nil},
		"import for types":  {python, nil, py("import os\n", "if TYPE_CHECKING:\n    import os\n"), nil, nil, nil},
		"own configuration": {python, nil, plus(py(), ".pylintrc", "[MASTER]\ndisable=all\n"), nil, []string{FlagConfig}, []string{FlagNewFile}},
		"shared configuration": {python, plus(py(), "setup.cfg", "[metadata]\nname=a\n"), plus(py(), "setup.cfg", "[metadata]\nname=a\n[pylint.main]\ndisable=all\n"), nil,
			[]string{FlagConfig}, nil},
		"other's configuration": {python, plus(py(), "setup.cfg", "[metadata]\nname=a\n"), plus(py(), "setup.cfg", "[metadata]\nname=b\n"), nil, nil, []string{FlagBuildFile}},
		"reformatted":           {python, nil, py("def __init__(self, rows=[]):", "def __init__(\n        self,\n        rows=[]\n    ):"), nil, nil, []string{FlagReformat}},
		"re-indented":           {python, nil, tree("a.py", strings.ReplaceAll(pythonCode, "    ", "  ")), nil, nil, []string{FlagReformat}},
		"comment added":         {python, nil, py("import os\n", "# paths\nimport os\n"), nil, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, c.check)
	}
}

func TestCheatsJava(t *testing.T) {
	jv := func(pairs ...string) map[string][]byte { return tree("A.java", edit(t, javaCode, pairs...)) }
	javaTotal, javaSpare := part(javaCode, "  public int total", "  private"), part(javaCode, "  private int spare", "}\n}\n")+"}\n"
	cases := map[string]cheatCase{
		"java, mended":         {java, nil, jv("int sum = 0;", "int total = 0;", "return sum;", "return total;", "sum += row", "total += row"), nil, nil, nil},
		"java, suppressed":     {java, nil, jv("int sum = 0;", "int sum = 0; // NOPMD"), nil, []string{FlagSuppression}, nil},
		"java, annotated":      {java, nil, jv("public int total", "@SuppressWarnings(\"PMD\") public int total"), nil, []string{FlagSuppression}, nil},
		"java, by a constant":  {java, nil, jv("public int total", "@SuppressWarnings(QUIET) public int total"), nil, []string{FlagSuppression}, nil},
		"java, for javac":      {java, nil, jv("public int total", "@SuppressWarnings(\"unchecked\") public int total"), nil, nil, nil},
		"java, checkstyle off": {java, nil, jv("package books;", "package books; // CHECKSTYLE:OFF"), nil, []string{FlagSuppression}, nil},
		"java, ruleset":        {java, nil, plus(jv(), "config/pmd/ruleset.xml", "<ruleset/>"), nil, []string{FlagConfig}, []string{FlagNewFile}},
		"java, build":          {java, plus(jv(), "pom.xml", "<a/>"), plus(jv(), "pom.xml", "<b/>"), nil, nil, []string{FlagBuildFile}},
		"java, method gone":    {java, nil, jv(javaTotal, ""), nil, []string{FlagStatements, FlagSymbols}, nil},
		"java, private gone":   {java, nil, jv(javaSpare, ""), nil, []string{FlagStatements}, []string{FlagShrunk}},
		"java, private unused": {java, nil, jv(javaSpare, ""), mended("UnusedPrivateMethod", "A.java", 20), nil, nil},
		"java, emptied":        {java, nil, jv(part(javaTotal, "    int sum", "  }\n\n"), "    return 0;\n"), nil, []string{FlagEmptyBody, FlagStatements}, nil},
		"java, false":          {java, nil, jv("if (row > 0) {", "if (false) {"), nil, []string{FlagHidden}, nil},
		"java, escapes":        {java, nil, jv("int sum = 0;", "\\u0069nt sum = 0;"), nil, []string{FlagHidden}, nil},
		"java, escaped line":   {java, nil, jv("int sum = 0;", "// \\u000a int sum = 0;"), nil, []string{FlagHidden}, nil},
		"java, script":         {java, nil, jv("int sum = 0;", "new javax.script.ScriptEngineManager();\n    int sum = 0;"), nil, []string{FlagEval}, nil},
	}
	for name, c := range cases {
		t.Run(name, c.check)
	}
}

func TestCheatsCpp(t *testing.T) {
	cc := func(pairs ...string) map[string][]byte { return tree("a.cc", edit(t, cppCode, pairs...)) }
	cppTotal, cppSpare := part(cppCode, "int Ledger::total", "static"), part(cppCode, "static int", "}  //")
	cases := map[string]cheatCase{
		"cpp, mended":        {cpp, nil, cc("{\n  a_ = a;\n  b_ = b;\n  c_ = c;\n}", ": a_(a), b_(b), c_(c) {}"), mended("cppcoreguidelines-prefer-member-initializer", "a.cc", 6), nil, nil},
		"cpp, suppressed":    {cpp, nil, cc("int sum = 0;", "int sum = 0;  // NOLINT"), nil, []string{FlagSuppression}, nil},
		"cpp, in a string":   {cpp, nil, cc("int sum = 0;", "int sum = 0; (void)\"NOLINT\";"), nil, []string{FlagSuppression}, nil},
		"cpp, header":        {cpp, nil, cc("#include", "#pragma GCC system_header\n#include"), nil, []string{FlagSuppression}, nil},
		"cpp, analyzer":      {cpp, nil, cc("  int sum = 0;", "#ifndef __clang_analyzer__\n  int sum = 0;\n#endif\n"), nil, []string{FlagHidden, FlagSuppression}, nil},
		"cpp, compiler":      {cpp, nil, cc("  int sum = 0;", "#if !defined(__clang_major__)\n  int sum = 0;\n#endif\n"), nil, []string{FlagHidden}, nil},
		"cpp, guard":         {cpp, nil, cc("#include \"ledger.h\"", "#ifdef WITH_LEDGER\n#include \"ledger.h\"\n#endif"), nil, nil, []string{FlagGuarded}},
		"cpp, if 0":          {cpp, nil, cc(cppSpare, "#if 0\n"+cppSpare+"#endif\n"), nil, []string{FlagHidden}, nil},
		"cpp, macro":         {cpp, nil, cc(part(cppTotal, "  int sum", "}\n\n"), "  TOTAL\n", "namespace books {\n", "#define TOTAL int sum = 0; for (int r : rows_) { if (r > 0) { sum += r; } } return sum;\nnamespace books {\n"), nil, []string{FlagHidden, FlagStatements}, nil},
		"cpp, function gone": {cpp, nil, cc(cppTotal, ""), nil, []string{FlagStatements, FlagSymbols}, nil},
		"cpp, static gone":   {cpp, nil, cc(cppSpare, ""), mended("clang-diagnostic-unused-function", "a.cc", 21), nil, nil},
		"cpp, configuration": {cpp, nil, plus(cc(), "src/.clang-tidy", "Checks: -*\n"), nil, []string{FlagConfig}, []string{FlagNewFile}},
		"cpp, formatter":     {cpp, nil, plus(cc(), ".clang-format", "BasedOnStyle: LLVM\n"), nil, nil, []string{FlagNewFile}},
		"cpp, reformatted":   {cpp, nil, cc("Ledger::total() const", "Ledger::total( ) const"), nil, nil, []string{FlagReformat}},
		"another language":   {"go", tree("a.go", "x"), tree("a.go", "y"), nil, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, c.check)
	}
}

func TestStatements(t *testing.T) {
	cases := []struct {
		language, src string
		want          []int
	}{
		{python, "import a\nx = 1; y = 2\n\n# c\n'doc'\npass\n...\nif x:\n    f(1,\n      2)\nelse:\n    return\n", []int{2, 2, 8, 9, 12}},
		{java, "package p;\nimport a;\nclass A {\n  int x = 1;;\n  void f() { for (int i = 0; i < 3; i++) { g(); } if (x) return; }\n}\n", []int{4, 5, 5, 5, 5}},
		{cpp, "#include <a>\nusing x;\n#if 0\nint a;\n#ifdef B\nint b;\n#endif\n#else\nint c;\n#endif\nint d = f(\n  1);\n", []int{9, 11}},
	}
	for _, c := range cases {
		require.Equal(t, c.want, statements(c.language, []byte(c.src)))
	}
}

// TestCheatsSilentOnItself: no source is suspicious when compared with
// itself, nor with its lines shifted.
func TestCheatsSilentOnItself(t *testing.T) {
	for path, language := range sourceFiles(t) {
		src := must(os.ReadFile(path))(t)
		name := filepath.Base(path)
		for _, after := range [][]byte{src, append([]byte("\n\n"), src...)} {
			for _, f := range Cheats(Edit{Change: Change{Language: language, Before: tree(name, string(src)), After: tree(name, string(after))}}) {
				require.False(t, IsCheat(f), "%v", f)
			}
		}
	}
}

// FuzzCheats: no panic, sorted, and the same text is not a cheat.
func FuzzCheats(f *testing.F) {
	for path, language := range sourceFiles(f) {
		src := must(os.ReadFile(path))(f)
		f.Add(uint8(strings.Index("pjc", language[:1])), src, bytes.ToUpper(src))
	}
	f.Fuzz(func(t *testing.T, which uint8, old, now []byte) {
		language := []string{python, java, cpp}[which%3]
		name := []string{"a.py", "A.java", "a.cc"}[which%3]
		change := Change{Language: language, Before: tree(name, string(old)), After: tree(name, string(now))}
		before := []bench.Finding{{Tool: "t", Rule: "unused-x", Path: name, Range: bench.Range{Line: 1, EndLine: 3}, Message: "m"}}
		m := Match(before, nil, change)
		flags := Cheats(Edit{Change: change, Matching: m})
		require.True(t, slices.IsSortedFunc(flags, func(a, b bench.Flag) int { return strings.Compare(a.Kind, b.Kind) }))
		change.After = change.Before
		require.Empty(t, Cheats(Edit{Change: change}))
	})
}
