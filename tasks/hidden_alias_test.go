package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestSilentCommands: where a command prints failures only, ended and was
// read from what it printed, a test that it does not name passed.
func TestSilentCommands(t *testing.T) {
	for name, c := range map[string]struct {
		eval    bench.EvalType
		printed bool
		state   bench.RunState
		want    bool
	}{
		"all of it":        {bench.EvalFailOnly, true, bench.RunDone, true},
		"not failures":     {bench.EvalPassAndFail, true, bench.RunDone, false},
		"not printed":      {bench.EvalFailOnly, false, bench.RunDone, false},
		"cut":              {bench.EvalFailOnly, true, bench.RunTimeout, false},
		"unlike any":       {"", true, bench.RunDone, false},
		"printed, nothing": {"", false, bench.RunDone, false},
	} {
		inst := instance()
		inst.EvalType = c.eval
		o := languages.Outcome{Printed: c.printed, Run: bench.Run{State: c.state, Tests: []bench.Test{test("test_p", fail)}}}
		f2p, p2p := HiddenTests(inst, o)
		require.Equal(t, c.want, len(f2p.Passed) == 1, name)
		skipped := o
		skipped.Tests = []bench.Test{test("test_f", bench.Skipped)}
		notRun, _ := HiddenTests(inst, skipped)
		require.Empty(t, notRun.Passed, "%s: one that is named as skipped did not pass", name)
		require.Empty(t, p2p.Passed, "%s: one that is named failed", name)
	}
}

// TestAliases: what a log parser calls a test is before what ids are
// otherwise read as.
func TestAliases(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"first line (a.B)", " second "}, PassToPass: bench.TestIDs{"tests/test_a.py::x", "none of them"}}
	o := outcomeOf(bench.RunDone,
		bench.Test{ID: "a.B::t", Alias: "first line (a.B)", Status: pass}, bench.Test{ID: "a.B::u", Alias: "second", Status: pass},
		bench.Test{ID: "tests/test_a.py::x", Status: fail}, bench.Test{ID: "a.B::w", Alias: "tests/test_a.py::x", Status: pass}, bench.Test{ID: "a.B::z", Status: pass})
	f2p, p2p := HiddenTests(inst, o)
	require.ElementsMatch(t, []string{"first line (a.B)", " second "}, f2p.Passed)
	require.Equal(t, bench.TestSplit{Passed: []string{"tests/test_a.py::x"}, Failed: []string{"none of them"}}, p2p)
	o.Tests[1].Status = fail
	o.Tests = append(o.Tests, bench.Test{ID: "a.B::v", Alias: "second", Status: pass})
	f2p, _ = HiddenTests(inst, o)
	require.Equal(t, []string{" second "}, f2p.Failed, "all tests of that name must pass")
	failing, _ := FailingTests(inst, o)
	require.Equal(t, "a.B::u", failing[0].ID)
}

// TestPartsOfAListDecide: one of several tests that fail is enough, in either
// list, even if the others pass.
func TestPartsOfAListDecide(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::f", "tests/test_a.py::g"}, PassToPass: bench.TestIDs{"tests/test_a.py::p", "tests/test_a.py::q"}}
	run := func(f, g, p, q bench.Status) languages.Outcome {
		return outcomeOf(bench.RunDone, python("f", f), python("g", g), python("p", p), python("q", q))
	}
	for name, c := range map[string]struct {
		o   languages.Outcome
		ok  bool
		why string
	}{
		"all":            {run(pass, pass, pass, pass), true, ""},
		"half a fix":     {run(pass, fail, pass, pass), false, "1 of 2 fail-to-pass and 0 of 2 pass-to-pass tests do not pass"},
		"the other half": {run(fail, pass, pass, pass), false, "1 of 2 fail-to-pass and 0 of 2 pass-to-pass tests do not pass"},
		"one is lost":    {run(pass, pass, pass, fail), false, "0 of 2 fail-to-pass and 1 of 2 pass-to-pass tests do not pass"},
		"both and one":   {run(fail, fail, fail, pass), false, "2 of 2 fail-to-pass and 1 of 2 pass-to-pass tests do not pass"},
	} {
		ok, why := Resolves(inst, c.o)
		require.Equal(t, c.ok, ok, name)
		require.Equal(t, c.why, why, name)
	}
	base := run(fail, fail, pass, pass)
	for name, c := range map[string]struct {
		bad  languages.Outcome
		want bench.Level
	}{
		"like base":            {run(fail, fail, pass, pass), bench.LevelLikeBase},
		"half of base":         {run(fail, pass, pass, pass), bench.LevelFailsF2P},
		"base and an old test": {run(fail, fail, pass, fail), bench.LevelFailsF2P},
		"another old test":     {run(pass, pass, fail, pass), bench.LevelBreaksP2P},
	} {
		require.Equal(t, c.want, LevelOf(inst, c.bad, base), name)
	}
	require.Equal(t, bench.LevelFailsF2P, LevelOf(inst, run(fail, fail, fail, pass), run(fail, fail, pass, fail)), "other old tests than base")
	require.Equal(t, bench.LevelFailsF2P, LevelOf(inst, run(fail, pass, pass, pass), run(pass, fail, pass, pass)), "another new test than base")
}

// TestFailingTestsAreSorted: by id, for any order of the lists.
func TestFailingTestsAreSorted(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::c", "tests/test_a.py::a", "tests/test_a.py::d", "tests/test_a.py::b"}}
	failing, _ := FailingTests(inst, outcomeOf(bench.RunDone, python("d", fail), python("b", fail)))
	var ids []string
	for _, f := range failing {
		ids = append(ids, f.ID[len("tests/test_a.py::"):]+" "+string(f.Status))
	}
	require.Equal(t, []string{"a missing", "b failed", "c missing", "d failed"}, ids)
}
