package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/trajectory"
)

// TestOtter lets the methods of TDD-Bench's paper solve a sample with a scripted
// model, and judges what they submit. Otter++ must choose the one of its five
// tests that fails by an assertion, which it knows from running them.
func TestOtter(t *testing.T) {
	w := newWorld(t)
	for name, tt := range map[string]struct {
		calls    int
		right    bool // it fails on base and passes with gold
		contains string
		steps    []string // runs, in their order
	}{
		"otter": {8, false, "from layercake import SyntaxProblem\n", []string{"lint-install", "lint-generate"}},
		"otter++": {12, true, "from layercake import Stack\n", []string{
			"lint-install", "lint-generate", "lint-generate-both", "lint-generate-tests", "lint-generate-focal", "lint-generate-neither",
			"run-otter", "run-both", "run-tests", "run-focal", "run-neither",
		}},
		"tdd-zeroshot": {1, true, "+++ b/tests/test_issue.py\n", nil},
	} {
		out := t.TempDir()
		code, text := w.assay(t, "agents", "check", name, "--executor", w.executor, "--cache-dir", w.cache, "-o", out)
		require.Equal(t, exitDone, code, text)
		attempt := filepath.Join(out, "attempts", "testgen", victim, "1")
		events := eventsIn(t, filepath.Join(attempt, "steps.jsonl"))
		calls, runs := 0, []string(nil)
		for _, e := range events {
			switch e.Kind {
			case trajectory.CallEvent:
				calls++
			case trajectory.RunEvent:
				runs = append(runs, e.Step)
			}
		}
		require.Equal(t, tt.calls, calls, name)
		require.Equal(t, tt.steps, runs, name)
		patch, err := os.ReadFile(filepath.Join(attempt, "patch.diff"))
		require.NoError(t, err)
		require.Contains(t, string(patch), tt.contains)

		judged := t.TempDir()
		code, text = w.assay(t, "eval", "-d", w.paths.Dataset, "-p", filepath.Join(out, "predictions.jsonl"), "-t", "testgen", "-i", victim,
			"-o", judged, "-q", "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache)
		require.Equal(t, exitDone, code, text)
		require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(judged, "results.jsonl"), func(r bench.Result) error {
			require.True(t, *r.TestGen.FailsBase, "%s: %s", name, r.Reason)
			require.Equal(t, tt.right, *r.TestGen.PassesGold, "%s: %s", name, r.Reason)
			return nil
		}))
	}
}

func eventsIn(t *testing.T, file string) []trajectory.Event {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	events, err := trajectory.ReadEvents(f)
	require.NoError(t, err)
	return events
}
