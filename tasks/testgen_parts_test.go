package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestTestGenNeeds: what test generation needs of an instance.
func TestTestGenNeeds(t *testing.T) {
	for want, spoil := range map[string]func(*bench.Instance){
		"its language, cobol, is not one whose tests assay can identify": func(i *bench.Instance) { i.Language = "cobol" },
		"it has no gold patch": func(i *bench.Instance) { i.Patch = "" },
		"it has no fail-to-pass tests to show which bad patches may judge": func(i *bench.Instance) { i.FailToPass = nil },
	} {
		inst := instance()
		spoil(inst)
		ts, err := TestGen{}.Build(inst)
		require.EqualError(t, err, want)
		require.Empty(t, ts)
	}
	bare := instance()
	bare.TestPatch = ""
	_, err := TestGen{}.Build(bare)
	require.Error(t, err)
	ts, err := TestGen{}.Build(instance())
	require.NoError(t, err)
	require.Equal(t, []Task{{Kind: "testgen", Instance: instance()}}, ts)
}

// TestBroken: which run voids a submission, and how.
func TestBroken(t *testing.T) {
	with := func(s bench.RunState, u *languages.UnappliedError) Outcome {
		return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: s, Detail: "detail"}, Unapplied: u}}
	}
	tests := &languages.UnappliedError{Tests: true}
	for name, c := range map[string]struct {
		run         string
		contributed bool
		o           Outcome
		want        bench.Verdict
		reason      string
	}{
		"tests do not apply, base":   {baseRun, true, with(bench.RunUnapplied, tests), bench.InvalidPatch, "on base: detail"},
		"tests do not apply, bad":    {"bad/1", true, with(bench.RunUnapplied, tests), bench.InvalidPatch, "on bad/1: detail"},
		"gold does not apply":        {goldRun, true, with(bench.RunUnapplied, &languages.UnappliedError{}), bench.HarnessError, "on gold: detail"},
		"base, without a reason":     {baseRun, true, with(bench.RunUnapplied, nil), bench.HarnessError, "on base: detail"},
		"a bad patch does not apply": {"bad/1", true, with(bench.RunUnapplied, &languages.UnappliedError{}), "", ""},
		"and nobody says why":        {"bad/1", true, with(bench.RunUnapplied, nil), "", ""},
		"done, but with a note":      {goldRun, true, with(bench.RunDone, tests), "", ""},
		"suspect on base":            {baseRun, true, with(bench.RunSuspect, nil), bench.Suspect, "on base: detail"},
		"suspect on a good variant":  {"good/0", true, with(bench.RunSuspect, nil), bench.Suspect, "on good/0: detail"},
		"suspect on a bad patch":     {"bad/0", true, with(bench.RunSuspect, nil), "", ""},
		"out of time on gold":        {goldRun, true, with(bench.RunTimeout, nil), bench.Timeout, "on gold: the tests did not end in time"},
		"out of time on base":        {baseRun, true, with(bench.RunTimeout, nil), "", ""},
		"hidden tests do not apply":  {hiddenBase, false, with(bench.RunUnapplied, tests), "", ""},
		"hidden tests are suspect":   {hiddenBase, false, with(bench.RunSuspect, nil), "", ""},
	} {
		v, reason := broken(c.run, c.contributed, Outcomes{c.run: c.o})
		require.Equal(t, c.want, v, name)
		require.Equal(t, c.reason, reason, name)
		v, _ = broken(c.run, c.contributed, Outcomes{})
		require.Empty(t, v, "%s, which did not run", name)
		settled := c.want != ""
		inst := instance(bench.LevelFailsF2P, bench.LevelFailsF2P)
		inst.GoodVariants = []bench.GoodVariant{{}}
		if c.o.State != bench.RunDone && settled {
			require.True(t, TestGen{}.Settled(Task{Instance: inst}, Outcomes{c.run: c.o}), name)
		}
	}
	// A run that voids all ends the plan, though its facts alone would not.
	inst := instance(bench.LevelFailsF2P)
	unapplied := with(bench.RunUnapplied, tests)
	require.True(t, TestGen{}.Settled(Task{Instance: inst}, Outcomes{"bad/0": unapplied}))
}

// TestIncompleteFacts: a question is answered when all of its runs were seen.
func TestIncompleteFacts(t *testing.T) {
	inst := instance(bench.LevelFailsF2P, "", bench.LevelFailsF2P)
	inst.GoodVariants = []bench.GoodVariant{{}, {}, {}}
	facts := func(seen Outcomes) *bench.TestGen { return TestGen{}.facts(inst, seen) }
	good := Outcomes{"good/0": ran(pass), "good/2": ran(pass)}
	require.Nil(t, facts(good).GoodPass, "one is not run")
	good["good/1"] = ran(pass)
	require.Equal(t, ptr(true), facts(good).GoodPass)

	bad := Outcomes{"bad/0": ran(fail), "bad/1": ran(fail), "bad/2": ran(fail)}
	g := facts(bad)
	require.Nil(t, g.AllBadFail, "the level of one is not known")
	require.Nil(t, g.PaperAllBadFail)
	require.Equal(t, []int{0, 2}, g.Eligible)
	bad[hiddenBase], bad["hidden/bad/1"] = hidden(fail, pass), hidden(pass, fail)
	g = facts(bad)
	require.Equal(t, ptr(true), g.AllBadFail)
	require.Equal(t, []int{0, 2}, g.Killed, "one that only breaks old tests is not eligible")
	require.Equal(t, []int{0, 1, 2}, g.KilledAll)
	delete(bad, "bad/0")
	g = facts(bad)
	require.Nil(t, g.AllBadFail, "one is not run")
	require.Nil(t, g.PaperAllBadFail)
	require.Equal(t, []int{0, 2}, g.Eligible)

	for level, want := range map[bench.Level]int{"": 2, bench.LevelFailsF2P: -1} {
		i := instance(bench.LevelFailsF2P, bench.LevelFailsF2P, level)
		require.Equal(t, want, firstUnmeasured(i))
	}
	require.Equal(t, []string{}, contributedIDs(Outcomes{goldRun: {}}))
}
