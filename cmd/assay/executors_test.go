package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness/docker"
)

// TestExecutorsAgree judges the same submissions in containers and in the
// local sandbox: all but the environments' names is the same.
func TestExecutorsAgree(t *testing.T) {
	w := newWorld(t)
	needContainers(t)
	judged := map[string][]string{}
	for _, executor := range []string{"docker", "local"} {
		dir := t.TempDir()
		code, out := w.assay(t, "eval", "-d", w.paths.Dataset, "-p", w.paths.Flawed, "-p", w.paths.FlawedTests, "-t", "bugfix,testgen",
			"-i", victim, "-o", dir, "-q", "--repos", w.paths.Repos, "--executor", executor, "--cache-dir", w.cache, "--no-cache")
		require.Equal(t, exitDone, code, out)
		require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(dir, "results.jsonl"), func(r bench.Result) error {
			r.Timing = nil
			for i := range r.Runs {
				require.NotEmpty(t, r.Runs[i].Environment+string(r.Runs[i].State))
				r.Runs[i].Environment = ""
			}
			data, err := json.Marshal(r)
			judged[executor] = append(judged[executor], string(data))
			return err
		}))
		sort.Strings(judged[executor])
	}
	require.Len(t, judged["local"], 2)
	require.Equal(t, judged["local"], judged["docker"])
}

// needContainers skips a test where there is no container engine.
func needContainers(t *testing.T) {
	t.Helper()
	d, err := docker.New(t.Context(), docker.Options{Dir: filepath.Join(t.TempDir(), "docker")})
	if err != nil {
		require.NotEqual(t, "1", os.Getenv("ASSAY_EXPECT_DOCKER"), "a container engine was expected: %v", err)
		t.Skipf("no container engine answers: %v", err)
	}
	require.NoError(t, d.Close())
}
