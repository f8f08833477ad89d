package rewrite

import (
	"bytes"
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/code"
	"assay/internal/patch"
	"assay/languages/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestVariants(t *testing.T) {
	for _, f := range badpatchtest.Fixtures(t) {
		t.Run(f.Language, func(t *testing.T) {
			all, err := Variants(f.Subject(t))
			require.NoError(t, err)
			require.Greater(t, len(all), 3)
			var b strings.Builder
			for i, v := range all {
				require.Equal(t, i, v.Index)
				text := badpatchtest.State(t, f.Base, v.Patch, f.Path)
				_, errs, err := syntax.Nodes(f.Language, []byte(text))
				require.NoError(t, err)
				require.Zero(t, errs, text)
				b.WriteString("# " + v.Source + "\n" + string(patch.Between(f.Path, []byte(f.Gold[f.Path]), []byte(text))) + "\n")
			}
			badpatchtest.Golden(t, filepath.Join("testdata", "fix", f.Language, "variants.golden"), b.String(), *update)
		})
	}
}

// TestVariantsRefuseGreps checks that a test that looks for a line of gold's
// in the source, one that says something, does not find it in the first
// variant.
func TestVariantsRefuseGreps(t *testing.T) {
	for _, f := range badpatchtest.Fixtures(t) {
		s := f.Subject(t)
		all, err := Variants(s)
		require.NoError(t, err)
		text := badpatchtest.State(t, f.Base, all[0].Patch, f.Path)
		left := 0
		checked := 0
		gold := code.Lines([]byte(f.Gold[f.Path]))
		for line := range s.Files[0].GoldLines() {
			said := string(bytes.TrimSpace(gold[line-1]))
			if strings.Contains(f.Base[f.Path], said) || !code.HasContent([][]byte{[]byte(said)}) || !strings.ContainsAny(said, "(=") {
				continue
			}
			checked++
			if strings.Contains(text, said) {
				left++
				t.Logf("%s: left as it is: %s", f.Language, said)
			}
		}
		require.Greater(t, checked, 4)
		require.LessOrEqual(t, left, 1, f.Language)
	}
}

// TestVariantsOfDeletion checks that gold that only takes away has variants.
func TestVariantsOfDeletion(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "def f(x):\n    check(x)\n    y = x\n    return y + 1\n"}
	all, err := Variants(badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"m.py": "def f(x):\n    y = x\n    return y + 1\n"}))
	require.NoError(t, err)
	require.NotEmpty(t, all)
}

// TestRenameLeaves checks that names stay where they may mean something else.
func TestRenameLeaves(t *testing.T) {
	for name, c := range map[string]struct{ language, path, body string }{
		"looks at its names":  {"python", "m.py", "def f(x):\n    y = x\n    return '%(y)s' % locals()\n"},
		"global":              {"python", "m.py", "def f(x):\n    global y\n    y = g(1)\n"},
		"inner parameter":     {"python", "m.py", "def f():\n    y = 1\n    def g(y=2):\n        return y\n    return g(y=y)\n"},
		"used before":         {"java", "A.java", "class A {\n int y;\n void f() {\n  y = 1;\n  int y = 2;\n }\n}\n"},
		"local class":         {"java", "A.java", "class A {\n void f() {\n  int y = 2;\n  g(new B() { int y = y; });\n }\n}\n"},
		"a type of that name": {"cpp", "a.cc", "void f() {\n  int y = 2;\n  g(sizeof(struct y));\n}\n"},
		"a macro's text":      {"cpp", "a.cc", "void f() {\n  int y = 2;\n#define g y\n  g++;\n}\n"},
	} {
		s := badpatchtest.Subject(t, c.language, nil, badpatchtest.Texts{c.path: c.body})
		f := s.Files[0]
		edits := renameLocals(draft{f.Gold, s, badpatch.View{File: f, Code: f.Gold, Changed: marked(f)}, freshNames(s)})
		for _, e := range edits {
			require.NotEqual(t, "y", string(f.Gold.Src[e.Start:e.End]), name)
		}
	}
}

// TestVariantsRun runs Python's gold and variants on the same input, where
// there is a Python to do it.
func TestVariantsRun(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	f := badpatchtest.Fixtures(t)[0]
	script := `
s = Store(); s.items = {}; s.default = 7
print(clean("  ABC def "), clean("Ab"), words(" a b", 3), s.get("k"), s.put("K", 1) is s, s.get("k"), s.items, s.other("z", 2))
try:
    clean(None)
except ValueError as e:
    print("ValueError", e)
print(clean(limit=1, name="xyz"))
`
	run := func(text string) string {
		cmd := exec.CommandContext(t.Context(), python, "-")
		cmd.Stdin = strings.NewReader(text + script)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", text, out)
		return string(out)
	}
	want := run(f.Gold[f.Path])
	all, err := Variants(f.Subject(t))
	require.NoError(t, err)
	for _, v := range all {
		require.Equal(t, want, run(badpatchtest.State(t, f.Base, v.Patch, f.Path)), v.Source)
	}
}

// TestVariantsOfTables checks that a table, a macro and a field have a
// variant, and that no text in quotes changes.
func TestVariantsOfTables(t *testing.T) {
	for name, c := range map[string]struct{ language, path, base, gold, want string }{
		"a list":  {"python", "m.py", "ALL = [\n    'a b',\n]\n", "ALL = [\n    'a b',\n    'c d',\n]\n", "ALL = [\n    'a b',\n    'c d' ,\n]\n"},
		"a macro": {"cpp", "m.h", "#define A 1\n", "#define A 1\n#define B(x) f(x) + \"a b\"\n", "#define A 1\n#define  B(x) f(x) + \"a b\"\n"},
		"a field": {"java", "src/main/java/M.java", "class M {\n}\n", "class M {\n  String s = \"a b\";\n}\n", "class M {\n  String  s = \"a b\";\n}\n"},
	} {
		base := badpatchtest.Texts{c.path: c.base}
		all, err := Variants(badpatchtest.Subject(t, c.language, base, badpatchtest.Texts{c.path: c.gold}))
		require.NoError(t, err, name)
		require.NotEmpty(t, all, name)
		last := all[len(all)-1]
		require.Equal(t, "rewrite/respace", last.Source, name)
		require.Equal(t, c.want, badpatchtest.State(t, base, last.Patch, c.path), name)
	}
}
