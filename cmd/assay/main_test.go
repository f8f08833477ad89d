package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness/local"
	"assay/samples"
)

func TestMain(m *testing.M) {
	if local.IsChild() {
		local.ChildMain()
	}
	testscript.Main(m, map[string]func(){"assay": main})
}

// TestScripts checks the command line: messages, exit codes, files.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}

// world is the real binary and the sample benchmark, made once for all
// end-to-end tests. Environments are prepared once, too.
type world struct {
	binary, cache string
	executor      string
	paths         samples.Paths
}

func newWorld(t *testing.T) world {
	t.Helper()
	if testing.Short() {
		t.Skip("end-to-end tests prepare environments: not in short mode")
	}
	dir := t.TempDir()
	w := world{binary: filepath.Join(dir, "assay"), cache: cacheForTests(t), executor: "local"}
	args := []string{"build", "-o", w.binary}
	if os.Getenv("GOCOVERDIR") != "" { // scripts/covered.sh asks which functions run
		args = append(args, "-cover", "-coverpkg=assay/...")
	}
	out, err := exec.Command("go", append(args, ".")...).CombinedOutput()
	require.NoError(t, err, string(out))
	w.paths, err = samples.Write(t.Context(), filepath.Join(dir, "samples"))
	require.NoError(t, err)
	if _, err := local.New(local.Options{Dir: filepath.Join(dir, "probe")}); err != nil {
		t.Skipf("the local executor cannot run here: %v", err)
	}
	return w
}

// cacheForTests is kept between runs, so that environments are made once per
// machine; outcomes are not, since tests are about running.
func cacheForTests(t *testing.T) string {
	base, err := os.UserCacheDir()
	require.NoError(t, err)
	dir := filepath.Join(base, "assay-test")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// assay runs the binary and returns its exit code and output.
func (w world) assay(t *testing.T, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(w.binary, args...)
	cmd.Dir = t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// judge evaluates predictions and returns the results by model and instance.
func (w world) judge(t *testing.T, predictions []bench.Prediction, more ...string) map[string]bench.Result {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "predictions.jsonl")
	writeLines(t, file, predictions)
	args := append([]string{"eval", "-d", w.paths.Dataset, "-p", file, "-o", filepath.Join(dir, "run"), "-q",
		"--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache, "--no-cache"}, more...)
	code, out := w.assay(t, args...)
	require.Contains(t, []int{exitDone, exitNotJudged}, code, out)
	return readResults(t, filepath.Join(dir, "run", "results.jsonl"))
}

func writeLines[T any](t *testing.T, file string, lines []T) {
	t.Helper()
	var buf bytes.Buffer
	for _, l := range lines {
		data, err := json.Marshal(l)
		require.NoError(t, err)
		fmt.Fprintf(&buf, "%s\n", data)
	}
	require.NoError(t, os.WriteFile(file, buf.Bytes(), 0o644))
}

func readResults(t *testing.T, file string) map[string]bench.Result {
	t.Helper()
	found := map[string]bench.Result{}
	require.NoError(t, bench.ReadResults(t.Context(), file, func(r bench.Result) error {
		found[r.Model] = r
		return nil
	}))
	return found
}
