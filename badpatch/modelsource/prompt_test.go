package modelsource

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/badpatchtest"
	"assay/badpatch/searchreplace"
)

// TestEditsPrompt checks what a prompt shows.
func TestEditsPrompt(t *testing.T) {
	a, fake := asker(t, always(editAnswer()))
	s := clampSubject(t)
	s.Instance.ProblemStatement = "It must not be above LIMIT."
	for i := range 30 {
		s.Instance.FailToPass = append(s.Instance.FailToPass, fmt.Sprintf("tests::t%02d", i))
	}
	badpatchtest.Collect(t, Edits{Asker: a, Samples: 1}, s)
	req := fake.Requests()[0]
	text := req.Messages[0].Text
	require.Contains(t, text, "It must not be above LIMIT.")
	require.Contains(t, text, s.Instance.Patch)
	require.Contains(t, text, "- tests::t19\n")
	require.NotContains(t, text, "tests::t20")
	require.Contains(t, text, `<function path="lib/m.py" name="clamp" lines="3-13">`+"\nLIMIT = 3\n")
	require.Contains(t, text, "lib/m.py: 3 to 13\n")
	require.NotContains(t, text, "        x = 1")
	require.Contains(t, text, "Strategy: A broken contract.")
	require.Equal(t, "badpatch/a__b-1", req.Purpose)
	require.Equal(t, "fake/model", req.Model)
	require.InDelta(t, 0.9, *req.Temperature, 0)
}

func TestEditsMargin(t *testing.T) {
	for margin, want := range map[int]string{0: "lib/m.py: 3 to 13", 1: "lib/m.py: 5 to 12", 9: "lib/m.py: 2 to 13", -1: "lib/m.py: 6 to 11"} {
		a, fake := asker(t, always(editAnswer()))
		badpatchtest.Collect(t, Edits{Asker: a, Samples: 1, Margin: margin}, clampSubject(t))
		require.Contains(t, fake.Requests()[0].Messages[0].Text, want, "margin %d", margin)
	}
}

// TestEditsLongFunction checks that of a long function the lines around
// gold's are shown.
func TestEditsLongFunction(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f(x):\n")
	for i := range 600 {
		fmt.Fprintf(&b, "    a%d = x\n", i)
	}
	base := b.String()
	gold := strings.Replace(base, "    a100 = x\n", "    a100 = x + 1\n", 1)
	gold = strings.Replace(gold, "    a500 = x\n", "    a500 = x + 1\n", 1)
	files := targets(badpatchtest.Subject(t, "python", badpatchtest.Texts{"m.py": base}, badpatchtest.Texts{"m.py": gold}), defaultMargin)
	require.Len(t, files, 1)
	require.Equal(t, []searchreplace.Span{{Start: 42, End: 162}, {Start: 442, End: 562}}, files[0].Spans)
}

// TestEditsTwins checks that a function that two files share is shown once
// and edited in both.
func TestEditsTwins(t *testing.T) {
	base := "int f(int x) {\n  return x;\n}\n"
	gold := "int f(int x) {\n  if (x > 3) return 3;\n  return x;\n}\n"
	before := badpatchtest.Texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}
	s := badpatchtest.Subject(t, "cpp", before, badpatchtest.Texts{"include/a.hpp": gold, "single/all.hpp": "// all\n" + gold})
	a, fake := asker(t, always(block("include/a.hpp", "  if (x > 3) return 3;", "  if (x >= 3) return 2;")))
	got := badpatchtest.Collect(t, Edits{Asker: a, Samples: 1}, s)
	require.Len(t, got, 5)
	require.NotContains(t, fake.Requests()[0].Messages[0].Text, `path="single/all.hpp"`)
	want := strings.Replace(gold, "(x > 3) return 3", "(x >= 3) return 2", 1)
	require.Equal(t, want, badpatchtest.State(t, before, got[0].Patch, "include/a.hpp"))
	require.Equal(t, "// all\n"+want, badpatchtest.State(t, before, got[0].Patch, "single/all.hpp"))
}

func TestEditsNothingToEdit(t *testing.T) {
	a, fake := asker(t)
	require.Empty(t, badpatchtest.Collect(t, Edits{Asker: a}, badpatchtest.Subject(t, "python", badpatchtest.Texts{"m.py": "x = 1\n"}, badpatchtest.Texts{"m.py": "-"})))
	require.Empty(t, fake.Requests())
}

func TestStrategies(t *testing.T) {
	names := map[string]bool{}
	for _, st := range strategies() {
		names[st.short] = true
		require.NotEmpty(t, st.Name)
		require.NotEmpty(t, st.Description)
		require.Contains(t, "ABCDEF", string(st.category))
		drawn := st.draw(1, 0)
		require.Len(t, drawn, someHints)
		for i, h := range drawn {
			require.Contains(t, st.hints, h)
			require.NotContains(t, drawn[:i], h)
		}
		require.Equal(t, drawn, st.draw(1, 0))
		require.True(t, slices.ContainsFunc([]uint64{2, 3, 4, 5}, func(seed uint64) bool { return !slices.Equal(drawn, st.draw(seed, 0)) }))
	}
	require.Len(t, names, 5)
}
