package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/docker"
)

// publishedActivate stands for conda's: it puts an environment's programs first.
const publishedActivate = `conda() {
  if [ "$1" = activate ]; then PATH=/opt/miniconda3/envs/$2/bin:$PATH; export PATH; fi
}
`

// publishedRunner is a test program of a repository's own, as Django has one.
const publishedRunner = `#!/usr/bin/env python
import os, sys, unittest
os.environ["CALC_READY"] = "1"
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
labels = [a for a in sys.argv[1:] if not a.startswith("-")]
suite = unittest.defaultTestLoader.loadTestsFromNames(labels)
sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
`

const publishedTests = `import os, unittest
from calc import add

class TestAdd(unittest.TestCase):
    def test_add(self):
        """Adding is adding."""
        self.assertEqual(add(1, 2), 3)
    def test_zero(self):
        self.assertEqual(add(0, 0), 0)
`

// publishedImage makes an image of SWE-bench's layout, with the repository at
// root, and returns its name and the commit in it.
func publishedImage(t *testing.T, d *docker.Driver, root string) string {
	t.Helper()
	tools := &harness.Recipe{Name: "published-layout tools", Base: "debian:bookworm", Packages: []string{"git", "python3", "python3-pytest"}}
	name, err := d.Prepare(t.Context(), harness.Recipe{
		Name: "published-layout " + root, Parent: tools, Workdir: root,
		Files: []harness.File{
			{Path: "/opt/miniconda3/bin/activate", Data: []byte(publishedActivate)},
			{Path: root + "/calc.py", Data: []byte("def add(a, b):\n    return a - b\n")},
			{Path: root + "/tests/test_calc.py", Data: []byte(strings.Replace(publishedTests, "(1, 2), 3)", "(1, 0), 1)", 1))},
			{Path: root + "/tests/runtests.py", Data: []byte(publishedRunner), Mode: 0o755},
		},
		Script: `mkdir -p /opt/miniconda3/envs/testbed/bin
ln -s /usr/bin/python3 /opt/miniconda3/envs/testbed/bin/python
ln -s /usr/bin/pytest-3 /opt/miniconda3/envs/testbed/bin/pytest
git init -q
git add -A
git -c user.name=a -c user.email=a@b.c commit -qm base
`,
	})
	require.NoError(t, err)
	return name
}

const publishedScript = `#!/bin/bash
set -uxo pipefail
source /opt/miniconda3/bin/activate
conda activate testbed
cd %[1]s
git config --global --add safe.directory %[1]s
git status
git checkout HEAD tests/test_calc.py
git apply -v - <<'EOF_114329324912'
%[2]s
EOF_114329324912
: '>>>>> Start Test Output'
%[3]s
: '>>>>> End Test Output'
git checkout HEAD tests/test_calc.py
`

const (
	publishedGold = "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n"
	publishedTest = "diff --git a/tests/test_calc.py b/tests/test_calc.py\n--- a/tests/test_calc.py\n+++ b/tests/test_calc.py\n@@ -4,6 +4,6 @@\n class TestAdd(unittest.TestCase):\n" +
		"     def test_add(self):\n         \"\"\"Adding is adding.\"\"\"\n-        self.assertEqual(add(1, 0), 1)\n+        self.assertEqual(add(1, 2), 3)\n     def test_zero(self):\n         self.assertEqual(add(0, 0), 0)\n"
	publishedNote = "diff --git a/notes.txt b/notes.txt\nnew file mode 100644\n--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1 @@\n+nothing\n"
)

// TestPublishedImages judges instances in images of the published layout by the
// real binary: by the sealed reporter in pytest and in a runner of the
// repository's own, and by what a command prints.
func TestPublishedImages(t *testing.T) {
	w := newWorld(t)
	d, err := docker.New(t.Context(), docker.Options{Dir: filepath.Join(w.cache, "docker")})
	if err != nil {
		t.Skipf("no container engine answers: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	const pytestID, django, line = "tests/test_calc.py::TestAdd::test_%s", "test_%s (test_calc.TestAdd)", "Adding is adding."
	var instances []map[string]any
	for i, c := range []struct{ root, command, parser, f2p, p2p string }{
		{"/testbed", "python -m pytest -rA tests/test_calc.py", "parse_log_pytest", fmt.Sprintf(pytestID, "add"), fmt.Sprintf(pytestID, "zero")},
		{"/home/calc", "./tests/runtests.py --verbosity 2 test_calc", "parse_log_django", line, fmt.Sprintf(django, "zero")},
		{"/home/calc", "(./tests/runtests.py --verbosity 2 test_calc)", "parse_log_django", line, fmt.Sprintf(django, "zero")},
	} {
		instances = append(instances, map[string]any{
			"instance_id": fmt.Sprintf("acme__calc-%d", i+1), "repo": "acme/calc", "base_commit": strings.Repeat("0", 40), "version": "1",
			"patch": publishedGold, "test_patch": publishedTest, "problem_statement": "add subtracts.",
			"FAIL_TO_PASS": jsonText(t, []string{c.f2p}), "PASS_TO_PASS": jsonText(t, []string{c.p2p}),
			"image": publishedImage(t, d, c.root), "eval_script": fmt.Sprintf(publishedScript, c.root, publishedTest, c.command),
			"log_parser": c.parser, "eval_type": "pass_and_fail",
		})
	}
	dir := t.TempDir()
	data := filepath.Join(dir, "data.jsonl")
	writeLines(t, data, instances)
	eval := func(out string, more ...string) map[string]bench.Result {
		args := append([]string{"eval", "-d", data, "-t", "bugfix", "-o", filepath.Join(dir, out), "-q", "--executor", "docker", "--cache-dir", w.cache, "--no-cache"}, more...)
		code, text := w.assay(t, args...)
		require.Equal(t, exitDone, code, text)
		found := map[string]bench.Result{}
		require.NoError(t, bench.ReadResults(t.Context(), filepath.Join(dir, out, "results.jsonl"), func(r bench.Result) error {
			found[r.InstanceID] = r
			return nil
		}))
		require.Len(t, found, len(instances))
		return found
	}
	for id, r := range eval("gold", "--gold") {
		require.Equal(t, bench.Resolved, r.Verdict, "%s: %+v", id, r)
		require.Equal(t, id == "acme__calc-3", hasFlag(r, "printed_results"), "%s: %+v", id, r.Flags)
		require.Equal(t, id == "acme__calc-3", hasFlag(r, "no_nonce"), "%s: %+v", id, r.Flags)
	}
	predictions := filepath.Join(dir, "predictions.jsonl")
	var lines []bench.Prediction
	for i := range instances {
		lines = append(lines, bench.Prediction{InstanceID: fmt.Sprintf("acme__calc-%d", i+1), Model: "nothing", Patch: publishedNote})
	}
	writeLines(t, predictions, lines)
	for id, r := range eval("nothing", "-p", predictions) {
		require.Equal(t, bench.Unresolved, r.Verdict, "%s: %+v", id, r)
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

func hasFlag(r bench.Result, kind string) bool {
	for _, f := range r.Flags {
		if f.Kind == kind {
			return true
		}
	}
	return false
}
