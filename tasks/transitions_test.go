package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// of is a run of contributed tests with these statuses, by id.
func of(state bench.RunState, tests ...bench.Test) Outcome {
	o := languages.Outcome{Contributed: []string{}, Run: bench.Run{State: state, Tests: tests}}
	for _, t := range tests {
		o.Contributed = append(o.Contributed, t.ID)
	}
	return Outcome{Outcome: o}
}

// TestTransitions: each figure, with the statuses of the tests a, b, ... on base
// and on gold written by hand.
func TestTransitions(t *testing.T) {
	const (
		skip = bench.Skipped
		miss = bench.Missing
		errs = bench.Error
		xf   = bench.XFail
	)
	down := func(state bench.RunState, o Outcome) Outcome {
		o.State = state
		return o
	}
	row := func(figures string, m bench.Moves) bench.Transitions {
		has := func(c byte) bool {
			for i := range len(figures) {
				if figures[i] == c {
					return true
				}
			}
			return false
		}
		return bench.Transitions{Applies: true, FailToAny: has('x'), FailToPass: has('S'), PassToPass: has('p'), PassToFail: has('r'), AnyToFail: has('f'), Tests: m}
	}
	for name, c := range map[string]struct {
		base, gold Outcome
		want       bench.Transitions
	}{
		// x: fail to any, S: success, p: pass to pass, r: pass to fail, f: any to fail.
		"fails, then passes":                {ran(fail), ran(pass), row("xS", bench.Moves{FailToPass: 1})},
		"an error counts as a failure":      {ran(errs), ran(pass), row("xS", bench.Moves{FailToPass: 1})},
		"with one that always passes":       {ran(fail, pass), ran(pass, pass), row("xS", bench.Moves{FailToPass: 1, PassToPass: 1})},
		"with one that always fails":        {ran(fail, fail), ran(pass, fail), row("xf", bench.Moves{FailToPass: 1, FailToFail: 1})},
		"with one that gold breaks":         {ran(fail, pass), ran(pass, fail), row("xrf", bench.Moves{FailToPass: 1, PassToFail: 1})},
		"always fails":                      {ran(fail), ran(fail), row("xf", bench.Moves{FailToFail: 1})},
		"always passes":                     {ran(pass, pass), ran(pass, pass), row("p", bench.Moves{PassToPass: 2})},
		"gold breaks it":                    {ran(pass), ran(fail), row("rf", bench.Moves{PassToFail: 1})},
		"an expected failure passes":        {ran(xf), ran(pass), row("p", bench.Moves{PassToPass: 1})},
		"skipped on both sides":             {ran(skip), ran(skip), row("", bench.Moves{Other: 1})},
		"one of them is skipped":            {ran(fail, skip), ran(pass, skip), row("xS", bench.Moves{FailToPass: 1, Other: 1})},
		"skipped before":                    {ran(skip), ran(pass), row("", bench.Moves{Other: 1})},
		"skipped after":                     {ran(fail), ran(skip), row("x", bench.Moves{Other: 1})},
		"not there after":                   {ran(fail), ran(miss), row("x", bench.Moves{Other: 1})},
		"one of them is not there after":    {ran(fail, fail), ran(pass, miss), row("x", bench.Moves{FailToPass: 1, Other: 1})},
		"not there before":                  {ran(miss), ran(pass), row("", bench.Moves{Other: 1})},
		"does not build before":             {down(bench.RunUnbuilt, ran(miss, miss)), ran(pass, pass), row("xS", bench.Moves{FailToPass: 2})},
		"builds on neither side":            {ended(bench.RunUnbuilt), down(bench.RunUnbuilt, ran(miss)), row("xf", bench.Moves{FailToFail: 1})},
		"crashes before":                    {down(bench.RunCrashed, ran(miss, pass)), ran(pass, pass), row("xS", bench.Moves{FailToPass: 1, PassToPass: 1})},
		"hangs before":                      {ended(bench.RunTimeout), ran(pass), row("xS", bench.Moves{FailToPass: 1})},
		"hangs after":                       {ran(fail), ended(bench.RunTimeout), row("xf", bench.Moves{FailToFail: 1})},
		"other tests crash the runner":      {elsewhere(bench.RunCrashed), ran(pass), row("", bench.Moves{Other: 1})},
		"out of memory before":              {ended(bench.RunLimit), ran(pass), row("", bench.Moves{Other: 1})},
		"no test":                           {ran(), ran(), row("", bench.Moves{})},
		"cases of a file that did not load": {of(bench.RunDone, test("a::t", errs)), of(bench.RunDone, test("a::t[1]", pass), test("a::t[2]", pass)), row("xS", bench.Moves{FailToPass: 2})},
		"cases that gold does not have":     {of(bench.RunDone, test("t[1]", pass), test("t[2]", pass)), of(bench.RunDone, test("t[1]", pass)), row("p", bench.Moves{PassToPass: 1, Other: 1})},
		"a name that begins alike":          {of(bench.RunDone, test("t", fail), test("tx", pass)), of(bench.RunDone, test("t", pass), test("tx", pass)), row("xS", bench.Moves{FailToPass: 1, PassToPass: 1})},
	} {
		got := *transitions(Outcomes{baseRun: c.base, goldRun: c.gold})
		require.Equal(t, c.want.FailToAny, got.FailsBy != "", "%s: by what", name)
		got.FailsBy = ""
		require.Equal(t, c.want, got, name)
	}
}

// TestTransitionsOfAll: also of submissions that were not run, and of void ones;
// none where the verdict is not about the submission.
func TestTransitionsOfAll(t *testing.T) {
	judge := func(text string, seen Outcomes) bench.Result {
		task := Task{Kind: "testgen", Instance: instance(bench.LevelFailsF2P)}
		plan := TestGen{}.Plan(task, bench.Prediction{Patch: text})
		r := bench.Result{Verdict: plan.Early}
		if plan.Early == "" {
			r = TestGen{}.Judge(task, plan, seen)
		}
		TestGen{}.Complete(&r, task)
		return r
	}
	unapplied := func(tests bool) Outcome {
		o := ended(bench.RunUnapplied)
		o.Unapplied = &languages.UnappliedError{Tests: tests}
		return o
	}
	void := &bench.Transitions{}
	for name, c := range map[string]struct {
		patch string
		seen  Outcomes
		want  *bench.Transitions
	}{
		"empty":                   {"", nil, void},
		"no patch":                {"--- a/x\n+++ b/x\n@@ what\n", nil, void},
		"changes no test":         {goldPatch, nil, void},
		"does not apply":          {testPatch, Outcomes{baseRun: unapplied(true)}, void},
		"does not apply on gold":  {testPatch, Outcomes{baseRun: ran(fail), goldRun: unapplied(true)}, void},
		"suspect":                 {testPatch, Outcomes{baseRun: ended(bench.RunSuspect)}, &bench.Transitions{Applies: true}},
		"gold does not apply":     {testPatch, Outcomes{baseRun: ran(fail), goldRun: unapplied(false)}, nil},
		"hangs on gold":           {testPatch, Outcomes{baseRun: ran(fail), goldRun: ended(bench.RunTimeout)}, &bench.Transitions{Applies: true, FailToAny: true, AnyToFail: true, Tests: bench.Moves{FailToFail: 1}}},
		"adds no test":            {testPatch, Outcomes{baseRun: ran(), goldRun: ran()}, &bench.Transitions{Applies: true}},
		"misses a bad patch only": {testPatch, Outcomes{baseRun: ran(fail), goldRun: ran(pass), "bad/0": ran(pass)}, &bench.Transitions{Applies: true, FailToAny: true, FailToPass: true, Tests: bench.Moves{FailToPass: 1}}},
	} {
		got := judge(c.patch, c.seen).Transitions
		if got != nil {
			got.FailsBy = ""
		}
		require.Equal(t, c.want, got, name)
	}
}

// TestFailsBy: the strongest kind of failure of those tests that pass after
// gold, else of all that fail before it.
func TestFailsBy(t *testing.T) {
	python := languages.Default().Named("python")
	base := func(state bench.RunState, said map[string]string, statuses ...bench.Status) Outcome {
		o := ran(statuses...)
		o.State, o.Language, o.Said = state, python, map[string]string{}
		for name, text := range said {
			o.Said["tests/test_a.py::test_"+name] = text
		}
		return o
	}
	const (
		asserts = "assert 1 == 2\ndef test():\n>   assert 1 == 2\nE   assert 1 == 2"
		throws  = "ValueError: no\ndef test():\n>   f()\nE   ValueError: no"
		lacks   = "AttributeError: module 'a' has no attribute 'f'\ndef test():\n>   a.f()\nE   AttributeError: module 'a' has no attribute 'f'"
	)
	for name, c := range map[string]struct {
		base Outcome
		gold Outcome
		want bench.FailureKind
	}{
		"an assertion":                   {base(bench.RunDone, map[string]string{"a": asserts}, fail), ran(pass), bench.ByAssertion},
		"an exception":                   {base(bench.RunDone, map[string]string{"a": throws}, fail), ran(pass), bench.ByException},
		"a missing symbol only":          {base(bench.RunDone, map[string]string{"a": lacks}, fail), ran(pass), bench.ByMissing},
		"one of several by an assertion": {base(bench.RunDone, map[string]string{"a": lacks, "b": asserts}, fail, fail), ran(pass, pass), bench.ByAssertion},
		"but that one fails after, too":  {base(bench.RunDone, map[string]string{"a": lacks, "b": asserts}, fail, fail), ran(pass, fail), bench.ByMissing},
		"none passes after":              {base(bench.RunDone, map[string]string{"a": lacks, "b": throws}, fail, fail), ran(fail, fail), bench.ByException},
		"none fails before":              {base(bench.RunDone, nil, pass), ran(pass), ""},
		"hangs":                          {base(bench.RunTimeout, nil, bench.Missing), ran(pass), bench.ByTimeout},
		"crashes":                        {base(bench.RunCrashed, nil, bench.Missing), ran(pass), bench.ByCrash},
	} {
		seen := Outcomes{baseRun: c.base, goldRun: c.gold}
		require.Equal(t, c.want, transitions(seen).FailsBy, name)
		require.Equal(t, c.want != "", failures(seen) != nil, name)
	}
	both := Outcomes{baseRun: base(bench.RunDone, map[string]string{"a": lacks, "b": asserts}, fail, fail, pass), goldRun: ran(pass, pass, pass)}
	require.Equal(t, map[string]bench.FailureKind{"tests/test_a.py::test_a": bench.ByMissing, "tests/test_a.py::test_b": bench.ByAssertion}, failures(both))
}
