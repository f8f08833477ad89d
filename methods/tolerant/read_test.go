package tolerant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		cut    bool
		want   []Block
		err    string
	}{
		"one":               {"diff\na.py\ninsert\nEOF\nx\nend diff", false, []Block{{"a.py", true, Place{End: true}, []string{"x"}}}, ""},
		"words around":      {"**Diff:**\nPath: `a.py`\n<rewrite>\nlines 3-9\nx\nEND DIFF", false, []Block{{"a.py", false, Place{Line: 3}, []string{"x"}}}, ""},
		"other words":       {"diff\na.py\nadd\nBOF\nx\nend diff\ndiff\na.py\nreplace\n~4\ny\nend diff", false, []Block{{"a.py", true, Place{Start: true}, []string{"x"}}, {"a.py", false, Place{Line: 4}, []string{"y"}}}, ""},
		"no place":          {"diff\na.py\ninsert\ndef f():\n    pass\nend diff", false, []Block{{"a.py", true, Place{}, []string{"def f():", "    pass"}}}, ""},
		"blank lines":       {"diff\n\na.py\n\ninsert\n\n7\n\nx\n\n\nend diff", false, []Block{{"a.py", true, Place{Line: 7}, []string{"x"}}}, ""},
		"no end":            {"diff\na.py\ninsert\nEOF\nx\ndiff\nb.py\ninsert\nEOF\ny", false, []Block{{"a.py", true, Place{End: true}, []string{"x"}}, {"b.py", true, Place{End: true}, []string{"y"}}}, ""},
		"cut off":           {"diff\na.py\ninsert\nEOF\nx\nend diff\ndiff\nb.py\ninsert\nEOF\ny", true, []Block{{"a.py", true, Place{End: true}, []string{"x"}}}, ""},
		"all cut off":       {"diff\nb.py\ninsert\nEOF\ny", true, nil, "the last block is cut off"},
		"code in a fence":   {"diff\na.py\ninsert\nEOF\n```python\nx\n```\nend diff", false, []Block{{"a.py", true, Place{End: true}, []string{"x"}}}, ""},
		"diff is a word":    {"See the\ndiff\nof two files.\n", false, nil, "there is no block"},
		"a variable":        {"diff\na.py\ninsert\nEOF\nx = a\ndiff\nprint(x)\nend diff", false, []Block{{"a.py", true, Place{End: true}, []string{"x = a", "diff", "print(x)"}}}, ""},
		"numbers":           {"diff\na.py\ninsert\nEOF\n 9 x\n10   y\n11\nend diff", false, []Block{{"a.py", true, Place{End: true}, []string{"x", "  y", ""}}}, ""},
		"numbers are data":  {"diff\na.py\ninsert\nEOF\n1 x\n3 y\nend diff", false, []Block{{"a.py", true, Place{End: true}, []string{"1 x", "3 y"}}}, ""},
		"nothing":           {"", false, nil, "there is no block"},
		"only the word":     {"diff", false, nil, "there is no block"},
		"Windows' line end": {"diff\r\na.py\r\ninsert\r\nEOF\r\nx\r\nend diff\r\n", false, []Block{{"a.py", true, Place{End: true}, []string{"x"}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := Read(tt.answer, tt.cut)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// TestEnds: the file's own ends of lines are kept, and a last line without one
// gets it.
func TestEnds(t *testing.T) {
	blocks := []Block{{Path: "t.py", Insert: true, At: Place{End: true}, Code: []string{"def test_b():", "    pass"}}}
	for before, want := range map[string]string{
		"def test_a():\r\n    pass\r\n": "def test_a():\r\n    pass\r\n\r\n\r\ndef test_b():\r\n    pass\r\n",
		"def test_a():\n    pass":       "def test_a():\n    pass\n\n\ndef test_b():\n    pass\n",
		"x = 1\n":                       "x = 1\n\n\ndef test_b():\n    pass\n",
		"":                              "def test_b():\n    pass\n",
	} {
		got, err := Apply("python", memory{"t.py": before}, blocks)
		require.NoError(t, err)
		require.Equal(t, want, string(got.Files["t.py"]))
	}
}

func TestUnknownLanguage(t *testing.T) {
	_, err := Apply("cobol", memory{}, nil)
	require.ErrorContains(t, err, `the format is not known for "cobol"`)
}

// FuzzFormat: no answer makes reading or applying it fail, the paths stay in the
// repository, and the outcome is one that a patch can describe.
func FuzzFormat(f *testing.F) {
	f.Add("diff\nt.x\nrewrite\n3\ndef f():\n    pass\nend diff", "def f():\n    return 1\n")
	f.Add("diff\nt.x\ninsert\nEOF\nint f() { return 1; }\nend diff\ndiff\nu.x\ninsert\nBOF\nx\nend diff", "class A {\n  int g() { return 2; }\n}\n")
	f.Add("diff\nt.x\ninsert\n2\nTEST(A, b) {\n}\nend diff", "TEST(A, a) {\n}\n")
	f.Add("diff\nt.x\nrewrite\n2\nclass A:\n  def f(self): pass\nend diff", "class A:\n  def g(self): pass\n  def h(self): pass\n  def i(self): pass")
	f.Add("diff\n../x\ninsert\nEOF\n1 a\n2 b\nend diff", "\r\n")
	f.Fuzz(checkFormat)
}

func checkFormat(t *testing.T, answer, text string) {
	blocks, _, err := Read(answer, false)
	if err != nil {
		require.Empty(t, blocks)
		return
	}
	for _, language := range []string{"python", "java", "cpp"} {
		result, err := Apply(language, memory{"t.x": text}, blocks)
		require.NoError(t, err)
		require.Len(t, result.Blocks, len(blocks))
		for p, data := range result.Files {
			require.NotContains(t, strings.Split(p, "/"), "..")
			require.False(t, strings.HasPrefix(p, "/"))
			var old []byte
			tree := map[string]patch.Entry{}
			if p == "t.x" {
				old, tree[p] = []byte(text), patch.Entry{Data: []byte(text), Mode: patch.ModeFile}
			}
			if strings.ContainsAny(p, "\n\"\\\x00") || strings.Contains(text+answer, "\x00") {
				continue // no patch of text has these
			}
			diff, err := patch.Parse(patch.Between(p, old, data))
			require.NoError(t, err)
			changes, err := patch.Apply(patch.MapTree(tree), diff)
			require.NoError(t, err)
			if e, ok := changes.Write[p]; ok {
				require.Equal(t, string(data), string(e.Data))
			}
		}
	}
}
