package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/docker"
	"assay/llm/scripted"
)

// historyImage makes an image whose repository, at /home/calc, has the fix in
// its history: on a branch, in a stash and packed.
func historyImage(t *testing.T, d *docker.Driver) string {
	t.Helper()
	tools := &harness.Recipe{Name: "published-layout tools", Base: "debian:bookworm", Packages: []string{"git", "python3", "python3-pytest"}}
	name, err := d.Prepare(t.Context(), harness.Recipe{
		Name: "image with a history", Parent: tools, Workdir: "/home/calc",
		Files: []harness.File{
			{Path: "/home/calc/calc.py", Data: []byte("def add(a, b):\n    return a - b\n")},
			{Path: "/home/calc/tests/test_calc.py", Data: []byte(strings.Replace(publishedTests, "(1, 2), 3)", "(1, 0), 1)", 1))},
			{Path: "/home/calc/.gitignore", Data: []byte("*.log\n")},
		},
		Script: `git init -q -b main
git config user.name a
git config user.email a@b.c
git add -A
git commit -qm base
git checkout -q -b later
sed -i 's/a - b/a + b/' calc.py
git commit -qam 'the fix'
git tag v2
git checkout -q main
sed -i 's/a - b/a + b/' calc.py
git stash -q
git gc -q
`,
	})
	require.NoError(t, err)
	return name
}

// imageAgent looks for the fix in the repository's objects, runs the tests,
// fixes the bug, commits and asks the model once.
const imageAgent = `set -e
echo "commits: $(git rev-list --all --count)"
echo "objects: $(git cat-file --batch-all-objects --batch-check | wc -l)"
for o in $(git cat-file --batch-all-objects --batch-check='%(objectname)'); do
  if git cat-file -p $o | grep -q 'a + b'; then echo "LOOT $o"; fi
done
git status --short
python3 -m pytest -q tests && echo "tests run"
sed -i 's/a - b/a + b/' calc.py
echo noise >run.log
git -c user.name=x -c user.email=x@y.z commit -qam 'by the agent'
` + oneCall

// TestAgentInImage: an agent in an instance with an image sees one commit of its
// repository, and its change is taken and judged.
func TestAgentInImage(t *testing.T) {
	needContainers(t)
	w := newWorld(t)
	d, err := docker.New(t.Context(), docker.Options{Dir: filepath.Join(w.cache, "docker")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	dir := t.TempDir()
	data := filepath.Join(dir, "data.jsonl")
	writeLines(t, data, []map[string]any{{
		"instance_id": "acme__calc-1", "repo": "acme/calc", "base_commit": strings.Repeat("0", 40), "version": "1",
		"patch": publishedGold, "test_patch": publishedTest, "problem_statement": "add subtracts.",
		"FAIL_TO_PASS": `["tests/test_calc.py::TestAdd::test_add"]`, "PASS_TO_PASS": `["tests/test_calc.py::TestAdd::test_zero"]`,
		"image": historyImage(t, d), "test_cmds": []string{"python3 -m pytest -rA tests/test_calc.py"}, "log_parser": "pytest",
	}})
	model, err := scripted.New(scripted.Script{Acts: []scripted.Act{{Final: "Done."}}})
	require.NoError(t, err)
	t.Cleanup(model.Close)
	t.Setenv("OPENAI_API_KEY", "sk-x")
	t.Setenv("OPENAI_BASE_URL", model.URL+"/v1")
	out := filepath.Join(dir, "out")
	code, text := w.assay(t, "run", "-d", data, "-t", "bugfix", "-a", "command", "--command", imageAgent, "-m", "openai/gpt-5", "-o", out, "--executor", "docker", "--cache-dir", w.cache)
	require.Equal(t, exitDone, code, text)
	attempt := filepath.Join(out, "attempts/bugfix/acme__calc-1/1")
	log, err := os.ReadFile(filepath.Join(attempt, "output.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "commits: 1\nobjects: 6\n", "%s", log)
	require.NotContains(t, string(log), "LOOT")
	require.Contains(t, string(log), "tests run")
	patch, err := os.ReadFile(filepath.Join(attempt, "patch.diff"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(patch), "diff --git"), "%s", patch)
	require.Contains(t, string(patch), "+    return a + b")
	code, text = w.assay(t, "eval", "-d", data, "-t", "bugfix", "-p", filepath.Join(out, "predictions.jsonl"), "-o", filepath.Join(dir, "eval"), "-q", "--executor", "docker", "--cache-dir", w.cache, "--no-cache")
	require.Equal(t, exitDone, code, text)
	results := readResults(t, filepath.Join(dir, "eval", "results.jsonl"))
	require.Len(t, results, 1)
	for name, r := range results {
		require.Equal(t, bench.Resolved, r.Verdict, fmt.Sprint(name, r.Reason))
	}
}
