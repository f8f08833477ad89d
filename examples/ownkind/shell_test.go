package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/harness/local"
	"assay/languages"
	"assay/tasks"
)

const (
	calc         = "double() {\n\techo $(($1 + 2))\n}\n"
	oldCalcTests = ". ./calc.sh\n\ntest_two() {\n\t[ \"$(double 2)\" = 4 ]\n}\n"
	newCalcTests = oldCalcTests + "\ntest_three() {\n\t[ \"$(double 3)\" = 6 ]\n}\n"
)

func shellDiff(file, old, now string) string {
	return tasks.Diff(file, []byte(old), []byte(now))
}

func calcWith(expression string) string { return strings.Replace(calc, "$1 + 2", expression, 1) }

// shellSample writes a repository of shell scripts and a dataset of one
// instance, whose language is only named by an alias.
func shellSample(t *testing.T, dir string) sample {
	s := sample{dataset: filepath.Join(dir, "shell.jsonl"), repos: filepath.Join(dir, "repos"), predictions: filepath.Join(dir, "shell_wrong.jsonl")}
	commit, err := commitFiles(t.Context(), filepath.Join(s.repos, "own__calc"), map[string]string{"calc.sh": calc, "tests/calc.sh": oldCalcTests})
	require.NoError(t, err)
	inst := bench.Instance{
		ID: "own__calc-1", Repo: "own/calc", BaseCommit: commit, Language: "sh", ProblemStatement: "Three doubled is five.",
		Patch: shellDiff("calc.sh", calc, calcWith("$1 * 2")), TestPatch: shellDiff("tests/calc.sh", oldCalcTests, newCalcTests),
		FailToPass: []string{"tests/calc.sh::test_three"}, PassToPass: []string{"tests/calc.sh::test_two"},
		BadPatches: []bench.BadPatch{{Index: 0, Patch: shellDiff("calc.sh", calc, calcWith("$1 + $1 - 1"))}},
	}
	other := strings.Replace(newCalcTests, "= 6", "!= 5", 1)
	weak := strings.Replace(newCalcTests, "= 6", "-gt 0", 1) // passes on base
	var data, wrong bytes.Buffer
	require.NoError(t, bench.WriteInstance(&data, inst))
	for _, p := range []bench.Prediction{
		{InstanceID: inst.ID, Model: "wrong", Task: "bugfix", Patch: shellDiff("calc.sh", calc, calcWith("$1 * 3"))},
		{InstanceID: inst.ID, Model: "tests only", Task: "bugfix", Patch: inst.TestPatch},
		{InstanceID: inst.ID, Model: "other", Task: "testgen", Patch: shellDiff("tests/calc.sh", oldCalcTests, other)},
		{InstanceID: inst.ID, Model: "weak", Task: "testgen", Patch: shellDiff("tests/calc.sh", oldCalcTests, weak)},
	} {
		require.NoError(t, bench.WritePrediction(&wrong, p))
	}
	require.NoError(t, errors.Join(bench.WriteAtomic(s.dataset, data.Bytes()), bench.WriteAtomic(s.predictions, wrong.Bytes())))
	return s
}

// judgeShell judges gold and the wrong submissions on a driver, and returns the
// verdicts by kind and model.
func judgeShell(t *testing.T, s sample, d engine.Driver, cache, dir string) map[string]bench.Verdict {
	p, err := parts()
	require.NoError(t, err)
	m, err := engine.OpenMachine(d, engine.MachineOptions{Executor: "any", Cache: cache, Repos: s.repos, Languages: p.Languages})
	require.NoError(t, err)
	defer m.Close()
	got := map[string]bench.Verdict{}
	for _, o := range []engine.Options{{Gold: true, Tasks: []string{"bugfix", "testgen"}}, {Predictions: []string{s.predictions}}} {
		o.Selection = engine.Selection{Name: s.dataset, Path: s.dataset}
		_, err := judge(t.Context(), p, o, m, cache, dir)
		require.NoError(t, err)
		require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(dir, "runs", folderOf(o), "results.jsonl"), func(r bench.Result) error {
			require.Equal(t, "shell", r.Language)
			got[r.Task+" by "+r.Model] = r.Verdict
			return nil
		}))
	}
	return got
}

func shellVerdicts() map[string]bench.Verdict {
	return map[string]bench.Verdict{
		"bugfix by gold": bench.Resolved, "testgen by gold": bench.Resolved,
		"bugfix by wrong": bench.Unresolved, "bugfix by tests only": bench.Unresolved,
		"testgen by other": bench.Resolved, "testgen by weak": bench.Unresolved,
	}
}

// TestShell judges a bug fix and tests in a language of this module. Only our
// runner is executed, over the trees that the jobs describe.
func TestShell(t *testing.T) {
	dir := t.TempDir()
	s := shellSample(t, dir)
	fake := shellDriver{&harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
		return runShell(ctx, t.TempDir(), job)
	}}}
	require.Equal(t, shellVerdicts(), judgeShell(t, s, fake, filepath.Join(dir, "cache"), dir))
}

type shellDriver struct{ *harnesstest.Fake }

func (shellDriver) Close() error { return nil }

// runShell writes base with a job's files into a folder, and runs the runner
// there.
func runShell(ctx context.Context, dir string, job harness.Job) (harness.Result, error) {
	tree := map[string]string{"calc.sh": calc, "tests/calc.sh": oldCalcTests}
	runner := ""
	for _, f := range job.Files {
		if name, ok := strings.CutPrefix(f.Path, languages.Root+"/"); ok {
			tree[name] = string(f.Data)
		} else if filepath.Base(f.Path) == "run.sh" {
			runner = string(f.Data)
		}
	}
	args := []string{"-c", runner, "run.sh", "report.tap"}
	for name, text := range tree {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return harness.Result{}, err
		}
	}
	cmd := exec.CommandContext(ctx, "sh", append(args, "tests/calc.sh")...)
	cmd.Dir = dir
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return harness.Result{}, err
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.tap"))
	at := slices.IndexFunc(job.Collect, func(p string) bool { return strings.HasSuffix(p, "/report.tap") })
	return harness.Result{End: harness.Exited, ExitCode: cmd.ProcessState.ExitCode(), Files: map[string][]byte{job.Collect[at]: report}}, err
}

// TestShellInSandboxes does the same with the local executor.
func TestShellInSandboxes(t *testing.T) {
	if testing.Short() {
		t.Skip("it prepares an environment: not in short mode")
	}
	base, err := os.UserCacheDir()
	require.NoError(t, err)
	cache := filepath.Join(base, "assay-test")
	d, err := local.New(local.Options{Dir: filepath.Join(cache, "local")})
	if err != nil {
		t.Skipf("the local executor cannot run here: %v", err)
	}
	dir := t.TempDir()
	require.Equal(t, shellVerdicts(), judgeShell(t, shellSample(t, dir), d, cache, dir))
}

func TestShellTests(t *testing.T) {
	got, err := Shell{}.Tests("tests/a.sh", []byte(newCalcTests))
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, "tests/a.sh::test_three", got[1].ID)
	require.Equal(t, []int{7, 9}, []int{got[1].Start, got[1].End})
}

func TestUnknownLanguage(t *testing.T) {
	dir := t.TempDir()
	s := shellSample(t, dir)
	_, err := engine.Read(t.Context(), engine.Default(), engine.Options{
		Selection: engine.Selection{Name: s.dataset, Path: s.dataset}, Gold: true, Tasks: []string{"bugfix"},
	})
	require.ErrorContains(t, err, "a language (python, java, cpp)")
}
