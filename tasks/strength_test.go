package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestSurvivorRun: what a bad patch adds is measured on it; where it only
// removes, what it removes is measured on base.
func TestSurvivorRun(t *testing.T) {
	task := Task{Kind: "testgen", Instance: instance()}
	run := survivorRun(task, bench.BadPatch{Index: 3, Patch: badPatch})
	require.Equal(t, "cover/bad/3", run.Name)
	require.NotEmpty(t, run.Code)
	require.Equal(t, map[string][]int{"lib/a.py": {1}}, run.Cover)
	run = survivorRun(task, bench.BadPatch{Patch: "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,2 +1 @@\n bug\n-more\n"})
	require.Empty(t, run.Code)
	require.Equal(t, map[string][]int{"lib/a.py": {2}}, run.Cover)
	run = survivorRun(task, bench.BadPatch{Patch: "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+b\n"})
	require.Nil(t, run.Cover)
}

// TestReached: lines that only importing executes are not reached. Without a
// measurement it is not known.
func TestReached(t *testing.T) {
	o := covered([]int{1, 2, 3}, map[string][]int{"": {1}, "tests/test_a.py::test_a": {2}, "tests/test_a.py::old": {3}}).Outcome
	require.Equal(t, []string{"lib/a.py:2"}, reached(o))
	require.Equal(t, []string{}, reached(covered([]int{1}, map[string][]int{"": {1}}).Outcome))
	require.Nil(t, reached(languages.Outcome{}))
}
