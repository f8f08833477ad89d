package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestBugFixVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		seen Outcome
		want bench.Verdict
	}{
		"all pass":                  {hidden(pass, pass), bench.Resolved},
		"expected failure":          {hidden(bench.XFail, pass), bench.Resolved},
		"F2P fails":                 {hidden(fail, pass), bench.Unresolved},
		"P2P fails":                 {hidden(pass, fail), bench.Unresolved},
		"F2P skipped":               {hidden(bench.Skipped, pass), bench.Unresolved},
		"P2P skipped":               {hidden(pass, bench.Skipped), bench.Unresolved},
		"nothing ran":               {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnbuilt}}}, bench.Unresolved},
		"crashed":                   {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunCrashed, Tests: hidden(pass, pass).Tests}}}, bench.Unresolved},
		"out of memory":             {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunLimit}}}, bench.Unresolved},
		"timeout":                   {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunTimeout}}}, bench.Timeout},
		"suspect":                   {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunSuspect, Tests: hidden(pass, pass).Tests}}}, bench.Suspect},
		"does not apply":            {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: &languages.UnappliedError{}}}, bench.InvalidPatch},
		"hidden tests do not apply": {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: &languages.UnappliedError{Tests: true}}}, bench.HarnessError},
	} {
		t.Run(name, func(t *testing.T) {
			kind, task := BugFix{}, Task{Kind: "bugfix", Instance: instance()}
			plan := kind.Plan(task, bench.Prediction{Patch: goldPatch})
			require.Len(t, plan.Runs, 1)
			require.False(t, kind.Settled(task, Outcomes{}))
			r := kind.Judge(task, plan, Outcomes{"submission": c.seen})
			require.Equal(t, c.want, r.Verdict, r.Reason)
		})
	}
}

func TestBugFixPlan(t *testing.T) {
	const (
		conftest = "--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+import os\n"
		outside  = "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"
		pyproj   = "--- a/pyproject.toml\n+++ b/pyproject.toml\n@@ -1 +1 @@\n-a\n+b\n"
		broken   = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ what @@\n"
	)
	for name, c := range map[string]struct {
		patch string
		early bench.Verdict
		flags []string
	}{
		"empty":             {"", bench.EmptyPatch, nil},
		"blank":             {" \n\n", bench.EmptyPatch, nil},
		"tests only":        {testPatch, bench.Unresolved, []string{"test_hunks"}},
		"conftest only":     {conftest, bench.Unresolved, []string{"runner_files"}},
		"leaves the tree":   {outside, bench.InvalidPatch, []string{"unsafe_path"}},
		"does not parse":    {broken, bench.InvalidPatch, nil},
		"fix":               {goldPatch, "", nil},
		"fix and the rest":  {goldPatch + testPatch + conftest, "", []string{"runner_files", "test_hunks"}},
		"fix and the build": {goldPatch + pyproj, "", []string{"build_files"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan := BugFix{}.Plan(Task{Kind: "bugfix", Instance: instance()}, bench.Prediction{Patch: c.patch})
			require.Equal(t, c.early, plan.Early, plan.Reason)
			var kinds []string
			for _, f := range plan.Flags {
				kinds = append(kinds, f.Kind)
			}
			require.Equal(t, c.flags, kinds)
			for _, r := range plan.Runs {
				require.NotContains(t, r.Code, "conftest")
				require.NotContains(t, r.Code, "test_a.py")
			}
		})
	}
}

func TestGoldPathsAreSource(t *testing.T) {
	inst := instance()
	inst.Patch = "--- a/tests/helper.py\n+++ b/tests/helper.py\n@@ -1 +1 @@\n-bug\n+fix\n"
	require.True(t, languages.IsTest(Task{Instance: instance()}.Language(), "tests/helper.py"), "else it would be source without gold")
	plan := BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: inst.Patch})
	require.Len(t, plan.Runs, 1)
	require.Contains(t, plan.Runs[0].Code, "tests/helper.py")
}

func TestLevels(t *testing.T) {
	base := hidden(fail, pass)
	for name, c := range map[string]struct {
		bad      Outcome
		want     bench.Level
		eligible bool
	}{
		"does not apply": {ended(bench.RunUnapplied), bench.LevelUnapplied, false},
		"does not build": {ended(bench.RunUnbuilt), bench.LevelUnbuilt, false},
		"like base":      {hidden(fail, pass), bench.LevelLikeBase, true},
		"breaks P2P":     {hidden(pass, fail), bench.LevelBreaksP2P, false},
		"fails both":     {hidden(fail, fail), bench.LevelFailsF2P, true},
		"passes all":     {hidden(pass, pass), bench.LevelPassesAll, false},
		"suspect":        {ended(bench.RunSuspect), bench.LevelUndecided, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := LevelOf(instance(), c.bad.Outcome, base.Outcome)
			require.Equal(t, c.want, got)
			require.Equal(t, c.eligible, Eligible(got))
		})
	}
}

func TestRegistry(t *testing.T) {
	r := Default(nil, nil)
	require.Equal(t, []string{"bugfix", "testgen", "review", "style"}, r.Names())
	require.ErrorContains(t, r.Register(BugFix{}), "registered already")
	_, err := r.Lookup("nothing")
	require.ErrorContains(t, err, "known: bugfix, testgen, review, style")
}
