package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

const (
	goldPatch = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-bug\n+fix\n"
	testPatch = "--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1 +1,2 @@\n line\n+new\n"
	badPatch  = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-bug\n+half\n"
)

// instance has one fail-to-pass and one pass-to-pass test, and so many bad
// patches of these levels.
func instance(levels ...bench.Level) *bench.Instance {
	inst := &bench.Instance{
		ID: "o__r-1", Language: "python", Patch: goldPatch, TestPatch: testPatch,
		FailToPass: []string{"tests/test_a.py::test_f"}, PassToPass: []string{"tests/test_a.py::test_p"},
	}
	for i, l := range levels {
		inst.BadPatches = append(inst.BadPatches, bench.BadPatch{Index: i, Patch: badPatch, Level: l})
	}
	return inst
}

// ran is an outcome of contributed tests with these statuses.
func ran(statuses ...bench.Status) Outcome {
	o := languages.Outcome{Contributed: []string{}, Run: bench.Run{State: bench.RunDone}}
	for i, s := range statuses {
		id := "tests/test_a.py::test_" + string(rune('a'+i))
		o.Tests = append(o.Tests, bench.Test{ID: id, Status: s})
		o.Contributed = append(o.Contributed, id)
	}
	return Outcome{Outcome: o}
}

// hidden is an outcome of the hidden tests.
func hidden(f2p, p2p bench.Status) Outcome {
	return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunDone, Tests: []bench.Test{
		{ID: "tests/test_a.py::test_f", Status: f2p}, {ID: "tests/test_a.py::test_p", Status: p2p},
	}}}}
}

func ended(state bench.RunState) Outcome {
	return Outcome{Outcome: languages.Outcome{Contributed: []string{}, Run: bench.Run{State: state, Detail: "detail"}}}
}

// elsewhere is a run of contributed tests that others ended.
func elsewhere(state bench.RunState) Outcome {
	o := ended(state)
	o.Elsewhere = true
	return o
}

const (
	pass = bench.Passed
	fail = bench.Failed
)

func TestTestGenVerdicts(t *testing.T) {
	eligible := bench.LevelFailsF2P
	for name, c := range map[string]struct {
		inst    *bench.Instance
		seen    Outcomes
		want    bench.Verdict
		all     *bool
		paper   *bool
		settled bool
	}{
		"kills all": {
			instance(eligible, eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ran(fail), "bad/1": ran(fail)},
			bench.Resolved, ptr(true), ptr(true), false,
		},
		"one of its tests failing is enough to kill": {
			instance(eligible), Outcomes{"base": ran(fail, pass), "gold": ran(pass, pass), "bad/0": ran(pass, fail)},
			bench.Resolved, ptr(true), ptr(true), false,
		},
		"misses one": {
			instance(eligible, eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ran(fail), "bad/1": ran(pass)},
			bench.Unresolved, ptr(false), ptr(false), true,
		},
		"misses the first, the rest not run": {
			instance(eligible, eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ran(pass)},
			bench.Unresolved, ptr(false), ptr(false), true,
		},
		"a bad patch that breaks other tests only need not be killed": {
			instance(eligible, bench.LevelBreaksP2P), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ran(fail), "bad/1": ran(pass)},
			bench.Resolved, ptr(true), ptr(false), false,
		},
		"a bad patch that does not build is no proof": {
			instance(bench.LevelUnbuilt), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ended(bench.RunUnbuilt)},
			bench.Resolved, nil, ptr(true), false,
		},
		"no bad patches": {
			instance(), Outcomes{"base": ran(fail), "gold": ran(pass)},
			bench.Resolved, nil, nil, false,
		},
		"a bad patch on which it hangs is killed": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ended(bench.RunTimeout)},
			bench.Resolved, ptr(true), ptr(true), false,
		},
		"passes on base": {
			instance(eligible), Outcomes{"base": ran(pass), "gold": ran(pass)}, bench.Unresolved, nil, nil, true,
		},
		"passes on base, gold not run yet": {
			instance(eligible), Outcomes{"base": ran(pass)}, bench.Unresolved, nil, nil, false,
		},
		"passes on base, and hangs on gold": {
			instance(eligible), Outcomes{"base": ran(pass), "gold": ended(bench.RunTimeout)}, bench.Unresolved, nil, nil, true,
		},
		"passes on base, and is suspect on gold": {
			instance(eligible), Outcomes{"base": ran(pass), "gold": ended(bench.RunSuspect)}, bench.Unresolved, nil, nil, true,
		},
		"does not build on base": {
			instance(eligible), Outcomes{"base": ended(bench.RunUnbuilt), "gold": ran(pass), "bad/0": ran(fail)},
			bench.Resolved, ptr(true), ptr(true), false,
		},
		"fails on gold": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(fail)}, bench.Unresolved, nil, nil, true,
		},
		"skips on gold": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(bench.Skipped)}, bench.Unresolved, nil, nil, true,
		},
		"hangs on gold": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ended(bench.RunTimeout)}, bench.Timeout, nil, nil, true,
		},
		"tampered with the runner": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ended(bench.RunSuspect)}, bench.Suspect, nil, nil, true,
		},
		"is skipped on base": {
			instance(eligible), Outcomes{"base": ran(bench.Skipped), "gold": ran(pass), "bad/0": ran(bench.Skipped)},
			bench.Unresolved, ptr(false), nil, true,
		},
		"is not there on the bad patch": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ran(bench.Missing)},
			bench.Unresolved, ptr(false), ptr(true), true,
		},
		"runs out of memory on base": {
			instance(eligible), Outcomes{"base": ended(bench.RunLimit), "gold": ran(pass)},
			bench.Unresolved, nil, nil, true,
		},
		"a bad patch that makes the runner look odd is killed": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": ended(bench.RunSuspect)},
			bench.Resolved, ptr(true), ptr(true), false,
		},
		"old tests bring the runner down on the bad patch": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": elsewhere(bench.RunCrashed)},
			bench.Unresolved, ptr(false), ptr(true), true,
		},
		"old tests hang on the bad patch": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": elsewhere(bench.RunTimeout)},
			bench.Unresolved, ptr(false), ptr(true), true,
		},
		"old tests make the runner look odd on the bad patch": {
			instance(eligible), Outcomes{"base": ran(fail), "gold": ran(pass), "bad/0": elsewhere(bench.RunSuspect)},
			bench.Unresolved, ptr(false), ptr(true), true,
		},
		"old tests bring the runner down on base": {
			instance(eligible), Outcomes{"base": elsewhere(bench.RunCrashed), "gold": ran(pass)},
			bench.Unresolved, nil, nil, true,
		},
		"contributes nothing": {
			instance(eligible), Outcomes{"base": ran(), "gold": ran()}, bench.Unresolved, nil, nil, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			kind := TestGen{}
			task := Task{Kind: "testgen", Instance: c.inst}
			plan := kind.Plan(task, bench.Prediction{Patch: testPatch})
			require.Empty(t, plan.Early)
			r := kind.Judge(task, plan, c.seen)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			require.Equal(t, c.all, r.TestGen.AllBadFail, "all bad fail")
			if r.Verdict == bench.Resolved || c.paper != nil {
				require.Equal(t, c.paper, r.TestGen.PaperAllBadFail, "the paper's rule")
			}
			require.Equal(t, c.settled, kind.Settled(task, c.seen), "settled")
			require.Len(t, r.Runs, len(plan.Runs))
		})
	}
}

func TestTestGenMeasuresUnknownLevels(t *testing.T) {
	kind := TestGen{}
	task := Task{Kind: "testgen", Instance: instance("", "")}
	plan := kind.Plan(task, bench.Prediction{Patch: testPatch})
	var names []string
	for _, r := range plan.Runs {
		names = append(names, r.Name)
		require.Equal(t, r.Name[0] != 'h', r.Contributed, "%s: only runs of the submission's tests run contributed ones", r.Name)
	}
	require.Equal(t, []string{"base", "gold", "hidden/base", "hidden/bad/0", "bad/0", "hidden/bad/1", "bad/1"}, names)
	seen := Outcomes{
		"base": ran(fail), "gold": ran(pass), "hidden/base": hidden(fail, pass),
		"hidden/bad/0": hidden(pass, fail), "bad/0": ran(pass),
		"hidden/bad/1": hidden(fail, fail), "bad/1": ran(fail),
	}
	r := kind.Judge(task, plan, seen)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, []int{1}, r.TestGen.Eligible)
	require.Equal(t, []int{1}, r.TestGen.KilledAll)
	require.Equal(t, ptr(false), r.TestGen.PaperAllBadFail)
}

func TestTestGenGoodVariants(t *testing.T) {
	inst := instance(bench.LevelFailsF2P)
	inst.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}}
	kind, task := TestGen{}, Task{Kind: "testgen", Instance: inst}
	plan := kind.Plan(task, bench.Prediction{Patch: testPatch})
	seen := Outcomes{"base": ran(fail), "gold": ran(pass), "good/0": ran(fail)}
	require.True(t, kind.Settled(task, seen))
	r := kind.Judge(task, plan, seen)
	require.Equal(t, bench.Unresolved, r.Verdict)
	require.Equal(t, ptr(false), r.TestGen.GoodPass)
	seen["good/0"], seen["bad/0"] = ran(pass), ran(fail)
	r = kind.Judge(task, plan, seen)
	require.Equal(t, bench.Resolved, r.Verdict)
	require.Equal(t, ptr(true), r.TestGen.GoodPass)
}

func TestTestGenDropsWhatIsNoTest(t *testing.T) {
	task := Task{Kind: "testgen", Instance: instance()}
	plan := TestGen{}.Plan(task, bench.Prediction{Patch: testPatch + goldPatch})
	require.Empty(t, plan.Early)
	require.Equal(t, []bench.Flag{{Kind: "non_test_changes", Path: "lib/a.py", Detail: "left out: only tests count"}}, plan.Flags)
	for _, r := range plan.Runs {
		require.NotContains(t, r.Tests, "lib/a.py")
	}
	plan = TestGen{}.Plan(task, bench.Prediction{Patch: goldPatch})
	require.Equal(t, bench.Unresolved, plan.Early)
}
