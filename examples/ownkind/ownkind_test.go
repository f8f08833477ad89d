package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness/local"
)

func TestMain(m *testing.M) {
	if local.IsChild() {
		local.ChildMain()
	}
	os.Exit(m.Run())
}

// TestRun judges all four sorts of submission in real sandboxes.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it prepares an environment: not in short mode")
	}
	if _, err := local.New(local.Options{Dir: filepath.Join(t.TempDir(), "probe")}); err != nil {
		t.Skipf("the local executor cannot run here: %v", err)
	}
	base, err := os.UserCacheDir()
	require.NoError(t, err)
	dir := t.TempDir()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-dir", dir, "-cache", filepath.Join(base, "assay-test")}, &out))
	found := map[string]bench.Result{}
	for _, run := range []string{"gold", "empty", "tidy", "predictions"} {
		require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(dir, "runs", run, "results.jsonl"), func(r bench.Result) error {
			found[r.Task+" by "+r.Model] = r
			return nil
		}))
	}
	got := map[string]bench.Verdict{}
	for name, r := range found {
		got[name] = r.Verdict
	}
	require.Equal(t, map[string]bench.Verdict{
		"bugfix by gold": bench.Resolved, "shorten by gold": bench.Resolved,
		"shorten by empty": bench.EmptyPatch, "style by empty": bench.EmptyPatch,
		"shorten by tidy": bench.Resolved, "style by tidy": bench.Resolved,
		"shorten by broken": bench.Unresolved, "shorten by comments": bench.Unresolved, "style by silenced": bench.Unresolved,
	}, got, "%+v", found)
	require.Equal(t, "suppression", found["style by silenced"].Style.Cheats[0].Kind)
	require.Equal(t, 2.0, found["shorten by tidy"].Figures[linesRemoved])
	require.Contains(t, out.String(), linesRemoved)

	// The same call finds all results; another option does not.
	again := []string{"-dir", dir, "-cache", filepath.Join(base, "assay-test")}
	before, err := os.ReadFile(filepath.Join(dir, "runs", "tidy", "results.jsonl"))
	require.NoError(t, err)
	require.NoError(t, run(t.Context(), again, &out))
	after, err := os.ReadFile(filepath.Join(dir, "runs", "tidy", "results.jsonl"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	require.NoError(t, run(t.Context(), append(again, "-least-removed", "3"), &out))
	strict := map[string]bench.Verdict{}
	require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(dir, "runs", "tidy", "results.jsonl"), func(r bench.Result) error {
		strict[r.Task] = r.Verdict
		return nil
	}))
	require.Equal(t, bench.Unresolved, strict["shorten"])
}
