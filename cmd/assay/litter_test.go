package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/report"
)

// shop is a project in Python whose hidden tests are in a folder that base
// does not have.
func shop() project {
	return project{
		base:   map[string]string{"lib.py": "def double(x):\n    return x\n", "tests/test_old.py": "from lib import double\n\n\ndef test_zero():\n    assert double(0) == 0\n"},
		gold:   map[string]string{"lib.py": "def double(x):\n    return 2 * x\n"},
		hidden: map[string]string{"checks/test_lib.py": "from lib import double\n\n\ndef test_double():\n    assert double(2) == 4\n"},
		f2p:    []string{"checks/test_lib.py::test_double"}, p2p: []string{"tests/test_old.py::test_zero"},
	}
}

// link is a patch that makes a symbolic link.
func link(path, target string) string {
	return "diff --git a/" + path + " b/" + path + "\nnew file mode 120000\n--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+" + target + "\n\\ No newline at end of file\n"
}

const (
	picture = "diff --git a/notes/shot.png b/notes/shot.png\nnew file mode 100644\nindex 0000000..1234567\nBinary files /dev/null and b/notes/shot.png differ\n"
	clone   = "diff --git a/scratch b/scratch\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/scratch\n@@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890\n"
)

// TestPatchesBesidesTheFix judges submissions that hold more than a change of
// code. Files that got into them by accident are dropped and reported, and
// the rest is judged. A file where the hidden tests have their folder makes
// the patch invalid, and it counts as not resolved.
func TestPatchesBesidesTheFix(t *testing.T) {
	w := newWorld(t)
	p := shop()
	own, inst := w.own(t, victim, p)
	idle := between(p.base, map[string]string{"lib.py": p.base["lib.py"] + "# nothing\n"})
	litter := picture + clone + link("venv/bin/python3", "/usr/bin/python3")
	file := between(nil, map[string]string{"checks": "x\n"})
	submissions := map[string]struct {
		patch   string
		verdict bench.Verdict
		dropped []string
	}{
		"the fix":                      {inst.Patch, bench.Resolved, nil},
		"the fix with litter":          {inst.Patch + litter, bench.Resolved, []string{"notes/shot.png", "scratch", "venv/bin/python3"}},
		"no fix, with litter":          {idle + litter, bench.Unresolved, []string{"notes/shot.png", "scratch", "venv/bin/python3"}},
		"litter alone":                 {litter, bench.InvalidPatch, nil},
		"a file at the tests' folder":  {inst.Patch + file, bench.InvalidPatch, nil},
		"a link at the tests' folder":  {inst.Patch + link("checks", "tests"), bench.InvalidPatch, nil},
		"a link at a folder of base's": {inst.Patch + link("tests", "elsewhere"), bench.InvalidPatch, nil},
	}
	dir := t.TempDir()
	var predictions []bench.Prediction
	for name, s := range submissions {
		predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: name, Task: "bugfix", Patch: s.patch})
	}
	writeLines(t, filepath.Join(dir, "p.jsonl"), predictions)
	code, out := own.assay(t, own.on("eval", "-d", own.paths.Dataset, "-p", filepath.Join(dir, "p.jsonl"), "-o", filepath.Join(dir, "run"), "--no-cache", "-q")...)
	require.Equal(t, exitDone, code, out)
	results := readResults(t, filepath.Join(dir, "run", "results.jsonl"))
	for name, s := range submissions {
		t.Run(name, func(t *testing.T) {
			r := results[name]
			require.Equal(t, s.verdict, r.Verdict, r.Reason)
			for _, p := range s.dropped {
				require.Contains(t, droppedFiles(r), p)
			}
		})
	}
	require.Contains(t, results["a file at the tests' folder"].Reason, "is in the way of the test file")
	data, err := os.ReadFile(filepath.Join(dir, "run", "summary.json"))
	require.NoError(t, err)
	var summary report.Summary
	require.NoError(t, json.Unmarshal(data, &summary))
	require.Equal(t, []int{7, 7, 2, 4}, []int{summary.Total.Submitted, summary.Total.Judged, summary.Total.Resolved, summary.Total.Verdicts[bench.InvalidPatch]}, string(data))
}

func droppedFiles(r bench.Result) []string {
	var out []string
	for _, f := range r.Flags {
		if f.Kind == "dropped_files" {
			out = append(out, f.Path)
		}
	}
	return out
}

// TestMissingPredictions: the tasks to which a model submitted nothing are counted, and
// the rate over all of them is given.
func TestMissingPredictions(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	writeLines(t, filepath.Join(dir, "p.jsonl"), []bench.Prediction{{InstanceID: victim, Model: "idle", Task: "bugfix"}})
	code, out := w.assay(t, w.on("eval", "-d", w.paths.Dataset, "-p", filepath.Join(dir, "p.jsonl"), "-t", "bugfix", "-o", filepath.Join(dir, "run"), "-q")...)
	require.Equal(t, exitDone, code, out)
	data, err := os.ReadFile(filepath.Join(dir, "run", "summary.json"))
	require.NoError(t, err)
	var summary report.Summary
	require.NoError(t, json.Unmarshal(data, &summary))
	all := summary.Total.All
	require.Greater(t, all, 1)
	require.Equal(t, []int{1, 1, 0, all - 1}, []int{summary.Total.Submitted, summary.Total.Judged, summary.Total.Resolved, summary.Total.Missing})
}
