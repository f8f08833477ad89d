package agents

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/tasks"
)

// TestReplay: what was submitted before is submitted again, attempt by attempt.
func TestReplay(t *testing.T) {
	const first = `{"instance_id":"i","model_name_or_path":"m","model_patch":"one","task":"bugfix"}` + "\n" +
		`{"instance_id":"i","model_name_or_path":"m","model_patch":"tests","task":"testgen"}` + "\n"
	const second = `{"instance_id":"i","model_name_or_path":"m","model_patch":"two","task":"bugfix","attempt":2}` + "\n"
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		want  []string // of attempts 1, 2 and 3 at the bug fix; "-" for none
		kind  string
	}{
		"a file":         {map[string]string{"p.jsonl": first}, "p.jsonl", []string{"one", "-", "-"}, "bugfix"},
		"another kind":   {map[string]string{"p.jsonl": first}, "p.jsonl", []string{"tests", "-", "-"}, "testgen"},
		"a run's folder": {map[string]string{"predictions.jsonl": first, "predictions-2.jsonl": second, "x.traj": "{"}, "", []string{"one", "two", "-"}, "bugfix"},
		"trajectories":   {map[string]string{"i/i.traj": `{"info":{"submission":"t"},"trajectory":[]}`}, "", []string{"t", "-", "-"}, "review"},
		"with an id":     {map[string]string{"x.traj.json": `{"instance_id":"i","info":{"submission":null}}`}, "", []string{"", "-", "-"}, "bugfix"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := OpenReplay(t.Context(), filepath.Join(replayDir(t, c.files), c.path))
			require.NoError(t, err)
			for i, want := range c.want {
				out, err := r.Solve(t.Context(), Work{Task: tasks.Task{Kind: c.kind, Instance: &bench.Instance{ID: "i"}}, Attempt: i + 1})
				require.NoError(t, err)
				if want == "-" {
					require.Equal(t, GaveUp, out.End)
					require.Contains(t, out.Detail, "has no attempt "+strconv.Itoa(i+1))
					continue
				}
				require.Equal(t, Outcome{Patch: want, End: Done}, out)
			}
		})
	}
}

func replayDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for p, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o600))
	}
	return dir
}

func TestReplayErrors(t *testing.T) {
	for name, c := range map[string]struct {
		files      map[string]string
		path, want string
	}{
		"nothing there":    {nil, "none", "reading what to replay"},
		"an empty folder":  {map[string]string{"a.txt": "x"}, "", "no predictions and no trajectories"},
		"not a trajectory": {map[string]string{"a.traj": `{"steps":[]}`}, "", "a.traj: expected an object with info"},
		"not JSON":         {map[string]string{"a.traj": `{`}, "", "a.traj: "},
		"not a prediction": {map[string]string{"p.jsonl": `{"instance_id":1}` + "\n"}, "p.jsonl", "p.jsonl"},
	} {
		_, err := OpenReplay(t.Context(), filepath.Join(replayDir(t, c.files), c.path))
		require.ErrorContains(t, err, c.want, name)
	}
	dir := replayDir(t, map[string]string{"p.jsonl": `{"instance_id":"i","model_name_or_path":"m","model_patch":"one"}` + "\n"})
	a, err := OpenReplay(t.Context(), filepath.Join(dir, "p.jsonl"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.jsonl"), []byte(`{"instance_id":"i","model_name_or_path":"m","model_patch":"two"}`+"\n"), 0o600))
	b, err := OpenReplay(t.Context(), filepath.Join(dir, "p.jsonl"))
	require.NoError(t, err)
	require.NotEqual(t, a.Digest(), b.Digest())
	_, err = a.Solve(t.Context(), Work{})
	require.ErrorContains(t, err, "attempts count from 1")
}
