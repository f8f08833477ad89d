package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

func TestTestGenBuild(t *testing.T) {
	ts, err := TestGen{}.Build(instance())
	require.NoError(t, err)
	require.Equal(t, []Task{{Kind: "testgen", Instance: instance()}}, ts)
	for name, spoil := range map[string]func(*bench.Instance){
		"it has no gold patch": func(i *bench.Instance) { i.Patch = "" },
		"it has no fail-to-pass tests to show which bad patches may judge": func(i *bench.Instance) { i.FailToPass = nil },
		"it has no fail-to-pass tests to show":                             func(i *bench.Instance) { i.TestPatch = "" },
	} {
		inst := instance()
		spoil(inst)
		_, err := TestGen{}.Build(inst)
		require.ErrorContains(t, err, name)
	}
}

// TestTestGenRuns: what each run applies, and that only the code of a bad
// patch is applied.
func TestTestGenRuns(t *testing.T) {
	const fixture = "--- /dev/null\n+++ b/tests/conftest.py\n@@ -0,0 +1 @@\n+import pytest\n"
	inst := instance(bench.LevelFailsF2P, bench.LevelUnmeasured, bench.LevelUnmeasured)
	for i := range inst.BadPatches {
		inst.BadPatches[i].Index = 10 + i
		inst.BadPatches[i].Patch += testPatch
	}
	inst.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}, {Patch: badPatch}}
	plan := TestGen{}.Plan(Task{Instance: inst}, bench.Prediction{Patch: testPatch + fixture})
	require.Empty(t, plan.Early)
	require.Equal(t, []bench.Flag{{Kind: "fixtures", Path: "tests/conftest.py", Detail: "it acts on the test runner"}}, plan.Flags)
	type row struct{ name, code string }
	var got []row
	for _, r := range plan.Runs {
		got = append(got, row{r.Name, r.Code})
		ours := r.Name[0] != 'h'
		require.Equal(t, ours, r.Contributed, r.Name)
		if ours {
			require.ElementsMatch(t, []string{"tests/test_a.py", "tests/conftest.py"}, patch.PathsIn(r.Tests), r.Name)
		} else {
			require.Equal(t, inst.TestPatch, r.Tests)
		}
	}
	half := CodeOf(Task{Instance: inst}, badPatch)
	require.Equal(t, []row{
		{"base", ""}, {"gold", goldPatch}, {"good/0", goldPatch}, {"good/1", badPatch}, {"bad/10", half},
		{"hidden/base", ""}, {"hidden/bad/11", half}, {"bad/11", half}, {"hidden/bad/12", half}, {"bad/12", half},
	}, got)
	require.Equal(t, []string{"lib/a.py"}, patch.PathsIn(half))
}

func TestTestGenPlans(t *testing.T) {
	task := Task{Instance: instance()}
	for name, c := range map[string]struct {
		patch  string
		early  bench.Verdict
		reason string
	}{
		"empty":          {"", bench.EmptyPatch, "the patch is empty"},
		"code only":      {goldPatch, bench.Unresolved, "the patch changes no test"},
		"runner only":    {edits("tox.ini"), bench.Unresolved, "the patch changes no test"},
		"does not parse": {"--- a/x\n+++ b/x\n@@ what\n", bench.InvalidPatch, ""},
		"tests":          {testPatch, "", ""},
	} {
		plan := TestGen{}.Plan(task, bench.Prediction{Patch: c.patch})
		require.Equal(t, c.early, plan.Early, name)
		require.Contains(t, plan.Reason, c.reason, name)
	}
}

// TestTestGenBroken: what voids a submission as a whole, and what does not.
func TestTestGenBroken(t *testing.T) {
	unapplied := func(tests bool) Outcome {
		o := ended(bench.RunUnapplied)
		o.Unapplied = &languages.UnappliedError{Tests: tests}
		return o
	}
	good := func(more Outcomes) Outcomes {
		seen := Outcomes{baseRun: ran(fail), goldRun: ran(pass), "good/0": ran(pass), "bad/0": ran(fail)}
		for k, v := range more {
			seen[k] = v
		}
		return seen
	}
	for name, c := range map[string]struct {
		more   Outcomes
		want   bench.Verdict
		reason string
	}{
		"nothing":                              {nil, bench.Resolved, ""},
		"tests do not apply on base":           {Outcomes{baseRun: unapplied(true)}, bench.InvalidPatch, "on base: detail"},
		"tests do not apply on gold":           {Outcomes{goldRun: unapplied(true)}, bench.InvalidPatch, "on gold: detail"},
		"tests do not apply on a bad patch":    {Outcomes{"bad/0": unapplied(true)}, bench.InvalidPatch, "on bad/0: detail"},
		"gold does not apply":                  {Outcomes{goldRun: unapplied(false)}, bench.HarnessError, "on gold: detail"},
		"base does not apply":                  {Outcomes{baseRun: unapplied(false)}, bench.HarnessError, "on base: detail"},
		"suspect on base":                      {Outcomes{baseRun: ended(bench.RunSuspect)}, bench.Suspect, "on base: detail"},
		"suspect on a good variant":            {Outcomes{"good/0": ended(bench.RunSuspect)}, bench.Suspect, "on good/0: detail"},
		"hangs on gold":                        {Outcomes{goldRun: ended(bench.RunTimeout)}, bench.Timeout, "on gold: the tests did not end in time"},
		"hangs on base: that is a failure":     {Outcomes{baseRun: ended(bench.RunTimeout)}, bench.Resolved, ""},
		"hangs on a good variant":              {Outcomes{"good/0": ended(bench.RunTimeout)}, bench.Unresolved, "its tests fail on a rewrite"},
		"skipped on a good variant":            {Outcomes{"good/0": ran(bench.Skipped)}, bench.Unresolved, "its tests fail on a rewrite"},
		"a bad patch does not apply: no proof": {Outcomes{"bad/0": unapplied(false)}, bench.Unresolved, "its tests fail on 0 of 1 eligible bad patches"},
	} {
		t.Run(name, func(t *testing.T) {
			inst := instance(bench.LevelFailsF2P)
			inst.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}}
			task := Task{Kind: "testgen", Instance: inst}
			plan := TestGen{}.Plan(task, bench.Prediction{Patch: testPatch})
			seen := good(c.more)
			r := TestGen{}.Judge(task, plan, seen)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			require.Contains(t, r.Reason, c.reason)
			require.Equal(t, c.want != bench.Resolved, TestGen{}.Settled(task, seen))
			require.NotNil(t, r.TestGen)
			require.Len(t, r.Runs, 4)
		})
	}
}

// TestHiddenRunsVoidNothing: failures in runs that are not the submission's
// do not affect it.
func TestHiddenRunsVoidNothing(t *testing.T) {
	task := Task{Kind: "testgen", Instance: instance("")}
	odd := ended(bench.RunSuspect)
	odd.Contributed = nil
	seen := Outcomes{baseRun: ran(fail), goldRun: ran(pass), hiddenBase: hidden(fail, pass), "hidden/bad/0": odd, "bad/0": ran(pass)}
	r := TestGen{}.Judge(task, TestGen{}.Plan(task, bench.Prediction{Patch: testPatch}), seen)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, "no bad patch is eligible: judged by base, gold and good variants alone", r.Reason)
	require.Nil(t, r.TestGen.AllBadFail)
	require.False(t, TestGen{}.Settled(task, seen))
	delete(seen, hiddenBase)
	_, known := levelAt(task.Instance.BadPatches[0], task.Instance, seen)
	require.False(t, known, "base must be known to tell what behaves like it")
	seen[hiddenBase] = hidden(fail, pass)
	delete(seen, "hidden/bad/0")
	_, known = levelAt(task.Instance.BadPatches[0], task.Instance, seen)
	require.False(t, known)
}

// TestTestGenFacts: the figures of a full run over bad patches of all levels.
func TestTestGenFacts(t *testing.T) {
	inst := instance(bench.LevelFailsF2P, bench.LevelBreaksP2P, bench.LevelLikeBase, bench.LevelUnbuilt, bench.LevelFailsF2P)
	for i := range inst.BadPatches {
		inst.BadPatches[i].Index = i + 3
	}
	task := Task{Kind: "testgen", Instance: inst}
	odd := ended(bench.RunSuspect)
	seen := Outcomes{
		baseRun: ran(fail, pass), goldRun: ran(pass, pass),
		"bad/3": ran(fail, pass), "bad/4": ran(pass, pass), "bad/5": ran(bench.Skipped, pass), "bad/6": ended(bench.RunUnbuilt), "bad/7": odd,
	}
	r := TestGen{}.Judge(task, TestGen{}.Plan(task, bench.Prediction{Patch: testPatch}), seen)
	g := r.TestGen
	require.Equal(t, []int{3, 5, 7}, g.Eligible)
	require.Equal(t, []int{3, 7}, g.Killed)
	require.Equal(t, []int{3, 5, 6, 7}, g.KilledAll)
	require.Equal(t, 5, g.BadPatches)
	require.Equal(t, ptr(true), g.FailsBase)
	require.Equal(t, ptr(true), g.PassesGold)
	require.Equal(t, ptr(false), g.AllBadFail)
	require.Equal(t, ptr(false), g.PaperAllBadFail)
	require.Nil(t, g.GoodPass)
	require.Equal(t, "its tests fail on 2 of 3 eligible bad patches", r.Reason)
	require.Equal(t, []string{"tests/test_a.py::test_a", "tests/test_a.py::test_b"}, g.Contributed)
	require.Equal(t, map[string]bench.Status{"tests/test_a.py::test_a": fail, "tests/test_a.py::test_b": pass}, g.Matrix["bad/3"])
	require.Len(t, g.Matrix, len(seen))
}

// TestTestGenReasons: each miss has its own reason, the first one counts.
func TestTestGenReasons(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	tests := []string{"t"}
	for name, c := range map[string]struct {
		g       bench.TestGen
		verdict bench.Verdict
		reason  string
	}{
		"no test":           {bench.TestGen{FailsBase: yes, PassesGold: yes, AllBadFail: yes}, bench.Unresolved, "the patch adds or changes no test"},
		"base not run":      {bench.TestGen{Contributed: tests, PassesGold: yes, AllBadFail: yes}, bench.Unresolved, "its tests do not fail on base"},
		"passes on base":    {bench.TestGen{Contributed: tests, FailsBase: no, PassesGold: yes, AllBadFail: yes}, bench.Unresolved, "its tests do not fail on base"},
		"gold not run":      {bench.TestGen{Contributed: tests, FailsBase: yes, AllBadFail: yes}, bench.Unresolved, "its tests do not pass on the gold patch"},
		"fails on gold":     {bench.TestGen{Contributed: tests, FailsBase: yes, PassesGold: no, AllBadFail: yes}, bench.Unresolved, "its tests do not pass on the gold patch"},
		"fails on good":     {bench.TestGen{Contributed: tests, FailsBase: yes, PassesGold: yes, GoodPass: no, AllBadFail: yes}, bench.Unresolved, "its tests fail on a rewrite of the gold patch that behaves the same"},
		"misses a bad one":  {bench.TestGen{Contributed: tests, FailsBase: yes, PassesGold: yes, GoodPass: yes, AllBadFail: no, Eligible: []int{1, 2}, Killed: []int{1}}, bench.Unresolved, "its tests fail on 1 of 2 eligible bad patches"},
		"none is eligible":  {bench.TestGen{Contributed: tests, FailsBase: yes, PassesGold: yes}, bench.Resolved, "no bad patch is eligible: judged by base, gold and good variants alone"},
		"all is as desired": {bench.TestGen{Contributed: tests, FailsBase: yes, PassesGold: yes, GoodPass: yes, AllBadFail: yes}, bench.Resolved, ""},
	} {
		verdict, reason := decide(&c.g)
		require.Equal(t, c.verdict, verdict, name)
		require.Equal(t, c.reason, reason, name)
	}
}

// TestSettledEarly: each miss ends the plan, and nothing else does.
func TestSettledEarly(t *testing.T) {
	inst := instance(bench.LevelFailsF2P, bench.LevelFailsF2P)
	inst.GoodVariants = []bench.GoodVariant{{}, {}}
	task := Task{Instance: inst}
	for name, c := range map[string]struct {
		seen Outcomes
		want bool
	}{
		"nothing yet":          {Outcomes{}, false},
		"fails on base":        {Outcomes{baseRun: ran(fail)}, false},
		"passes on gold":       {Outcomes{baseRun: ran(fail), goldRun: ran(pass)}, false},
		"one good variant":     {Outcomes{baseRun: ran(fail), goldRun: ran(pass), "good/0": ran(pass)}, false},
		"fails on the second":  {Outcomes{baseRun: ran(fail), goldRun: ran(pass), "good/0": ran(pass), "good/1": ran(fail)}, true},
		"kills the first":      {Outcomes{baseRun: ran(fail), goldRun: ran(pass), "bad/0": ran(fail)}, false},
		"survived by the last": {Outcomes{baseRun: ran(fail), goldRun: ran(pass), "bad/0": ran(fail), "bad/1": ran(pass)}, true},
		"kills all":            {Outcomes{baseRun: ran(fail), goldRun: ran(pass), "bad/0": ran(fail), "bad/1": ran(fail)}, false},
		"passes on base":       {Outcomes{baseRun: ran(pass)}, false},
		"and on gold":          {Outcomes{baseRun: ran(pass), goldRun: ran(pass)}, true},
		"fails on gold":        {Outcomes{goldRun: ran(fail)}, true},
	} {
		require.Equal(t, c.want, TestGen{}.Settled(task, c.seen), name)
	}
	// Half of the good variants decide nothing yet.
	g := TestGen{}.facts(inst, Outcomes{"good/0": ran(pass)})
	require.Nil(t, g.GoodPass)
	require.Equal(t, ptr(true), TestGen{}.facts(inst, Outcomes{"good/0": ran(pass), "good/1": ran(pass)}).GoodPass)
	require.Nil(t, g.AllBadFail)
	require.Nil(t, g.PaperAllBadFail)
	half := TestGen{}.facts(inst, Outcomes{"bad/0": ran(fail)})
	require.Nil(t, half.AllBadFail)
	require.Nil(t, half.PaperAllBadFail)
	require.Equal(t, []int{0}, half.Killed)
}

// TestContributedAreGolds: gold's run knows the most; base's stands in for it.
func TestContributedAreGolds(t *testing.T) {
	with := func(ids ...string) Outcome {
		return Outcome{Outcome: languages.Outcome{Contributed: ids}}
	}
	require.Equal(t, []string{"a", "b"}, contributedIDs(Outcomes{baseRun: with("c"), goldRun: with("b", "a")}))
	require.Equal(t, []string{"c"}, contributedIDs(Outcomes{baseRun: with("c"), goldRun: with()}))
	require.Equal(t, []string{"c"}, contributedIDs(Outcomes{baseRun: with("c")}))
	require.Equal(t, []string{}, contributedIDs(Outcomes{"bad/0": with("c")}))
	given := with("b", "a")
	contributedIDs(Outcomes{goldRun: given})
	require.Equal(t, []string{"b", "a"}, given.Contributed, "the run's record stays as it is")
	m := matrix(Outcomes{baseRun: ran(fail), hiddenBase: hidden(fail, pass)})
	require.Equal(t, map[string]map[string]bench.Status{baseRun: {"tests/test_a.py::test_a": fail}}, m, "hidden tests are none of the submission's")
}
