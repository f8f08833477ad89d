package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// TestSolutions: each kind's own answer.
func TestSolutions(t *testing.T) {
	w := newWorld()
	inst := w.instance(bench.LevelFailsF2P)
	for kind, want := range map[Kind]string{BugFix{}: goldPatch, TestGen{}: testPatch} {
		p, err := Solution(t.Context(), w.judge().Machine, kind, Task{Kind: kind.Name(), Instance: inst, Part: "2"})
		require.NoError(t, err)
		require.Equal(t, bench.Prediction{InstanceID: "o__r-1_2", Model: "gold", Task: kind.Name(), Patch: want}, p)
	}
	for _, kind := range Default(nil, nil).All() {
		require.Equal(t, kind.Name() != "style", HasSolution(kind), kind.Name())
		require.Equal(t, kind.Name() == "review", SolvesInTree(kind), kind.Name())
	}
	_, err := Solution(t.Context(), w.judge().Machine, Style{}, Task{Kind: "style", Instance: inst})
	require.EqualError(t, err, "style tasks have no solution of their own")
	require.Equal(t, bench.Prediction{InstanceID: "o__r-1_2", Model: "empty", Task: "review"}, Nothing(Task{Kind: "review", Instance: inst, Part: "2"}))
}

// TestReviewIsSolvedFromTheBadPatch: the way from the bad patch to gold takes
// back what the bad patch made, also in files that gold leaves alone, and
// resolves the task.
func TestReviewIsSolvedFromTheBadPatch(t *testing.T) {
	w := newWorld()
	w.repo["lib/z.py"] = "z\n"
	inst := w.instance(bench.LevelFailsF2P)
	inst.Patch = goldPatch + "--- /dev/null\n+++ b/lib/c.py\n@@ -0,0 +1 @@\n+gold's own\n"
	inst.BadPatches[0].Patch = badPatch + "--- /dev/null\n+++ b/lib/b.py\n@@ -0,0 +1 @@\n+its own\n" + edits("tests/test_a.py") +
		"--- a/lib/z.py\n+++ b/lib/z.py\n@@ -1 +1 @@\n-z\n+zz\n"
	inst.Reviews = []bench.Review{{BadPatch: 0, Text: "t", Leak: &bench.LeakReport{}}}
	ts, err := Review{}.Build(inst)
	require.NoError(t, err)
	j := w.judge()
	bed, err := j.Machine.Open(t.Context(), inst)
	require.NoError(t, err)
	tree, paths, err := Start(t.Context(), bed, ts[0])
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"lib/a.py", "lib/b.py", "lib/z.py"}, paths)
	for p, want := range map[string]string{"lib/a.py": "half\n", "lib/b.py": "its own\n", "lib/z.py": "zz\n"} {
		text, err := Text(tree, p)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	p, err := Solution(t.Context(), j.Machine, Review{}, ts[0])
	require.NoError(t, err)
	require.Equal(t, []string{"lib/a.py", "lib/b.py", "lib/c.py", "lib/z.py"}, patch.PathsIn(p.Patch), "sorted: the same bytes each time")
	for _, line := range []string{"-half", "+fix", "-its own", "+gold's own", "-zz", "+z"} {
		require.Contains(t, p.Patch, "\n"+line+"\n")
	}
	r, err := j.Evaluate(t.Context(), Review{}, ts[0], p)
	require.NoError(t, err)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	r, err = j.Evaluate(t.Context(), Review{}, ts[0], bench.Prediction{Patch: goldPatch})
	require.NoError(t, err)
	require.Equal(t, bench.InvalidPatch, r.Verdict, "gold is no patch on top of the bad one")
	require.Equal(t, &bench.ReviewFacts{}, r.Review)
	inst.Patch = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-what\n+fix\n"
	_, err = Solution(t.Context(), j.Machine, Review{}, ts[0])
	require.ErrorContains(t, err, "review/o__r-1_0: making the patch to gold: ")
}

// TestTexts: a file that is not there is nil, and an empty one is not.
func TestTexts(t *testing.T) {
	tree := patch.MapTree(map[string]patch.Entry{"full": {Data: []byte("x")}, "empty": {}})
	text, err := Text(tree, "full")
	require.NoError(t, err)
	require.Equal(t, "x", string(text))
	text, err = Text(tree, "empty")
	require.NoError(t, err)
	require.NotNil(t, text)
	require.Empty(t, text)
	text, err = Text(tree, "gone")
	require.NoError(t, err)
	require.Nil(t, text)
}
