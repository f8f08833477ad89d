package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// TestGoldProvesTheEnvironment judges an honest fix and an empty change in
// environments in which gold passes, cannot run, and misses one of the
// pass-to-pass tests. An environment's fault never counts against a
// submission.
func TestGoldProvesTheEnvironment(t *testing.T) {
	w := newWorld(t)
	inst, tree := w.sample(t, victim)
	idle := prepend(t, tree, initFile, "# nothing\n")
	predictions := []bench.Prediction{
		{InstanceID: victim, Model: "honest", Task: "bugfix", Patch: inst.Patch},
		{InstanceID: victim, Model: "idle", Task: "bugfix", Patch: idle},
	}
	for _, c := range []struct {
		name         string
		change       func(*bench.Instance)
		honest, idle bench.Verdict
		reason       string
		leftOut      []string
	}{
		{"sound", func(*bench.Instance) {}, bench.Resolved, bench.Unresolved, "", nil},
		{
			"a module is missing", func(in *bench.Instance) {
				in.TestPatch += string(patch.Between("tests/test_extra.py", nil, []byte("import absent_module\n\n\ndef test_extra():\n    pass\n")))
				in.FailToPass = append(in.FailToPass, "tests/test_extra.py::test_extra")
			}, bench.HarnessError, bench.HarnessError, "absent_module", nil,
		},
		{
			"a test needs what the sandbox has not", func(in *bench.Instance) {
				in.TestPatch += string(patch.Between("tests/test_net.py", nil, []byte("def test_net():\n    raise OSError('no network')\n")))
				in.PassToPass = append(in.PassToPass, "tests/test_net.py::test_net")
			}, bench.Resolved, bench.Unresolved, "", []string{"tests/test_net.py::test_net"},
		},
		{
			"an id names a file without tests", func(in *bench.Instance) {
				in.TestPatch += string(patch.Between("tests/ci.yml", nil, []byte("on: push\n")))
				in.FailToPass = append(in.FailToPass, "tests/ci.yml")
			}, bench.Resolved, bench.Unresolved, "", nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := inst
			c.change(&changed)
			other := w
			other.paths.Dataset = filepath.Join(t.TempDir(), "one.jsonl")
			writeLines(t, other.paths.Dataset, []bench.Instance{changed})
			results := other.judge(t, predictions)
			require.Equal(t, c.honest, results["honest"].Verdict, results["honest"].Reason)
			require.Equal(t, c.idle, results["idle"].Verdict, results["idle"].Reason)
			require.Contains(t, results["idle"].Reason, c.reason)
			if c.honest == bench.Resolved {
				require.Equal(t, c.leftOut, results["honest"].BugFix.LeftOut)
			}
		})
	}
}

// TestFlakyTestRunsAgain has a pass-to-pass test that fails in every first run
// of a file and passes when it runs on its own.
func TestFlakyTestRunsAgain(t *testing.T) {
	w := newWorld(t)
	inst, _ := w.sample(t, victim)
	text := "import sys\n\n\ndef test_other():\n    global ran\n    ran = True\n\n\ndef test_moody():\n    assert 'ran' not in globals()\n"
	inst.TestPatch += string(patch.Between("tests/test_moody.py", nil, []byte(text)))
	inst.PassToPass = append(inst.PassToPass, "tests/test_moody.py::test_moody", "tests/test_moody.py::test_other")
	w.paths.Dataset = filepath.Join(t.TempDir(), "one.jsonl")
	writeLines(t, w.paths.Dataset, []bench.Instance{inst})
	r := w.judge(t, []bench.Prediction{{InstanceID: victim, Model: "honest", Task: "bugfix", Patch: inst.Patch}})["honest"]
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Contains(t, flagKinds(r), "flaky")
	require.Empty(t, r.BugFix.LeftOut)
}
