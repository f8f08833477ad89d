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
		require.Equal(t, c.want, *transitions(Outcomes{baseRun: c.base, goldRun: c.gold}), name)
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
		require.Equal(t, c.want, judge(c.patch, c.seen).Transitions, name)
	}
}
