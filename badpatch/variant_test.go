package badpatch

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages/syntax"
)

func TestVariants(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.language, func(t *testing.T) {
			all, err := Variants(f.subject(t))
			require.NoError(t, err)
			require.Greater(t, len(all), 3)
			var b strings.Builder
			for i, v := range all {
				require.Equal(t, i, v.Index)
				text := state(t, f.base, v.Patch, f.path)
				_, errs, err := syntax.Nodes(f.language, []byte(text))
				require.NoError(t, err)
				require.Zero(t, errs, text)
				b.WriteString("# " + v.Source + "\n" + string(patch.Between(f.path, []byte(f.gold[f.path]), []byte(text))) + "\n")
			}
			golden(t, filepath.Join("testdata", "fix", f.language, "variants.golden"), b.String(), *update)
		})
	}
}

// TestVariantsRefuseGreps holds that a test that looks for a line of gold's in
// the source, one that says something, does not find it in the first variant.
func TestVariantsRefuseGreps(t *testing.T) {
	for _, f := range fixtures(t) {
		s := f.subject(t)
		all, err := Variants(s)
		require.NoError(t, err)
		text := state(t, f.base, all[0].Patch, f.path)
		left := 0
		checked := 0
		gold := lines([]byte(f.gold[f.path]))
		for line := range s.files[0].goldLines() {
			said := string(bytes.TrimSpace(gold[line-1]))
			if strings.Contains(f.base[f.path], said) || !telling([][]byte{[]byte(said)}) || !strings.ContainsAny(said, "(=") {
				continue
			}
			checked++
			if strings.Contains(text, said) {
				left++
				t.Logf("%s: left as it is: %s", f.language, said)
			}
		}
		require.Greater(t, checked, 4)
		require.LessOrEqual(t, left, 1, f.language)
	}
}

// TestVariantsOfDeletion holds that gold that only takes away has variants.
func TestVariantsOfDeletion(t *testing.T) {
	base := texts{"m.py": "def f(x):\n    check(x)\n    y = x\n    return y + 1\n"}
	all, err := Variants(subject(t, "python", base, texts{"m.py": "def f(x):\n    y = x\n    return y + 1\n"}))
	require.NoError(t, err)
	require.NotEmpty(t, all)
}

// TestRenameLeaves holds that names stay where they may mean something else.
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
		s := subject(t, c.language, nil, texts{c.path: c.body})
		f := s.files[0]
		edits := renameLocals(draft{f.gold, s, view{f, f.gold, f.marked()}, s.freshNames()})
		for _, e := range edits {
			require.NotEqual(t, "y", string(f.gold.src[e.start:e.end]), name)
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
	f := fixtures(t)[0]
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
	want := run(f.gold[f.path])
	all, err := Variants(f.subject(t))
	require.NoError(t, err)
	for _, v := range all {
		require.Equal(t, want, run(state(t, f.base, v.Patch, f.path)), v.Source)
	}
}

// FuzzVariants holds for any fix that variants apply to base and parse no worse
// than gold, and that sources and filter take it.
func FuzzVariants(f *testing.F) {
	names := []string{"python", "java", "cpp"}
	for i, x := range fixtures(f) {
		f.Add(uint8(i), []byte(x.base[x.path]), []byte(x.gold[x.path]))
	}
	f.Fuzz(func(t *testing.T, which uint8, before, after []byte) {
		language := names[int(which)%3]
		path := []string{"m.py", "A.java", "a.cc"}[int(which)%3]
		base, gold := texts{path: string(before)}, texts{path: string(after)}
		s, err := NewSubject(Input{Instance: &bench.Instance{ID: "a", Language: language, Patch: between(base, gold)}, Base: tree(base)})
		if err != nil {
			t.Skip(err) // a text that diffs cannot hold
		}
		all, err := Variants(s)
		require.NoError(t, err)
		for _, v := range all {
			_, errs, err := syntax.Nodes(language, []byte(state(t, base, v.Patch, path)))
			require.NoError(t, err)
			require.LessOrEqual(t, errs, s.files[0].gold.errors)
		}
		filter, err := NewFilter(s)
		require.NoError(t, err)
		defer filter.Close()
		for _, source := range []Source{Subsets{}, Symptoms{}, Undisciplined{}, Operators{PerOperator: 1}} {
			for c, err := range source.Candidates(t.Context(), s) {
				require.NoError(t, err)
				cause, err := filter.Check(c)
				require.NoError(t, err)
				require.NotContains(t, []Cause{Unparsed, OffLimits}, cause)
			}
		}
	})
}
