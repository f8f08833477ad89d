package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm/llmtest"
)

// counts is a repository of a small Python library, commit by commit.
type counts struct {
	t    *testing.T
	root string // of mirrors
	days int
}

func (c *counts) commit(message, code, file, tests string) {
	c.t.Helper()
	dir := filepath.Join(c.root, "owner", "counts")
	c.days++
	for name, text := range map[string]string{"counts/__init__.py": code, "tests/" + file: tests, "pyproject.toml": `[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "counts"
version = "1.0"
requires-python = ">=3.9"
[tool.setuptools]
packages = ["counts"]
`} {
		path := filepath.Join(dir, name)
		require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(c.t, os.WriteFile(path, []byte(text), 0o644))
	}
	stamp := "2024-03-0" + string(rune('0'+c.days)) + "T00:00:00Z"
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", message}} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE="+stamp, "GIT_COMMITTER_DATE="+stamp)
		out, err := cmd.CombinedOutput()
		require.NoError(c.t, err, string(out))
	}
}

// TestCollectCommand: a repository becomes a dataset that assay can judge, and
// grows with it.
func TestCollectCommand(t *testing.T) {
	w := newWorld(t)
	c := &counts{t: t, root: filepath.Join(t.TempDir(), "repos")}
	const plain = "def count(n):\n    return list(range(n))\n"
	const fixed = "def count(n):\n    return list(range(1, n + 1))\n"
	const test = "from counts import count\n\n\ndef test_empty():\n    assert count(0) == []\n"
	const more = test + "\n\ndef test_one():\n    assert count(1) == [1]\n"
	c.commit("first", plain, "test_counts.py", test)
	c.commit("Count from one as people do, fixes #1 (#2)", fixed, "test_counts.py", more)
	c.commit("Say what it is for, see #3", "# Counts.\n"+fixed, "test_counts.py", "# Tests.\n"+more)
	out := filepath.Join(t.TempDir(), "out")
	collect := func() (string, []string) {
		code, text := w.assay(t, "collect", "owner/counts", "--repos", c.root, "-o", out, "--executor", w.executor, "--cache-dir", w.cache, "-j", "1", "--runs", "2", "--no-cache")
		require.Equal(t, exitDone, code, text)
		data, err := os.ReadFile(filepath.Join(out, "instances.jsonl"))
		require.NoError(t, err)
		return text, strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	text, first := collect()
	require.Contains(t, text, "owner__counts-2: valid, 1 fail-to-pass, 1 pass-to-pass")
	require.Contains(t, text, "no_fail_to_pass")
	require.Len(t, first, 1)
	require.Contains(t, first[0], `"FAIL_TO_PASS":["tests/test_counts.py::test_one"],"PASS_TO_PASS":["tests/test_counts.py::test_empty"]`)
	require.Contains(t, first[0], `"states":{"tests/test_counts.py::test_empty":["passed","passed","passed"],"tests/test_counts.py::test_one":["missing","failed","passed"]}`)
	text, again := collect()
	require.Equal(t, first, again)
	require.NotContains(t, text, "begins", "nothing is done twice")

	c.commit("Count down too, closes #4 (#5)", fixed+"\n\ndef countdown(n):\n    return count(n)[::-1]\n", "test_down.py", "import counts\n\n\ndef test_down():\n    assert counts.countdown(2) == [2, 1]\n")
	_, later := collect()
	require.Len(t, later, 2)
	require.Equal(t, strings.TrimSpace(first[0]), strings.TrimSpace(later[0]), "what was there stays")
	require.Contains(t, later[1], `"unmentioned_names":["countdown"]`)

	run := filepath.Join(t.TempDir(), "run")
	code, text := w.assay(t, "eval", "-d", filepath.Join(out, "instances.jsonl"), "--gold", "--repos", c.root, "-t", "bugfix", "--executor", w.executor, "--cache-dir", w.cache, "-j", "1", "-q", "-o", run)
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "2/2")
}

// TestCollectIssuesOfSeveral: an issue without a repository is of none of two.
func TestCollectIssuesOfSeveral(t *testing.T) {
	path := filepath.Join(t.TempDir(), "issues.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{\"repo\":\"a/x\",\"number\":1}\n{\"number\":12}\n"), 0o644))
	out := filepath.Join(t.TempDir(), "out")
	var text bytes.Buffer
	code := run(t.Context(), []string{"collect", "a/x", "b/y", "--issues", path, "-o", out}, nil, &text, &text, os.Getenv)
	require.Equal(t, exitUsage, code)
	require.Contains(t, text.String(), path+":2: repo: expected owner/name on every line, as 2 repositories are collected")
	require.NoDirExists(t, out)
}

// TestCollectWithModel: a model writes the statement where there is no issue.
func TestCollectWithModel(t *testing.T) {
	w := newWorld(t)
	c := &counts{t: t, root: filepath.Join(t.TempDir(), "repos")}
	const test = "from counts import count\n\n\ndef test_empty():\n    assert count(0) == []\n"
	c.commit("first", "def count(n):\n    return list(range(n))\n", "test_counts.py", test)
	c.commit("Fixes #7", "def count(n):\n    first_number = 1\n    return list(range(first_number, n + first_number))\n", "test_counts.py", test+"\n\ndef test_one():\n    assert count(1) == [1]\n")
	const statement = "Counting begins at zero\\nWhen I count things the list begins at zero, but people begin with the one."
	answer := func(text string) string {
		return `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"` + text + `"}}],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}`
	}
	server := llmtest.NewServer(llmtest.Step{Status: 503}, llmtest.Step{Body: answer("Please set first_number to one in the function that counts things.")}, llmtest.Step{Body: answer(statement)})
	t.Cleanup(server.Close)
	t.Setenv("OPENAI_API_KEY", "key")
	t.Setenv("OPENAI_BASE_URL", server.URL)
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"collect", "owner/counts", "--repos", c.root, "-o", out, "--executor", w.executor, "--cache-dir", w.cache, "-j", "1", "--runs", "1", "--no-cache"}
	code, text := w.assay(t, args...)
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "no_statement")
	code, text = w.assay(t, append(args, "--llm", "openai/gpt-4o-mini", "--budget", "0.000001")...)
	require.Equal(t, exitBudget, code, text)
	require.Empty(t, server.Requests())
	code, text = w.assay(t, append(args, "--llm", "openai/gpt-4o-mini", "--budget", "1")...)
	require.Equal(t, exitDone, code, text)
	data, err := os.ReadFile(filepath.Join(out, "instances.jsonl"))
	require.NoError(t, err)
	require.Contains(t, string(data), `"problem_statement":"`+statement+`"`)
	require.Contains(t, string(data), `"statement":["model"]`)
	about, err := os.ReadFile(filepath.Join(out, "card.json"))
	require.NoError(t, err)
	require.Contains(t, string(about), `"model": 1`)
	var canary struct {
		Canary string `json:"canary"`
	}
	require.NoError(t, json.Unmarshal(about, &canary))
	require.Contains(t, string(data), `"canary":"`+canary.Canary+`"`)
	markdown, err := os.ReadFile(filepath.Join(out, "card.md"))
	require.NoError(t, err)
	require.Contains(t, string(markdown), "| code files at base | 2 (2) |")
	require.Contains(t, string(data), `"refused":["leaks: identifier (word 3)"]`)
	require.Len(t, server.Requests(), 3)
	code, text = w.assay(t, append(args, "--llm", "openai/gpt-4o-mini", "--budget", "1")...)
	require.Equal(t, exitDone, code, text)
	require.Len(t, server.Requests(), 3, "nothing is asked twice")
}

// TestCollectWithModelSetUp: where inference fails a model makes the
// environment, in which the dataset is judged later.
func TestCollectWithModelSetUp(t *testing.T) {
	w := newWorld(t)
	c := &counts{t: t, root: filepath.Join(t.TempDir(), "repos")}
	const test = "from counts import count\n\n\ndef test_empty():\n    assert count(0) == []\n"
	// The project's own build fails without a variable that is documented nowhere.
	setup := filepath.Join(c.root, "owner", "counts", "setup.py")
	require.NoError(t, os.MkdirAll(filepath.Dir(setup), 0o755))
	require.NoError(t, os.WriteFile(setup, []byte("import os\nimport setuptools\nif not os.environ.get('COUNTS_BUILD'):\n    raise SystemExit('COUNTS_BUILD is not set')\nsetuptools.setup()\n"), 0o644))
	c.commit("first", "def count(n):\n    return list(range(n))\n", "test_counts.py", test)
	c.commit("Count from one as people do, fixes #7", "def count(n):\n    return list(range(1, n + 1))\n", "test_counts.py", test+"\n\ndef test_one():\n    assert count(1) == [1]\n")
	answer := func(text string) llmtest.Step {
		content, err := json.Marshal(text)
		require.NoError(t, err)
		return llmtest.Step{Body: `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` + string(content) + `}}],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}`}
	}
	server := llmtest.NewServer(
		answer("```json\n{\"install\": [\"pip install -e . pytest\"]}\n```"),
		answer("Cause: installation\nReason: COUNTS_BUILD is not set."),
		answer("```json\n{\"install\": [\"COUNTS_BUILD=1 pip install -e . pytest\"]}\n```"),
		answer("no statement"),
	)
	t.Cleanup(server.Close)
	t.Setenv("OPENAI_API_KEY", "key")
	t.Setenv("OPENAI_BASE_URL", server.URL)
	out := filepath.Join(t.TempDir(), "out")
	code, text := w.assay(t, "collect", "owner/counts", "--repos", c.root, "-o", out, "--executor", w.executor, "--cache-dir", w.cache, "-j", "1", "--runs", "1",
		"--no-cache", "--llm", "openai/gpt-4o-mini", "--budget", "1")
	require.Equal(t, exitDone, code, text)
	data, err := os.ReadFile(filepath.Join(out, "instances.jsonl"))
	require.NoError(t, err)
	require.Contains(t, string(data), `COUNTS_BUILD=1 /opt/uv/bin/uv pip install -e . pytest`, text)
	require.Contains(t, string(data), `"environment_by":"model openai/gpt-4o-mini"`)
	require.Contains(t, server.Requests()[1].Body["messages"].([]any)[0].(map[string]any)["content"], "COUNTS_BUILD is not set")

	code, text = w.assay(t, "eval", "-d", filepath.Join(out, "instances.jsonl"), "--gold", "--repos", c.root, "-t", "bugfix", "--executor", w.executor, "--cache-dir", w.cache, "-j", "1", "-q", "-o", filepath.Join(t.TempDir(), "run"))
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "1/1")
}
