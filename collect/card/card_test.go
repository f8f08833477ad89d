package card

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/collect"
	"assay/internal/patch"
	"assay/languages"
)

var update = flag.Bool("update", false, "write the golden file anew")

const (
	pythonGold = "diff --git a/src/slug.py b/src/slug.py\n--- a/src/slug.py\n+++ b/src/slug.py\n@@ -1,2 +1,3 @@\n def slug(text):\n-    return ascii_only(text)\n+    folded = fold(text)\n+    return ascii_only(folded)\n"
	pythonTest = "diff --git a/tests/test_slug.py b/tests/test_slug.py\n--- a/tests/test_slug.py\n+++ b/tests/test_slug.py\n@@ -1,4 +1,7 @@\n-def test_old():\n-    assert slug('a') == 'a'\n+def test_new():\n+    assert slug('b') == 'b'\n+\n+\n+def test_more():\n+    assert slug('c') == 'c'\n \n"
)

func instance(t *testing.T, id, language, gold, tests, statement, date string, about collect.Collected) bench.Instance {
	raw, err := json.Marshal(about)
	require.NoError(t, err)
	return bench.Instance{
		ID: id, Repo: "o/" + language, Language: language, Patch: gold, TestPatch: tests, ProblemStatement: statement, CreatedAt: date,
		FailToPass: bench.TestIDs{"a", "b"}, PassToPass: bench.TestIDs{"c"}, Extra: map[string]json.RawMessage{"collected": raw},
	}
}

func input(t *testing.T) Input {
	states := map[string]collect.States{
		"a": {bench.Missing, bench.Failed, bench.Passed}, "x": {bench.Failed, bench.Failed, bench.Failed}, "y": {bench.Passed, bench.Passed, bench.Error}, "z": {bench.Skipped, bench.Skipped, bench.Skipped},
		"gone": {bench.Passed, bench.Missing, bench.Missing}, "lost": {bench.Passed, bench.Passed, bench.Missing},
		"f": {bench.Passed, bench.Failed, bench.Failed},
	}
	return Input{
		Languages: languages.Default(), Canary: "canary 1-2", Stars: map[string]int{"o/python": 12},
		Size: func(inst *bench.Instance) (Size, bool) { return Size{3, 40}, inst.Language == "python" },
		Instances: []bench.Instance{
			instance(t, "one", "python", pythonGold, pythonTest, "Slugs are empty\nIn slug.py, this is wrong:\n```\nreturn ascii_only(folded)\n```\nValueError: no letters", "2024-03-05T00:00:00Z",
				collect.Collected{Licence: "MIT", Statement: []collect.StatementSource{collect.FromIssue}, States: states, Flaky: []string{"f"}}),
			instance(t, "two", "python", pythonGold, pythonTest, "Fold all marks", "2024-05-01T00:00:00Z",
				collect.Collected{Licence: "MIT", Statement: []collect.StatementSource{collect.FromModel}, EnvironmentBy: "model m", Names: []string{"fold"}}),
			instance(t, "three", "cpp", "--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n-x\n+y\n", "--- a/tests/a_test.cpp\n+++ b/tests/a_test.cpp\n@@ -1 +1,2 @@\n x\n+TEST(A, B) {}\n", "It stops", "2023-12-31", collect.Collected{}),
		},
	}
}

func TestMake(t *testing.T) {
	c, err := Make(input(t))
	require.NoError(t, err)
	require.Equal(t, "2023-12-31", c.Earliest)
	require.Equal(t, "2024-05-01", c.Latest)
	require.Equal(t, map[string]int{"2023-12": 1, "2024-03": 1, "2024-05": 1}, c.ByMonth)
	require.Equal(t, map[string]int{"MIT": 2, "": 1}, c.Licences)
	require.Equal(t, map[string]int{"issue": 1, "model": 1}, c.Statements)
	require.Equal(t, map[string]int{"": 2, "model m": 1}, c.Environments)
	require.Equal(t, []Repository{{"o/python", "python", "MIT", 12, 2}, {"o/cpp", "cpp", "", 0, 1}}, c.Repositories)
	require.Equal(t, 1, c.Flaky)
	require.Equal(t, 1, c.Unmentioned)
	py := c.Figures["python"]
	for name, want := range map[Name]float64{
		BaseFiles: 3, BaseLines: 40, Words: 9, ErrorMessages: 0.5, CodeBlocks: 0.5, GoldFileNames: 0.5, GoldLines: 0.5, GoldSubstring: 14,
		FailToPass: 2, PassToPass: 1, FailToFail: 1, PassToFail: 2, TestFiles: 1, TestLines: 8, TestsAdded: 2, TestsRemoved: 1, FixFiles: 1, FixLines: 3,
	} {
		require.InDelta(t, want, py[name].Mean, 1e-9, name)
	}
	require.Equal(t, 1, py[FailToFail].N, "of the instance whose runs are known")
	require.Equal(t, Figure{N: 3, Mean: 8.0 / 3, Median: 3, Min: 2, Max: 3, CDF: []Point{{2, 1.0 / 3}, {3, 1}}}, withMean(c.Figures["all"][FixLines], 8.0/3))
	require.Equal(t, 1.0, c.Figures["cpp"][TestsAdded].Mean)
	require.NotContains(t, c.Figures["cpp"], BaseFiles)
}

// withMean takes a mean that is as near as floats can be.
func withMean(f Figure, mean float64) Figure {
	if d := f.Mean - mean; d < 1e-9 && d > -1e-9 {
		f.Mean = mean
	}
	return f
}

func TestText(t *testing.T) {
	c, err := Make(input(t))
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b))
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile("testdata/card.golden", b.Bytes(), 0o644))
	}
	want, err := os.ReadFile("testdata/card.golden")
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
	empty, err := Make(Input{})
	require.NoError(t, err)
	b.Reset()
	require.NoError(t, empty.WriteText(&b))
	require.Contains(t, b.String(), "0 instances of 0 repositories.\n")
}

func TestStatement(t *testing.T) {
	for text, want := range map[string][2]float64{
		"":                           {0, 0},
		"```\na\n```\n~~~\nb\n~~~\n": {2, 0},
		"```\nnever closed":          {1, 0},
		"Traceback (most recent call last):\n  File \"x\", line 1\nValueError: no":                 {0, 1},
		"Exception in thread \"main\" java.lang.IllegalStateException: x\nCaused by: a.B$CError\n": {0, 2},
		"a.cpp:3:5: error: no such thing\nSegmentation fault (core dumped)":                        {0, 2},
		"This Error is bad, and an IOException occurs":                                             {0, 0},
	} {
		gold, err := patch.Parse([]byte(pythonGold))
		require.NoError(t, err)
		v := map[Name]float64{}
		statement(v, text, gold)
		require.Equal(t, want, [2]float64{v[CodeBlocks], v[ErrorMessages]}, text)
	}
}

// TestDeclared: methods count also where a patch does not hold their class.
func TestDeclared(t *testing.T) {
	const head = "diff --git a/src/test/java/ATest.java b/src/test/java/ATest.java\n--- a/src/test/java/ATest.java\n+++ b/src/test/java/ATest.java\n"
	java := languages.Default().Named("java")
	for name, c := range map[string]struct {
		diff string
		want [2]float64 // added, removed
	}{
		"a method":            {"@@ -3,1 +3,6 @@\n x\n+    @Test\n+    public void counts() {\n+        assertEquals(1, f(\"a\"));\n+    }\n+\n", [2]float64{1, 0}},
		"behind a brace":      {"@@ -3,1 +3,6 @@\n x\n+    }\n+\n+    @Test\n+    public void counts() {\n+        assertEquals(1, f(\"a\"));\n", [2]float64{1, 0}},
		"of JUnit 3":          {"@@ -3,1 +3,3 @@\n x\n+    public void testCounts() throws Exception {\n+    }\n", [2]float64{1, 0}},
		"another name":        {"@@ -3,4 +3,4 @@\n-    @Test\n-    void old() {\n+    @Test\n+    void fresh() {\n x\n     }\n", [2]float64{1, 1}},
		"a helper":            {"@@ -3,1 +3,3 @@\n x\n+    private int helper() {\n+    }\n", [2]float64{0, 0}},
		"the lines of a test": {"@@ -3,1 +3,1 @@\n-        assertEquals(1, f());\n+        assertEquals(2, f());\n", [2]float64{0, 0}},
		"a whole class":       {"@@ -1,1 +1,7 @@\n x\n+class ATest {\n+    @Test\n+    void counts() {\n+    }\n+    @Test void more() {}\n+}\n", [2]float64{2, 0}},
	} {
		p, err := patch.Parse([]byte(head + c.diff))
		require.NoError(t, err, name)
		added, removed := declared(java, p)
		require.Equal(t, c.want, [2]float64{added, removed}, name)
	}
}

func TestMakeFails(t *testing.T) {
	in := Input{Languages: languages.Default(), Instances: []bench.Instance{{ID: "x", Extra: map[string]json.RawMessage{"collected": json.RawMessage(`[]`)}}}}
	_, err := Make(in)
	require.ErrorContains(t, err, "x: collected")
}
