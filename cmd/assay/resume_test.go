package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestKilledRunGoesOn kills a run in its middle, by SIGKILL and by SIGINT, and
// gives the same command again: the results are those of an undisturbed run,
// byte for byte once sorted and without times, nothing is judged twice, and
// nothing of the killed run is left.
func TestKilledRunGoesOn(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	args := func(out string) []string {
		return []string{"eval", "-d", w.paths.Dataset, "-p", w.paths.Flawed, "-p", w.paths.FlawedTests, "-t", "bugfix,testgen",
			"-i", victim, "-i", "assay-samples__tidemark-7", "-o", filepath.Join(dir, out), "-j", "1", "-q",
			"--repos", w.paths.Repos, "--executor", "local", "--cache-dir", w.cache, "--no-cache"}
	}
	code, out := w.assay(t, args("undisturbed")...)
	require.Equal(t, exitDone, code, out)
	want := timeless(t, filepath.Join(dir, "undisturbed", "results.jsonl"))
	require.Len(t, want, 4)
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "interrupted": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			results := filepath.Join(dir, name, "results.jsonl")
			first := w.stop(t, signal, results, args(name)...)
			if signal == syscall.SIGINT {
				require.Equal(t, exitInterrupted, first)
			}
			before, err := os.ReadFile(results)
			require.NoError(t, err)
			require.Less(t, bytes.Count(before, []byte("\n")), len(want), "it was stopped too late to show anything")
			code, out := w.assay(t, args(name)...)
			require.Equal(t, exitDone, code, out)
			after, err := os.ReadFile(results)
			require.NoError(t, err)
			require.True(t, bytes.HasPrefix(after, before[:bytes.LastIndexByte(before, '\n')+1]), "a finished result was lost")
			require.Equal(t, want, timeless(t, results))
			w.nothingLeft(t)
		})
	}
}

// stop starts the binary and sends the signal once there is a result.
func (w world) stop(t *testing.T, signal syscall.Signal, results string, args ...string) int {
	t.Helper()
	cmd := exec.Command(w.binary, args...)
	cmd.Dir = t.TempDir()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(results)
		return err == nil && bytes.Contains(data, []byte("\n"))
	}, 5*time.Minute, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(signal))
	_ = cmd.Wait() // a signal is not success; the code is what counts
	return cmd.ProcessState.ExitCode()
}

// nothingLeft looks for what jobs might leave on the machine.
func (w world) nothingLeft(t *testing.T) {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), w.cache)
	for _, name := range []string{"tmp", "mnt"} {
		entries, err := os.ReadDir(filepath.Join(w.cache, "local", name))
		require.NoError(t, err)
		require.Empty(t, entries, "scratch was left in %s", name)
	}
}

// timeless reads results without what may differ between runs, sorted.
func timeless(t *testing.T, file string) []string {
	t.Helper()
	var lines []string
	require.NoError(t, bench.ReadResults(t.Context(), file, func(r bench.Result) error {
		r.Timing = nil
		data, err := json.Marshal(r)
		lines = append(lines, strings.TrimSpace(string(data)))
		return err
	}))
	sort.Strings(lines)
	return lines
}
