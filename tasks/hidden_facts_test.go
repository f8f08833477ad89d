package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// cased is an instance whose published ids stand for several tests each.
func cased() *bench.Instance {
	return &bench.Instance{
		ID: "o__r-1", Language: "python", Patch: goldPatch, TestPatch: testPatch,
		FailToPass: []string{"tests/test_a.py::test_f", "tests/test_a.py::test_e"},
		PassToPass: []string{"tests/test_a.py::test_q", "tests/test_a.py::test_p"},
	}
}

func test(name string, s bench.Status) bench.Test {
	return bench.Test{ID: "tests/test_a.py::" + name, Status: s}
}

// did is a run of hidden tests that ended so.
func did(state bench.RunState, tests ...bench.Test) Outcome {
	return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: state, Detail: "detail", Tests: tests}}}
}

// TestHiddenTestsAreSplit: both lists, sorted; an id passes only if all of
// its cases do, in any order.
func TestHiddenTestsAreSplit(t *testing.T) {
	for name, c := range map[string]struct {
		tests            []bench.Test
		f2pOK, f2pFailed []string
		p2pOK, p2pFailed []string
	}{
		"all": {
			[]bench.Test{test("test_f", pass), test("test_e", pass), test("test_p", pass), test("test_q", pass)},
			[]string{"test_e", "test_f"}, nil, []string{"test_p", "test_q"}, nil,
		},
		"a case fails first": {
			[]bench.Test{test("test_f[1]", fail), test("test_f[2]", pass), test("test_e", pass), test("test_p", pass), test("test_q", pass)},
			[]string{"test_e"}, []string{"test_f"}, []string{"test_p", "test_q"}, nil,
		},
		"a case fails last": {
			[]bench.Test{test("test_f[1]", pass), test("test_f[2]", fail), test("test_e", pass), test("test_p", bench.XPass), test("test_q", bench.XFail)},
			[]string{"test_e"}, []string{"test_f"}, []string{"test_p", "test_q"}, nil,
		},
		"none ran": {nil, nil, []string{"test_e", "test_f"}, nil, []string{"test_p", "test_q"}},
		"every kind of trouble": {
			[]bench.Test{test("test_f", bench.Error), test("test_e", bench.Skipped), test("test_p", bench.Missing), test("test_q", fail)},
			nil, []string{"test_e", "test_f"}, nil, []string{"test_p", "test_q"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			full := func(names []string) []string {
				out := []string{}
				for _, n := range names {
					out = append(out, "tests/test_a.py::"+n)
				}
				return out
			}
			f2p, p2p := HiddenTests(cased(), did(bench.RunDone, c.tests...).Outcome)
			require.Equal(t, bench.TestSplit{Passed: full(c.f2pOK), Failed: full(c.f2pFailed)}, f2p)
			require.Equal(t, bench.TestSplit{Passed: full(c.p2pOK), Failed: full(c.p2pFailed)}, p2p)
		})
	}
}

// TestFailingTestsAreNamed: the tests that do not pass, with what was said
// about them, sorted; those that pass are not among them.
func TestFailingTestsAreNamed(t *testing.T) {
	o := did(bench.RunDone, test("test_q", fail), test("test_f[2]", fail), test("test_f[1]", pass), test("test_e", pass)).Outcome
	o.Said = map[string]string{"tests/test_a.py::test_f[2]": "1 != 2", "tests/test_a.py::test_q": "no", "tests/test_a.py::test_e": "chatter"}
	f2p, p2p := FailingTests(cased(), o)
	require.Equal(t, []bench.Test{{ID: "tests/test_a.py::test_f[2]", Status: fail, Message: "1 != 2"}}, f2p)
	require.Equal(t, []bench.Test{
		{ID: "tests/test_a.py::test_p", Status: bench.Missing},
		{ID: "tests/test_a.py::test_q", Status: fail, Message: "no"},
	}, p2p)
	f2p, p2p = FailingTests(cased(), did(bench.RunDone, test("test_q", pass), test("test_p", pass), test("test_f", pass), test("test_e", pass)).Outcome)
	require.Empty(t, f2p)
	require.Empty(t, p2p)
}

// TestResolvesNeedsAFix: nothing is resolved without a fail-to-pass test that
// passes, in a run that ended well.
func TestResolvesNeedsAFix(t *testing.T) {
	inst := instance()
	all := hidden(pass, pass).Outcome
	ok, why := Resolves(inst, all)
	require.True(t, ok)
	require.Empty(t, why)
	ok, why = Resolves(inst, hidden(fail, pass).Outcome)
	require.False(t, ok)
	require.Equal(t, "1 of 1 fail-to-pass and 0 of 1 pass-to-pass tests do not pass", why)
	ok, why = Resolves(inst, hidden(pass, fail).Outcome)
	require.False(t, ok)
	require.Equal(t, "0 of 1 fail-to-pass and 1 of 1 pass-to-pass tests do not pass", why)
	none := *inst
	none.FailToPass = nil
	ok, _ = Resolves(&none, all)
	require.False(t, ok)
	for _, s := range []bench.RunState{bench.RunCrashed, bench.RunTimeout, bench.RunLimit, bench.RunSuspect, bench.RunUnbuilt, bench.RunUnapplied, bench.RunInfra} {
		cut := all
		cut.State, cut.Detail = s, "it ended so"
		ok, why := Resolves(inst, cut)
		require.False(t, ok, s)
		require.Contains(t, why, string(s)+": it ended so")
	}
}

// TestBugFixFacts: what a result says in addition to the verdict.
func TestBugFixFacts(t *testing.T) {
	unapplied := func(u *languages.UnappliedError) Outcome {
		o := did(bench.RunUnapplied)
		o.Unapplied = u
		return o
	}
	for name, c := range map[string]struct {
		seen    Outcome
		verdict bench.Verdict
		reason  string
		facts   bool
	}{
		"resolved":          {hidden(pass, pass), bench.Resolved, "", true},
		"unresolved":        {hidden(fail, pass), bench.Unresolved, "1 of 1 fail-to-pass and 0 of 1 pass-to-pass tests do not pass", true},
		"unbuilt":           {did(bench.RunUnbuilt), bench.Unresolved, "1 of 1 fail-to-pass and 1 of 1 pass-to-pass tests do not pass (unbuilt: detail)", true},
		"timeout":           {did(bench.RunTimeout), bench.Timeout, "the tests did not end in time", true},
		"suspect":           {did(bench.RunSuspect), bench.Suspect, "detail", true},
		"does not apply":    {unapplied(&languages.UnappliedError{}), bench.InvalidPatch, "detail", false},
		"nor do its tests":  {unapplied(&languages.UnappliedError{Tests: true}), bench.HarnessError, "detail", false},
		"nor its start":     {unapplied(&languages.UnappliedError{Start: true}), bench.HarnessError, "detail", false},
		"and nobody is why": {unapplied(nil), bench.InvalidPatch, "detail", false},
	} {
		t.Run(name, func(t *testing.T) {
			task := Task{Kind: "bugfix", Instance: instance()}
			plan := BugFix{}.Plan(task, bench.Prediction{Patch: goldPatch})
			c.seen.Name = submissionRun
			r := BugFix{}.Judge(task, plan, Outcomes{submissionRun: c.seen})
			require.Equal(t, c.verdict, r.Verdict)
			require.Equal(t, c.reason, r.Reason)
			require.Equal(t, c.facts, r.BugFix != nil)
			require.Equal(t, []bench.Run{c.seen.Run}, r.Runs)
			if c.facts {
				f2p, p2p := HiddenTests(task.Instance, c.seen.Outcome)
				require.Equal(t, &bench.BugFix{FailToPass: f2p, PassToPass: p2p}, r.BugFix)
			}
		})
	}
}

func TestBugFixBuild(t *testing.T) {
	ts, err := BugFix{}.Build(instance())
	require.NoError(t, err)
	require.Equal(t, []Task{{Kind: "bugfix", Instance: instance()}}, ts)
	require.Equal(t, "bugfix/o__r-1", ts[0].ID())
	for want, spoil := range map[string]func(*bench.Instance){
		"it has no test patch":  func(i *bench.Instance) { i.TestPatch = "" },
		"FAIL_TO_PASS is empty": func(i *bench.Instance) { i.FailToPass = nil },
	} {
		inst := instance()
		spoil(inst)
		ts, err := BugFix{}.Build(inst)
		require.EqualError(t, err, want)
		require.Empty(t, ts)
	}
}

// TestRunsAreRecorded: in the order of the plan, and those that were left out
// as skipped.
func TestRunsAreRecorded(t *testing.T) {
	run := func(name string) Run { return Run{Variant: languages.Variant{Name: name}} }
	b := bench.Run{Name: "b", State: bench.RunDone, ExitCode: 1}
	got := Record(Plan{Runs: []Run{run("a"), run("b")}}, Outcomes{"b": {Outcome: languages.Outcome{Run: b}}, "c": {}})
	require.Equal(t, []bench.Run{{Name: "a", State: bench.RunSkipped}, b}, got)
}

func TestTaskNames(t *testing.T) {
	require.Equal(t, "i", PartName("i", ""))
	require.Equal(t, "i_3", PartName("i", "3"))
	task := Task{Kind: "style", Instance: &bench.Instance{ID: "i"}, Part: "3"}
	require.Equal(t, "i_3", task.Name())
	require.Equal(t, "style/i_3", task.ID())
}

// TestPassedAndFailed: outcomes that show nothing are neither.
func TestPassedAndFailed(t *testing.T) {
	for name, c := range map[string]struct {
		o              Outcome
		passed, failed bool
	}{
		"all pass":              {did(bench.RunDone, test("a", pass), test("b", bench.XFail)), true, false},
		"none ran":              {did(bench.RunDone), false, false},
		"one fails":             {did(bench.RunDone, test("a", pass), test("b", fail)), false, true},
		"one errs":              {did(bench.RunDone, test("a", bench.Error), test("b", pass)), false, true},
		"one is skipped":        {did(bench.RunDone, test("a", bench.Skipped), test("b", pass)), false, false},
		"one is missing":        {did(bench.RunDone, test("a", pass), test("b", bench.Missing)), false, false},
		"unbuilt":               {did(bench.RunUnbuilt), false, true},
		"suspect, all pass":     {did(bench.RunSuspect, test("a", pass)), false, false},
		"out of memory, passed": {did(bench.RunLimit, test("a", pass)), false, false},
		"not applied":           {did(bench.RunUnapplied), false, false},
	} {
		require.Equal(t, c.passed, Passed(c.o.Outcome), name)
		require.Equal(t, c.failed, failed(c.o), name)
	}
	for _, s := range []bench.RunState{bench.RunCrashed, bench.RunTimeout} {
		require.False(t, Passed(did(s, test("a", pass)).Outcome), s)
		require.True(t, failed(did(s)), s)
	}
}

// TestLevelsOfEveryState: what a bad patch is, from how its run ended.
func TestLevelsOfEveryState(t *testing.T) {
	base := hidden(fail, pass).Outcome
	say := func(o Outcome, text string) languages.Outcome {
		o.Said = map[string]string{"tests/test_a.py::test_f": text}
		return o.Outcome
	}
	for name, c := range map[string]struct {
		bad, base languages.Outcome
		want      bench.Level
	}{
		"the machine":                          {ended(bench.RunInfra).Outcome, base, bench.LevelUndecided},
		"hangs":                                {ended(bench.RunTimeout).Outcome, base, bench.LevelFailsF2P},
		"crashes, and all is reported":         {did(bench.RunCrashed, hidden(pass, pass).Tests...).Outcome, base, bench.LevelPassesAll},
		"fails as base, in words":              {say(hidden(fail, pass), "1 != 2"), say(hidden(fail, pass), "1 != 2"), bench.LevelLikeBase},
		"fails otherwise, in words":            {say(hidden(fail, pass), "1 != 3"), say(hidden(fail, pass), "1 != 2"), bench.LevelFailsF2P},
		"fails as base, by a crash":            {did(bench.RunCrashed, hidden(fail, pass).Tests...).Outcome, base, bench.LevelFailsF2P},
		"fails the same, and an old test":      {hidden(fail, fail).Outcome, base, bench.LevelFailsF2P},
		"fails old tests only, as base does":   {hidden(pass, fail).Outcome, hidden(pass, fail).Outcome, bench.LevelLikeBase},
		"fails old tests only, base does more": {hidden(pass, fail).Outcome, hidden(fail, fail).Outcome, bench.LevelBreaksP2P},
	} {
		require.Equal(t, c.want, LevelOf(instance(), c.bad, c.base), name)
	}
	for level, want := range map[bench.Level]bool{
		bench.LevelFailsF2P: true, bench.LevelLikeBase: true, bench.LevelBreaksP2P: false, bench.LevelPassesAll: false,
		bench.LevelUnapplied: false, bench.LevelUnbuilt: false, bench.LevelUndecided: false, bench.LevelUnmeasured: false,
	} {
		require.Equal(t, want, Eligible(level), level)
	}
}
