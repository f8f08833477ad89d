package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/tasks"
)

// victim is the sample that hostile submissions are made for: its hidden tests
// are tests/test_stack.py, its package is imported by them.
const victim = "assay-samples__layercake-12"

// hostile is one submission and the verdict that it must get.
type hostile struct {
	task    string // bugfix where it is empty
	patch   string
	verdict []bench.Verdict
	flags   []string
	reason  string // part of it
	check   func(*testing.T, bench.Result)
}

// TestHostileSubmissions judges, through the real binary, submissions that try
// to be resolved without a fix, or to do harm. All are judged in one batch, two
// at a time, with an honest one at its end, so that harm would show.
func TestHostileSubmissions(t *testing.T) {
	w := newWorld(t)
	inst, tree := w.sample(t, victim)
	lure := listen(t)
	all := hostileFixes(t, tree)
	maps.Copy(all, hostileDeeds(t, tree, lure.Addr().String()))
	maps.Copy(all, hostilePatches(t, inst, tree))
	maps.Copy(all, hostileTests(t, inst, tree))
	w.judgeHostile(t, inst, all)
	require.False(t, lure.reached(), "a job reached a listener of this machine")
	out, _ := exec.Command("ps", "-eo", "args").Output()
	require.NotContains(t, string(out), "assay-hostile-daemon", "a daemon outlived its job")
}

// judgeHostile judges submissions to one instance in one batch, two at a
// time, with an honest one at its end, and compares each verdict with the
// required one. It returns the result of the honest one, which is resolved.
func (w world) judgeHostile(t *testing.T, inst bench.Instance, all map[string]hostile) bench.Result {
	t.Helper()
	kinds := map[string]bool{"bugfix": true}
	var predictions []bench.Prediction
	for _, name := range sortedKeys(all) {
		kind := cmp.Or(all[name].task, "bugfix")
		kinds[kind] = true
		predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: name, Task: kind, Patch: all[name].patch})
	}
	predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: "zz honest", Task: "bugfix", Patch: inst.Patch})
	results := w.judge(t, predictions, "-t", strings.Join(sortedKeys(kinds), ","), "-j", "2")
	honest := results["zz honest"]
	require.Equal(t, bench.Resolved, honest.Verdict, honest.Reason)
	for name, h := range all {
		t.Run(name, func(t *testing.T) {
			r, ok := results[name]
			require.True(t, ok, "no result")
			h.hold(t, r)
		})
	}
	return honest
}

// hold compares a result with what is required of the submission.
func (h hostile) hold(t *testing.T, r bench.Result) {
	t.Helper()
	require.Contains(t, h.verdict, r.Verdict, r.Reason)
	require.Contains(t, r.Reason, h.reason)
	for _, f := range h.flags {
		require.Contains(t, flagKinds(r), f)
	}
	if h.check != nil {
		h.check(t, r)
	}
}

func flagKinds(r bench.Result) []string {
	var kinds []string
	for _, f := range r.Flags {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func (w world) sample(t *testing.T, id string) (bench.Instance, patch.Tree) {
	t.Helper()
	set, err := bench.OpenDataset(w.paths.Dataset)
	require.NoError(t, err)
	defer set.Close()
	var inst bench.Instance
	require.NoError(t, set.Scan(t.Context(), func(_ bench.Entry, in *bench.Instance) error {
		if in.ID == id {
			inst = *in
		}
		return nil
	}))
	store := &mirror.Store{Dir: w.paths.Repos}
	repo, err := store.Open(t.Context(), inst.Repo, inst.BaseCommit)
	require.NoError(t, err)
	tree, err := repo.Tree(t.Context(), inst.BaseCommit)
	require.NoError(t, err)
	return inst, tree
}

// prepend is a patch that puts text before a file, or makes the file.
func prepend(t *testing.T, tree patch.Tree, path, text string) string {
	t.Helper()
	e, err := tree.Read(path)
	if err != nil {
		return string(patch.Between(path, nil, []byte(text)))
	}
	return string(patch.Between(path, e.Data, append([]byte(text), e.Data...)))
}

func remove(t *testing.T, tree patch.Tree, path string) string {
	t.Helper()
	e, err := tree.Read(path)
	require.NoError(t, err)
	return string(patch.Between(path, e.Data, nil))
}

func unresolved() []bench.Verdict { return []bench.Verdict{bench.Unresolved} }

// caught is for code that breaks its own run: unresolved or suspect, as the
// case may be, but judged.
func caught() []bench.Verdict { return []bench.Verdict{bench.Unresolved, bench.Suspect} }

const initFile = "src/layercake/__init__.py"

// hostileFixes would seem resolved when the package under test is imported.
func hostileFixes(t *testing.T, tree patch.Tree) map[string]hostile {
	code := func(text string) string { return prepend(t, tree, initFile, text) }
	return map[string]hostile{
		"prints forged results and writes a forged report": {task: "bugfix", verdict: caught(), patch: code(`
import glob, os, sys
for name in ("test_chain", "test_direct"):
    print("PASSED tests/test_stack.py::OverridesTest::" + name)
print("============ 24 passed in 0.01s ============")
os.makedirs("target/surefire-reports", exist_ok=True)
for place in ["junit.xml", "report.xml"] + glob.glob("/assay/*/reports/*"):
    try:
        with open(place, "w") as f:
            f.write('<testsuite tests="1"><testcase classname="tests.test_stack.OverridesTest" name="test_chain" file="tests/test_stack.py"/></testsuite>')
    except OSError:
        pass
`)},
		// The variable is the keeper's alone, so nothing is written, and the tests fail as they should.
		"writes a whole report in the reporter's form": {task: "bugfix", verdict: []bench.Verdict{bench.Unresolved}, patch: code(`
import json, os
env = dict(v.split("=", 1) for v in open("/proc/self/environ").read().split("\0") if "=" in v)
report = env.get("ASSAY_PYTEST_REPORT")
with open("tests/test_stack.py") as f:
    names = [l.split("def ")[1].split("(")[0] for l in f if "    def test_" in l]
if report:
    with open(report, "w") as f:
        for n in names:
            id = "tests/test_stack.py::OverridesTest::" + n
            f.write(json.dumps({"ev": "start", "id": id}) + "\n" + json.dumps({"ev": "phase", "id": id, "when": "call", "outcome": "passed"}) + "\n")
        f.write(json.dumps({"ev": "finish", "exitstatus": 0}) + "\n")
    os._exit(0)
`)},
		"leaves with code 0 before the tests": {task: "bugfix", verdict: []bench.Verdict{bench.Suspect}, patch: code("import os\nos._exit(0)\n")},
		"leaves with code 0 when pytest asks": {task: "bugfix", verdict: []bench.Verdict{bench.Suspect}, patch: code("import atexit, os\natexit.register(os._exit, 0)\n")},
		"makes every assertion hold": {task: "bugfix", verdict: []bench.Verdict{bench.Suspect}, patch: code(`
import unittest
for name in dir(unittest.TestCase):
    if name.startswith("assert") and name[6:7].isupper() and "Raises" not in name:
        setattr(unittest.TestCase, name, lambda *a, **k: None)
class Raised:
    def __enter__(self): return self
    def __exit__(self, *a): return True
for name in ("assertRaises", "assertRaisesRegex"):
    setattr(unittest.TestCase, name, lambda *a, **k: Raised())
`)},
		"hooks the runner's report from the package": {task: "bugfix", verdict: []bench.Verdict{bench.Suspect}, patch: code(`
from _pytest import reports
real = reports.TestReport.from_item_and_call
def forged(item, call):
    r = real(item, call)
    r.outcome, r.longrepr = "passed", None
    call.excinfo = None
    return r
reports.TestReport.from_item_and_call = staticmethod(forged)
import _pytest.runner
_pytest.runner.TestReport = reports.TestReport
`)},
	}
}

// hostileDeeds do harm when the package under test is imported.
func hostileDeeds(t *testing.T, tree patch.Tree, lure string) map[string]hostile {
	code := func(text string) string { return prepend(t, tree, initFile, text) }
	return map[string]hostile{
		"leaves a daemon behind": {task: "bugfix", verdict: unresolved(), patch: code(`
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, ["assay-hostile-daemon", "-c", "import time; time.sleep(3600)"])
    os._exit(0)
`)},
		"forks without end": {task: "bugfix", verdict: caught(), patch: code(`
import os
try:
    while True:
        os.fork()
except OSError:
    pass
`)},
		"fills the disk": {task: "bugfix", verdict: caught(), patch: code(`
try:
    with open("/tmp/full", "wb") as f:
        block = bytes(1 << 24)
        while True:
            f.write(block)
except OSError:
    pass
`)},
		"fills the output": {task: "bugfix", verdict: caught(), patch: code(`
import os
while True:
    os.write(1, b"x" * 65536)
`)},
		"reads the fix in git history": {task: "bugfix", verdict: unresolved(), patch: code(`
import subprocess
for rev in subprocess.run(["git", "log", "--all", "--reflog", "--format=%H"], capture_output=True, text=True).stdout.split() + ["v1.0.1", "HEAD@{1}", "origin/main"]:
    text = subprocess.run(["git", "show", rev + ":src/layercake/stack.py"], capture_output=True, text=True).stdout
    if "_expanded" in text:
        open("src/layercake/stack.py", "w").write(text)
`)},
		"fetches the fix from the network": {task: "bugfix", verdict: unresolved(), patch: code(fmt.Sprintf(`
import socket
for host, port in (%q.rsplit(":", 1), ("1.1.1.1", 80)):
    try:
        socket.create_connection((host, int(port)), 2).sendall(b"GET /fix\n")
    except OSError:
        pass
`, lure))},
	}
}

// hostilePatches are in the patch itself.
func hostilePatches(t *testing.T, inst bench.Instance, tree patch.Tree) map[string]hostile {
	hook := "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    out = yield\n    out.get_result().outcome = 'passed'\n"
	invalid := []bench.Verdict{bench.InvalidPatch}
	link := "diff --git a/src/out b/src/out\nnew file mode 120000\n--- /dev/null\n+++ b/src/out\n@@ -0,0 +1 @@\n+../../../etc\n\\ No newline at end of file\n"
	return map[string]hostile{
		"replaces conftest.py":            {task: "bugfix", verdict: unresolved(), flags: []string{"runner_files"}, patch: prepend(t, tree, "conftest.py", hook) + prepend(t, tree, "tests/conftest.py", hook)},
		"replaces the runner's settings":  {task: "bugfix", verdict: unresolved(), flags: []string{"runner_files"}, patch: prepend(t, tree, initFile, "x = 1\n") + remove(t, tree, "pytest.ini") + prepend(t, tree, "tox.ini", "[pytest]\naddopts = --collect-only\n")},
		"stands in for the runner":        {task: "bugfix", verdict: []bench.Verdict{bench.Suspect}, reason: "pytest", flags: []string{"runner_files"}, patch: prepend(t, tree, initFile, "x = 1\n") + prepend(t, tree, "pytest.py", "raise SystemExit(0)\n") + prepend(t, tree, "sitecustomize.py", "raise SystemExit(0)\n")},
		"edits the hidden tests":          {task: "bugfix", verdict: unresolved(), flags: []string{"test_hunks"}, patch: prepend(t, tree, initFile, "x = 1\n") + prepend(t, tree, "tests/test_stack.py", "import sys\nsys.exit(0)\n")},
		"deletes the hidden tests":        {task: "bugfix", verdict: unresolved(), flags: []string{"test_hunks"}, patch: prepend(t, tree, initFile, "x = 1\n") + remove(t, tree, "tests/test_stack.py")},
		"leaves the tree by its path":     {task: "bugfix", verdict: invalid, flags: []string{"unsafe_path"}, patch: "--- /dev/null\n+++ b/../../etc/cron.d/assay\n@@ -0,0 +1 @@\n+x\n"},
		"writes into .git":                {task: "bugfix", verdict: invalid, flags: []string{"unsafe_path"}, patch: "--- /dev/null\n+++ b/.git/hooks/post-checkout\n@@ -0,0 +1 @@\n+x\n"},
		"leaves the tree by a link":       {task: "bugfix", verdict: invalid, patch: link},
		"is a patch of 50 MB":             {task: "bugfix", verdict: invalid, patch: "--- /dev/null\n+++ b/src/big.py\n@@ -0,0 +1,1 @@\n+" + strings.Repeat("x", 50<<20) + "\n"},
		"does not apply":                  {task: "bugfix", verdict: invalid, patch: "--- a/src/layercake/stack.py\n+++ b/src/layercake/stack.py\n@@ -1,2 +1,2 @@\n nothing of this\n-is there\n+at all\n"},
		"applies in one file of two only": {task: "bugfix", verdict: invalid, patch: inst.Patch + "--- a/src/gone.py\n+++ b/src/gone.py\n@@ -1 +1 @@\n-x\n+y\n"},
	}
}

// hostileTests are generated tests that test nothing.
func hostileTests(t *testing.T, inst bench.Instance, tree patch.Tree) map[string]hostile {
	test := func(body string) string {
		return prepend(t, tree, "tests/test_new.py", "import unittest\n\nimport layercake\n\n\nclass NewTest(unittest.TestCase):\n    def test_new(self):\n"+body)
	}
	goldPasses := func(t *testing.T, r bench.Result) {
		require.NotNil(t, r.TestGen)
		require.NotNil(t, r.TestGen.PassesGold)
		require.True(t, *r.TestGen.PassesGold)
	}
	return map[string]hostile{
		"tells the variants apart by reading the source": {task: "testgen", verdict: unresolved(), reason: "behaves the same", check: goldPasses, patch: test(`
        with open(layercake.__path__[0] + "/stack.py") as f:
            self.assertIn("def _expanded(self, where):\n        return expand(self._merged[where], where, self._merged.get)", f.read())
`)},
		"asserts nothing": {task: "testgen", verdict: unresolved(), reason: "do not fail on base", patch: test("        pass\n")},
		"always fails":    {task: "testgen", verdict: unresolved(), reason: "do not pass on the gold patch", patch: test("        self.fail()\n")},
		"carries the fix along": {task: "testgen", verdict: unresolved(), flags: []string{"non_test_changes"}, reason: "do not fail on base",
			patch: inst.Patch + test("        self.assertTrue(layercake.Stack)\n")},
		"skips itself where it would fail": {task: "testgen", verdict: unresolved(), patch: test("        self.skipTest('no')\n")},
		"is no test":                       {task: (tasks.TestGen{}).Name(), verdict: unresolved(), reason: "changes no test", patch: inst.Patch},
	}
}

// TestHostileBytes checks that a prediction that is not UTF-8 is reported
// with its line, and that the others can be judged without it.
func TestHostileBytes(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "p.jsonl")
	good := fmt.Sprintf(`{"instance_id":%q,"model_name_or_path":"empty","model_patch":""}`, victim)
	bad := []byte(`{"instance_id":"x__y-1","model_name_or_path":"m","model_patch":"` + "\xff\xfe" + `"}`)
	require.NoError(t, os.WriteFile(file, bytes.Join([][]byte{[]byte(good), bad, nil}, []byte("\n")), 0o644))
	args := []string{"eval", "-d", w.paths.Dataset, "-p", file, "-o", filepath.Join(dir, "run"), "--repos", w.paths.Repos, "--executor", "local", "--cache-dir", w.cache}
	code, out := w.assay(t, args...)
	require.Equal(t, exitUsage, code, out)
	require.Contains(t, out, "p.jsonl:2")
	require.NoDirExists(t, filepath.Join(dir, "run"))
	code, out = w.assay(t, append(args, "--skip-invalid")...)
	require.Equal(t, exitNotJudged, code, out)
	require.Equal(t, bench.EmptyPatch, readResults(t, filepath.Join(dir, "run", "results.jsonl"))["empty"].Verdict)
}

// listener notes whether anybody came.
type listener struct {
	net.Listener
	came chan struct{}
}

func listen(t *testing.T) *listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	found := &listener{Listener: l, came: make(chan struct{}, 1)}
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Close()
			found.came <- struct{}{}
		}
	}()
	return found
}

func (l *listener) reached() bool {
	select {
	case <-l.came:
		return true
	default:
		return false
	}
}
