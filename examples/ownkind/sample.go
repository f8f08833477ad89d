package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/tasks"
)

// sample holds the paths of the benchmark.
type sample struct{ dataset, repos, predictions string }

// The repository's files at base, and what they become.
const (
	lib = `"""Prices."""


def net(price, rebate):
    # TODO: rebates of more than the price
    result = price - rebate
    return result


def gross(price):
    # TODO: other taxes
    result = price * 119
    return result
`
	libGold = `def gross(price):
    # TODO: other taxes
    result = price * 119 // 100
    return result
`
	oldTests = `from shop import net


def test_net():
    assert net(5, 2) == 3
`
	newTests = oldTests + `

def test_gross():
    from shop import gross

    assert gross(200) == 238
`
)

// writeSample writes a repository of one commit, a dataset of one instance with
// a task of every kind but reviews, and wrong submissions.
func writeSample(ctx context.Context, dir string) (sample, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return sample{}, err
	}
	s := sample{dataset: filepath.Join(dir, "dataset.jsonl"), repos: filepath.Join(dir, "repos"), predictions: filepath.Join(dir, "wrong.jsonl")}
	commit, err := commitFiles(ctx, filepath.Join(s.repos, "own__shop"), map[string]string{"shop.py": lib, "tests/test_shop.py": oldTests})
	if err != nil {
		return s, err
	}
	inst, err := instance(commit)
	if err != nil {
		return s, err
	}
	var data, wrong bytes.Buffer
	err = bench.WriteInstance(&data, inst)
	for _, p := range wrongSubmissions(inst.ID) {
		err = errors.Join(err, bench.WritePrediction(&wrong, p))
	}
	return s, errors.Join(err, bench.WriteAtomic(s.dataset, data.Bytes()), bench.WriteAtomic(s.predictions, wrong.Bytes()))
}

func instance(commit string) (bench.Instance, error) {
	gold := lib[:strings.Index(lib, "def gross")] + libGold
	shorten, err := json.Marshal(shortenTask{Files: []string{"shop.py"}, Least: 2, Solution: diff(direct(lib))})
	var findings []bench.Finding
	for i, line := range strings.Split(lib, "\n") {
		if strings.Contains(line, "# TODO") {
			findings = append(findings, bench.Finding{
				Tool: "todo", Rule: todoRule, Path: "shop.py", Range: bench.Range{Line: i + 1}, Line: line, Severity: bench.SeverityWarning,
				Message: "something is left to do",
			})
		}
	}
	return bench.Instance{
		ID: "own__shop-1", Repo: "own/shop", BaseCommit: commit, Language: "python", ProblemStatement: "Gross prices are a hundred times too high.",
		Patch: diff(gold), TestPatch: tasks.Diff("tests/test_shop.py", []byte(oldTests), []byte(newTests)),
		FailToPass: []string{"tests/test_shop.py::test_gross"}, PassToPass: []string{"tests/test_shop.py::test_net"},
		Env: &bench.Env{
			Framework: "pytest", Packages: []string{"python3", "python3-venv"}, Linters: []string{Todo{}.About().Name},
			Dependencies: []string{"python3 -m venv /opt/venv", "/opt/venv/bin/pip install pytest==8.3.5"},
		},
		Style: []bench.StyleTask{{Linter: "todo", Rules: bench.RuleSet{Names: []string{todoRule}}, Files: []string{"shop.py"}, Findings: findings}},
		Extra: map[string]json.RawMessage{"shorten": shorten},
	}, err
}

// diff is a patch that gives shop.py another text.
func diff(text string) string { return tasks.Diff("shop.py", []byte(lib), []byte(text)) }

// wrongSubmissions break a test, remove too little, and silence the linter.
func wrongSubmissions(id string) []bench.Prediction {
	kept := strings.ReplaceAll(strings.ReplaceAll(lib, "the price\n", "the price "+keepMark+"\n"), "other taxes\n", "other taxes "+keepMark+"\n")
	return []bench.Prediction{
		{InstanceID: id, Model: "broken", Task: "shorten", Patch: diff(lib[strings.Index(lib, "def gross"):])},
		{InstanceID: id, Model: "comments", Task: "shorten", Patch: diff(done(lib))},
		{InstanceID: id + "_0", Model: "silenced", Task: "style", Patch: diff(kept)},
	}
}

// commitFiles makes a repository of one commit and returns the commit, which is
// the same for the same files.
func commitFiles(ctx context.Context, dir string, files map[string]string) (string, error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return "", err
		}
	}
	var last []byte
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "shop"}, {"rev-parse", "HEAD"}} {
		cmd := exec.CommandContext(ctx, "git", slices.Concat([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"}, args)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w", args[0], err)
		}
		last = out
	}
	return strings.TrimSpace(string(last)), nil
}
