package zeroshot

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/languages"
	"assay/llm"
	"assay/methods"
	"assay/methods/methodstest"
	"assay/trajectory"
)

// repository is a small one in a language: its test file, and an answer in the
// fault-tolerant format that adds the test named "late" to it.
type repository struct {
	language, path string
	files          map[string]string
	answer         string
	want           string // in the patch
}

func repositories() []repository {
	return []repository{
		{
			"python", "tests/test_cake.py",
			map[string]string{"cake.py": "def layers(n):\n    return n\n", "tests/test_cake.py": "def test_layers():\n    assert layers(1) == 1\n", "README.md": "layers\n"},
			"diff\ntests/test_cake.py\ninsert\nEOF\ndef test_late():\n    assert layers(2) == 3\nend diff",
			"+def test_late():\n+    assert layers(2) == 3\n",
		},
		{
			"java", "src/test/java/CakeTest.java",
			map[string]string{"src/main/java/Cake.java": "class Cake { int layers(int n) { return n; } }\n", "src/test/java/CakeTest.java": "class CakeTest {\n  @Test void layers() {\n  }\n}\n"},
			"diff\nCakeTest.java\ninsert\nEOF\n@Test void late() {\n  assertEquals(3, new Cake().layers(2));\n}\nend diff",
			"+  @Test void late() {\n",
		},
		{
			"cpp", "test/cake_test.cc",
			map[string]string{"cake.cc": "int layers(int n) { return n; }\n", "test/cake_test.cc": "#include <gtest/gtest.h>\n\nTEST(Cake, Layers) {\n}\n"},
			"diff\ntest/cake_test.cc\ninsert\nEOF\nTEST(Cake, Late) {\n  EXPECT_EQ(3, layers(2));\n}\nend diff",
			"+TEST(Cake, Late) {\n",
		},
	}
}

func (r repository) world(answers ...any) *methodstest.World {
	return &methodstest.World{Task: methods.View{Language: languages.Default().Named(r.language), Problem: "layers of 2 should be 3"}, Files: r.files, Answers: answers}
}

// TestPlus: one call with the files that are about the issue, in each language;
// what cannot be applied gives nothing.
func TestPlus(t *testing.T) {
	for _, r := range repositories() {
		t.Run(r.language, func(t *testing.T) {
			w := r.world(r.answer)
			patch, events, err := w.Solve(t.Context(), ZeroShotPlus{})
			require.NoError(t, err)
			require.Contains(t, patch, r.want)
			require.Equal(t, []string{"note retrieve", "call write tests", "note apply"}, names(events))
			asked := w.Requests()[0]
			require.Equal(t, 0.0, *asked.Temperature)
			prompt := asked.Messages[0].Text
			require.Contains(t, prompt, "layers of 2 should be 3")
			require.Contains(t, prompt, "[start of "+r.path+"]\n1 ")
			require.NotContains(t, prompt, "README.md")
			for _, useless := range []any{"", "I cannot do that.", "diff\nnowhere/test_x.y\nrewrite\n3\nx\nend diff", &llm.Error{Class: llm.Malformed, Status: 200, Err: errors.New("no text")}} {
				patch, _, err := r.world(useless).Solve(t.Context(), ZeroShotPlus{})
				require.NoError(t, err)
				require.Empty(t, patch)
			}
			_, _, err = r.world(methodstest.Spent()).Solve(t.Context(), ZeroShotPlus{})
			requireEnd(t, agents.Budget, err)
		})
	}
}

// TestZeroShot: the diff of an answer is submitted as it is; an answer without one
// gives nothing.
func TestZeroShot(t *testing.T) {
	for _, r := range repositories() {
		diff := "--- a/" + r.path + "\n+++ b/" + r.path + "\n@@ -1 +1,2 @@\n x\n+y\n"
		patch, events, err := r.world("Here:\n```diff\n"+diff+"```\nDone.").Solve(t.Context(), ZeroShot{})
		require.NoError(t, err)
		require.Equal(t, diff, patch)
		require.Equal(t, []string{"note retrieve", "call write tests", "note take the diff"}, names(events))
		for _, useless := range []any{"", "I cannot do that.", "```diff\n```", r.answer, &llm.Error{Class: llm.Malformed, Status: 200, Err: errors.New("no text")}} {
			patch, _, err := r.world(useless).Solve(t.Context(), ZeroShot{})
			require.NoError(t, err, "%s: %v", r.language, useless)
			require.Empty(t, patch, "%s: %v", r.language, useless)
		}
		patch, _, err = r.world(methodstest.Spent()).Solve(t.Context(), ZeroShot{})
		requireEnd(t, agents.Budget, err)
		require.Empty(t, patch)
	}
}

func TestDiffIn(t *testing.T) {
	one, two := "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"
	for answer, want := range map[string]string{
		one:                       one,
		"So:\n" + one:             one,
		"```diff\n" + one + "```": one,
		"```\n" + one + "```\n```diff\n" + two + "```\n": one + two,
		"```python\nx = 1\n```\n" + one:                  one,
		"<patch>\n" + two + "</patch>":                   two,
		strings.TrimSuffix(one, "\n"):                    one,
		strings.ReplaceAll(one, "\n", "\r\n"):            one,
		"":                                               "",
		"nothing":                                        "",
		"```diff\nnothing\n```":                          "",
	} {
		require.Equal(t, want, diffIn(answer), answer)
	}
}

func FuzzDiffIn(f *testing.F) {
	f.Add("```diff\n--- a/x\n+++ b/x\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		diff := diffIn(answer)
		require.True(t, diff == "" || strings.HasSuffix(diff, "\n"))
	})
}

func names(events []trajectory.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, string(e.Kind)+" "+e.Step)
	}
	return out
}

func requireEnd(t *testing.T, want agents.End, err error) {
	t.Helper()
	var end *methods.EndError
	require.ErrorAs(t, err, &end)
	require.Equal(t, want, end.End)
}

// TestContext: files are shown until the limit is reached, the first one at least
// in part.
func TestContext(t *testing.T) {
	r := repositories()[0]
	r.files = map[string]string{"a.py": strings.Repeat("layers = 2\n", 50), "b.py": "layers = 3\n"}
	for limit, want := range map[float64][]string{0: nil, 100: {"the file goes on"}, 4000: {"[start of a.py]", "[start of b.py]"}} {
		w := r.world("")
		w.Settings = map[string]float64{"context": limit}
		_, _, err := w.Solve(t.Context(), ZeroShotPlus{})
		require.NoError(t, err)
		prompt := w.Requests()[0].Messages[0].Text
		for _, text := range want {
			require.Contains(t, prompt, text)
		}
		if want == nil {
			require.NotContains(t, prompt, "[start of a.py]")
		}
	}
}

// TestExcerpts: of files that are too large the prompt has the functions that are
// about the issue, also where a larger file ranks before a smaller one.
func TestExcerpts(t *testing.T) {
	r := repositories()[0]
	filler := strings.Repeat("def other_%d():\n    return 1\n\n\n", 40)
	r.files = map[string]string{
		"large.py": strings.ReplaceAll(filler, "%d", "a") + "def layers(n):\n    return n - 2\n\n\n" + strings.ReplaceAll(filler, "%d", "b"),
		"small.py": "layers = 3\n",
	}
	w := r.world("")
	w.Settings = map[string]float64{"context": 1000}
	_, _, err := w.Solve(t.Context(), ZeroShotPlus{})
	require.NoError(t, err)
	prompt := w.Requests()[0].Messages[0].Text
	require.Contains(t, prompt, "[start of large.py]\n(lines 1 to 160 are left out)\n161 def layers(n):\n162     return n - 2\n(lines 163 to 324 are left out)\n[end of large.py]")
	require.Contains(t, prompt, "[start of small.py]\n1 layers = 3\n")

	w = r.world("")
	w.Task.Instance, w.Settings = "o__r-1", map[string]float64{"context": 1000}
	fix := "--- a/large.py\n+++ b/large.py\n@@ -161,2 +161,2 @@\n def layers(n):\n-    return n - 2\n+    return n\n"
	_, _, err = w.Solve(t.Context(), ZeroShotPlus{Given: Given{Fixes: map[string]string{"o__r-1": fix}}})
	require.NoError(t, err)
	prompt = w.Requests()[0].Messages[0].Text
	require.Contains(t, prompt, "162     return n - 2\n(lines")
	require.NotContains(t, prompt, "small.py")
}

// block is an answer with a new test file in Python.
func block(name string, lines int) string { return repositories()[0].block(name, lines) }

// block is an answer with a test of a name, in a file of its own in Python and
// in the test file that there is in Java and C++.
func (r repository) block(name string, lines int) string {
	switch r.language {
	case "java":
		return "diff\n" + r.path + "\ninsert\nEOF\n@Test void test_" + name + "() {\n" + strings.Repeat("    layers();\n", lines) + "}\nend diff"
	case "cpp":
		return "diff\n" + r.path + "\ninsert\nEOF\nTEST(Cake, test_" + name + ") {\n" + strings.Repeat("  layers(1);\n", lines) + "}\nend diff"
	default:
		return "diff\ntests/test_" + name + ".py\ninsert\nEOF\ndef test_" + name + "():\n" + strings.Repeat("    pass\n", lines) + "end diff"
	}
}

// runs makes up what tests do by words in their names.
func runs(t methods.Trial) (methods.Run, error) {
	switch {
	case strings.Contains(t.Tests, "_fails"):
		return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{ID: "x", Status: bench.Failed, FailsBy: bench.ByAssertion, Said: "2 != 3"}}}, nil
	case strings.Contains(t.Tests, "_breaks"):
		return methods.Run{State: bench.RunUnbuilt, Detail: "no module"}, nil
	case strings.Contains(t.Tests, "_odd"):
		return methods.Run{}, errors.New("no machine")
	}
	return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{ID: "x", Status: bench.Passed}}}, nil
}

// TestLibro: the shortest of the samples that fail because of the issue; else of
// those that fail; else of those that ran.
func TestLibro(t *testing.T) {
	for _, r := range repositories() {
		t.Run(r.language, func(t *testing.T) { testLibro(t, r) })
	}
}

func testLibro(t *testing.T, r repository) {
	block := r.block
	for name, tt := range map[string]struct {
		answers []any
		want    string // the test that is submitted; "" for none
		end     agents.End
		calls   int
	}{
		"shortest of the related": {[]any{block("a_fails", 3), block("b_fails", 1), block("c_fails", 2), "Same issue: yes", "Same issue: no", "**Same issue: Yes.**"}, "test_c_fails", "", 6},
		"none is related":         {[]any{block("a_fails", 3), block("b_fails", 2), block("c", 1), "Same issue: no", "what?"}, "test_b_fails", "", 5},
		"none fails":              {[]any{block("a", 3), block("b", 2), block("c", 9)}, "test_b", "", 3},
		"a broken one is judged":  {[]any{block("a_breaks", 1), block("b_fails", 2), block("c", 1), "no", "yes"}, "test_b_fails", "", 5},
		"no answer is of use":     {[]any{"", "x", "diff\nnone.py\nrewrite\n1\ndef f(): pass\nend diff"}, "", "", 3},
		"equal ones run once":     {[]any{block("a_fails", 1), block("a_fails", 1), block("a_fails", 1), "Same issue: yes"}, "test_a_fails", "", 4},
		"spent while drawing":     {[]any{block("a", 1), block("b_fails", 2), methodstest.Spent()}, "test_b_fails", agents.Budget, 3},
		"spent while judging":     {[]any{block("a_fails", 3), block("b_fails", 2), block("c_fails", 1), "Same issue: yes", methodstest.Spent()}, "test_a_fails", agents.Budget, 5},
		"spent at once":           {nil, "", agents.Budget, 1},
		"refused":                 {[]any{&llm.Error{Class: llm.Refused, Err: errors.New("no")}}, "", agents.Refused, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := r.world(tt.answers...)
			w.Runs, w.Settings = runs, map[string]float64{"samples": 3}
			patch, _, err := w.Solve(t.Context(), Libro{})
			if tt.end == "" {
				require.NoError(t, err)
			} else {
				requireEnd(t, tt.end, err)
			}
			require.Len(t, w.Requests(), tt.calls)
			if tt.want == "" {
				require.Empty(t, patch)
				return
			}
			require.Regexp(t, `(?m)^\+.*\b`+tt.want+`\b`, patch)
		})
	}
}

// TestLibroSamples: each sample is a call of its own for the cache, and the
// machine's failure is passed on.
func TestLibroSamples(t *testing.T) {
	r := repositories()[0]
	w := r.world(block("a", 1), block("b_odd", 1))
	w.Runs, w.Settings = runs, map[string]float64{"samples": 2}
	patch, events, err := w.Solve(t.Context(), Libro{})
	require.ErrorContains(t, err, "no machine")
	require.Contains(t, patch, "test_a.py")
	require.Equal(t, 0, w.Requests()[0].Sample)
	require.Equal(t, 1, w.Requests()[1].Sample)
	require.Equal(t, 0.7, *w.Requests()[0].Temperature)
	require.Equal(t, []string{"note retrieve", "call write tests 1", "note apply 1", "call write tests 2", "note apply 2", "run run 1", "run run 2", "note choose"}, names(events))
}
