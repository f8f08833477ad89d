package syntax

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNodes(t *testing.T) {
	src := []byte("def f(a):\n    # why\n    return a + 1\n")
	root, errors, err := Nodes("python", src)
	require.NoError(t, err)
	require.Zero(t, errors)
	def := root.Items()[0]
	require.Equal(t, "function_definition", def.Kind)
	require.Equal(t, "f", def.Get("name").Text(src))
	require.Nil(t, def.Get("no such field"))
	body := def.Get("body")
	require.Equal(t, "body", body.Field)
	require.Len(t, body.Items(), 1)
	sum := body.Items()[0].Items()[0]
	require.Equal(t, "binary_operator", sum.Kind)
	require.Equal(t, "a + 1", sum.Text(src))
	require.Equal(t, 3, sum.Line)
	require.False(t, sum.Get("operator").Named)
	require.Same(t, def, body.Parent)

	var kinds []string
	def.Walk(func(n *Node) bool {
		kinds = append(kinds, n.Kind)
		return n.Kind != "block"
	})
	require.Equal(t, []string{"function_definition", "def", "identifier", "parameters", "(", "identifier", ")", ":", "comment", "block"}, kinds)

	_, _, err = Nodes("cobol", nil)
	require.ErrorContains(t, err, `"cobol" is not known`)
	_, _, err = Nodes("python", make([]byte, maxSource+1))
	require.ErrorContains(t, err, "are more than")
}

// TestNodesPassesOverMacros checks that a macro before a class's name leaves
// offsets as they are.
func TestNodesPassesOverMacros(t *testing.T) {
	src := []byte("class API_EXPORT thing { int x; };\n")
	root, errors, err := Nodes("cpp", src)
	require.NoError(t, err)
	require.Zero(t, errors)
	require.Equal(t, "thing", root.Items()[0].Get("name").Text(src))
}

func TestNodesDeep(t *testing.T) {
	_, errors, err := Nodes("python", []byte(strings.Repeat("[", 20000)))
	require.NoError(t, err)
	require.Positive(t, errors)
}

func TestReparser(t *testing.T) {
	for path, language := range samples(t) {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		r, err := NewReparser(language, src)
		require.NoError(t, err)
		defer r.Close()
		for at := 0; at < len(src); at += 1 + len(src)/40 {
			for _, with := range []string{"", "(", "}\n", "x = 1"} {
				changed := append(append(append([]byte(nil), src[:at]...), with...), src[min(at+3, len(src)):]...)
				_, want, err := Nodes(language, changed)
				require.NoError(t, err)
				got, err := r.Errors(changed)
				require.NoError(t, err)
				require.Equal(t, want > 0, got > 0, "%s at %d with %q", path, at, with)
			}
		}
	}
	_, err := NewReparser("cobol", nil)
	require.Error(t, err)
}

// FuzzNodes holds for any text that children are within their parent, in
// order, and that both ways of counting agree.
func FuzzNodes(f *testing.F) {
	languages := []string{"python", "java", "cpp"}
	for path, language := range samples(f) {
		src, err := os.ReadFile(path)
		require.NoError(f, err)
		for i, l := range languages {
			if l == language {
				f.Add(uint8(i), src)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := languages[int(which)%3]
		root, errors, err := Nodes(language, src)
		require.NoError(t, err)
		file, err := Parse(language, src)
		require.NoError(t, err)
		require.Equal(t, file.Errors, errors)
		root.Walk(func(n *Node) bool {
			require.True(t, 0 <= n.Start && n.Start <= n.End && n.End <= len(src))
			at := n.Start
			for _, c := range n.Children {
				require.True(t, at <= c.Start && c.End <= n.End && c.Parent == n, "%s in %s", c.Kind, n.Kind)
				at = c.Start
			}
			return true
		})
	})
}
