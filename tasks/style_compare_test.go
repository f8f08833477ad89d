package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/style"
)

// TestOnlyTheTasksRulesCount: findings by other rules are neither fixed nor
// new, though the linter reports them.
func TestOnlyTheTasksRulesCount(t *testing.T) {
	task := styleTask()
	other := finding("line-too-long", 3)
	base := linted(messy, append([]bench.Finding{other}, task.Style.Findings...)...)
	clean := linted("def f(x):\n    return x\n", finding("invalid-name", 1))
	r := Style{}.Judge(task, Style{}.Plan(task, bench.Prediction{Patch: goldPatch}), Outcomes{lintBase: base, lintSubmission: clean, heldHidden: hidden(pass, pass)})
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, []int{3, 3, 0}, []int{r.Style.Original, r.Style.Resolved, r.Style.New})
}

// TestCheatsAndFlags: cheats void the score and are stored with the
// figures; what is only informative is a flag. All of them do.
func TestCheatsAndFlags(t *testing.T) {
	task := styleTask()
	plan := Style{}.Plan(task, bench.Prediction{Patch: goldPatch})
	base := linted(messy, task.Style.Findings...)
	kinds := func(submitted Outcome) (cheats, told []string) {
		r := Style{}.Judge(task, plan, Outcomes{lintBase: base, lintSubmission: submitted, heldHidden: hidden(pass, pass)})
		require.NotNil(t, r.Style, r.Reason)
		return kindsOf(r.Style.Cheats), kindsOf(r.Flags)
	}
	cheats, told := kinds(linted("def f(x):\n    return x\n"))
	require.Empty(t, cheats)
	require.Empty(t, told)
	cheats, _ = kinds(linted(""))
	require.NotEmpty(t, cheats, "the file was emptied")
	cheats, _ = kinds(linted("# pylint: disable=all\nexec('import os')\n"))
	require.Contains(t, cheats, style.FlagSuppression)
	require.Contains(t, cheats, style.FlagEval)
	require.Greater(t, len(cheats), 1)
	cheats, told = kinds(linted("import  os\nimport re\n\n\ndef f(x):\n    y  =  1\n    return  x\n", task.Style.Findings...))
	require.Empty(t, cheats)
	require.Equal(t, []string{style.FlagReformat}, told)
}

// TestStyleRulesOf: a linter from outside assay counts by the task's own
// rules.
func TestStyleRulesOf(t *testing.T) {
	own := Style{}.rulesOf(&bench.StyleTask{Linter: "dice", Rules: bench.RuleSet{Names: []string{"six"}}})
	require.Equal(t, []any{"dice", []string{"six"}}, []any{own.Linter, own.Names})
	known := Style{}.rulesOf(&bench.StyleTask{Linter: "pylint"})
	require.Equal(t, "pylint", known.Linter)
	require.Contains(t, known.Names, "unused-import")
}

// TestStyleFilesAreSorted: each file once, for any submission.
func TestStyleFilesAreSorted(t *testing.T) {
	task := styleTask()
	s := *task.Style
	s.Files = []string{"lib/m.py", "lib/a.py"}
	task.Style = &s
	runs := Style{}.runs(task, "", []string{"lib/z.py", "lib/a.py", "lib/b.py", "x.txt"})
	require.Equal(t, []string{"lib/a.py", "lib/b.py", "lib/m.py", "lib/z.py"}, runs[0].Lint.Files)
	require.Equal(t, []string{"x.txt"}, runs[0].Lint.Watch)
	require.Equal(t, []string{"lib/m.py", "lib/a.py"}, s.Files, "the task stays as it is")
	ts, err := Style{}.Build(task.Instance)
	require.NoError(t, err)
	require.Equal(t, []string{"style", "4"}, []string{ts[0].Kind, ts[0].Part})
}

// TestGoldConflicts: only where gold itself is what does not fit.
func TestGoldConflicts(t *testing.T) {
	unfit := func(state bench.RunState, u *languages.UnappliedError) Outcome {
		return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: state}, Unapplied: u}}
	}
	for name, c := range map[string]struct {
		o    Outcome
		want bool
	}{
		"gold":             {unfit(bench.RunUnapplied, &languages.UnappliedError{}), true},
		"the submission":   {unfit(bench.RunUnapplied, &languages.UnappliedError{Start: true}), false},
		"the tests":        {unfit(bench.RunUnapplied, &languages.UnappliedError{Tests: true}), false},
		"nobody knows":     {unfit(bench.RunUnapplied, nil), false},
		"it ran":           {unfit(bench.RunDone, nil), false},
		"it ran, with one": {unfit(bench.RunDone, &languages.UnappliedError{}), false},
	} {
		require.Equal(t, c.want, goldConflicts(c.o), name)
	}
}

// TestFunctionNeedsBothRuns: the existing tests count only where they ran on
// base and on the submission, and ended on base.
func TestFunctionNeedsBothRuns(t *testing.T) {
	inst := instance()
	ok := did(bench.RunDone, test("a", pass), test("b", pass), test("c", fail))
	for name, seen := range map[string]Outcomes{
		"neither":           {},
		"base alone":        {heldBase: ok},
		"submission alone":  {heldSubmission: ok},
		"base crashed":      {heldBase: did(bench.RunCrashed, test("a", pass)), heldSubmission: ok},
		"base has no tests": {heldBase: did(bench.RunDone), heldSubmission: ok},
	} {
		held, _ := functionHeld(inst, seen)
		require.Nil(t, held, name)
	}
	for lost, o := range map[string]Outcome{"a": did(bench.RunDone, test("b", pass)), "b": did(bench.RunDone, test("a", pass), test("b", fail))} {
		held, why := functionHeld(inst, Outcomes{heldBase: ok, heldSubmission: o})
		require.False(t, *held, lost)
		require.Equal(t, "1 of 3 tests that pass on base no longer pass", why)
	}
	held, why := functionHeld(inst, Outcomes{heldBase: ok, heldSubmission: did(bench.RunDone, test("b", pass), test("a", bench.XPass))})
	require.True(t, *held)
	require.Empty(t, why)
}
