package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/style"
)

func TestStyleBuild(t *testing.T) {
	inst := styleTask().Instance
	_, err := Style{}.Build(&bench.Instance{})
	require.EqualError(t, err, "it has no style findings (assay build makes them)")
	for name, spoil := range map[string]func(*bench.StyleTask){
		"findings": func(s *bench.StyleTask) { s.Findings = nil },
		"files":    func(s *bench.StyleTask) { s.Files = nil },
	} {
		broken := *inst
		broken.Style = []bench.StyleTask{inst.Style[0], inst.Style[0]}
		spoil(&broken.Style[1])
		_, err := Style{}.Build(&broken)
		require.EqualError(t, err, "style[1]: it lists no findings", name)
	}
	own := *inst
	own.Style = []bench.StyleTask{inst.Style[0]}
	own.Style[0].MinScore, own.Style[0].MaxRemaining = ptr(0.1), ptr(7)
	ts, err := Style{}.Build(&own)
	require.NoError(t, err)
	require.Equal(t, []any{0.1, 7}, []any{*ts[0].Style.MinScore, *ts[0].Style.MaxRemaining}, "the task's own bounds stay")
	ts, err = Style{MinScore: ptr(0.2)}.Build(&own)
	require.NoError(t, err)
	require.Equal(t, []any{0.2, 7}, []any{*ts[0].Style.MinScore, *ts[0].Style.MaxRemaining})
	ts, err = Style{MaxRemaining: ptr(1)}.Build(&own)
	require.NoError(t, err)
	require.Equal(t, []any{0.1, 1}, []any{*ts[0].Style.MinScore, *ts[0].Style.MaxRemaining})
	require.Equal(t, 0.1, *own.Style[0].MinScore, "the instance stays as it is")
}

// TestStylePlanRuns: five runs at most, each on the right tree.
func TestStylePlanRuns(t *testing.T) {
	plan := func(spoil func(*bench.Instance)) []Run {
		task := styleTask()
		inst := *task.Instance
		spoil(&inst)
		task.Instance = &inst
		p := Style{}.Plan(task, bench.Prediction{Patch: goldPatch + edits("README.md")})
		require.Empty(t, p.Early)
		return p.Runs
	}
	runs := plan(func(*bench.Instance) {})
	code := runs[1].Code
	require.Equal(t, []string{"README.md", "lib/a.py"}, patch.PathsIn(code))
	lint := &Lint{Linter: "pylint", Rules: runs[0].Lint.Rules, Files: []string{"lib/a.py"}, Watch: []string{"README.md"}}
	require.Equal(t, []string{"bare-except", "unused-import", "unused-variable"}, lint.Rules.Names)
	require.Equal(t, []Run{
		{Variant: languages.Variant{Name: "lint/base"}, Lint: lint},
		{Variant: languages.Variant{Name: "lint/submission", Code: code}, Lint: lint},
		{Variant: languages.Variant{Name: "function/gold", Start: code, Code: goldPatch, Tests: testPatch}},
		{Variant: languages.Variant{Name: "function/base", Tests: testPatch, Existing: true}},
		{Variant: languages.Variant{Name: "function/submission", Code: code, Tests: testPatch, Existing: true}},
	}, runs)
	names := func(runs []Run) (out []string) {
		for _, r := range runs {
			out = append(out, r.Name)
		}
		return out
	}
	require.Contains(t, names(plan(func(i *bench.Instance) { i.FailToPass = nil })), heldHidden, "old tests are enough")
	require.Contains(t, names(plan(func(i *bench.Instance) { i.PassToPass = nil })), heldHidden, "new tests are enough")
	require.Equal(t, []string{lintBase, lintSubmission, heldBase, heldSubmission}, names(plan(func(i *bench.Instance) { i.FailToPass, i.PassToPass = nil, nil })))
	require.Equal(t, []string{lintBase, lintSubmission, heldHidden}, names(plan(func(i *bench.Instance) { i.TestPatch = "" })))
}

// TestStyleSplitsOff: configuration, tests and the runner's files are not
// code, and each is reported; what only linters read is a cheat.
func TestStyleSplitsOff(t *testing.T) {
	task := styleTask()
	p := Style{}.Plan(task, bench.Prediction{Patch: edits("lib/a.py", ".pylintrc", "setup.cfg", "tox.ini", "tests/test_a.py")})
	require.Empty(t, p.Early)
	require.Equal(t, []string{"lib/a.py"}, patch.PathsIn(p.Runs[1].Code))
	kinds := map[string][]string{}
	for _, f := range p.Flags {
		kinds[f.Path] = append(kinds[f.Path], f.Kind)
		require.NotEmpty(t, f.Detail)
	}
	require.Equal(t, []string{style.FlagConfig}, kinds[".pylintrc"])
	require.Contains(t, kinds["setup.cfg"], style.FlagBuildFile)
	require.Contains(t, kinds["tox.ini"], style.FlagBuildFile)
	require.Contains(t, kinds["tests/test_a.py"], "test_hunks")
	for name, c := range map[string]struct{ patch, reason string }{
		"configuration only": {edits(".pylintrc"), "the patch changes no code"},
		"tests only":         {testPatch, "the patch changes no code"},
		"runner's only":      {edits("conftest.py"), "the patch changes no code"},
	} {
		plan := Style{}.Plan(task, bench.Prediction{Patch: c.patch})
		require.Equal(t, bench.Unresolved, plan.Early, name)
		require.Equal(t, c.reason, plan.Reason, name)
	}
	empty := Style{}.Plan(task, bench.Prediction{Patch: "\n"})
	require.Equal(t, bench.EmptyPatch, empty.Early)
	broken := Style{}.Plan(task, bench.Prediction{Patch: "--- a/x\n+++ b/x\n@@ what\n"})
	require.Equal(t, bench.InvalidPatch, broken.Early)
}

// TestStyleSettles: when the linter's or the hidden tests' run decides.
func TestStyleSettles(t *testing.T) {
	task := styleTask()
	unapplied := func(u *languages.UnappliedError) Outcome {
		return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: u}}
	}
	for name, c := range map[string]struct {
		seen Outcomes
		want bool
	}{
		"nothing yet":                        {Outcomes{}, false},
		"base is linted":                     {Outcomes{lintBase: linted(messy)}, false},
		"the submission is linted":           {Outcomes{lintSubmission: linted(messy)}, false},
		"the submission cannot be":           {Outcomes{lintSubmission: ended(bench.RunUnbuilt)}, true},
		"hidden tests ran":                   {Outcomes{lintSubmission: linted(messy), heldHidden: hidden(fail, pass)}, true},
		"gold conflicts":                     {Outcomes{heldHidden: unapplied(&languages.UnappliedError{})}, false},
		"the submission itself does not fit": {Outcomes{heldHidden: unapplied(&languages.UnappliedError{Start: true})}, true},
		"the tests do not fit":               {Outcomes{heldHidden: unapplied(&languages.UnappliedError{Tests: true})}, true},
		"nobody knows why it does not":       {Outcomes{heldHidden: unapplied(nil)}, true},
	} {
		require.Equal(t, c.want, Style{}.Settled(task, c.seen), name)
	}
}

// TestFunctionHeld: by the hidden tests on gold over the submission, or else by
// the existing tests before and after it.
func TestFunctionHeld(t *testing.T) {
	inst := instance()
	noF2P := *inst
	noF2P.FailToPass = nil
	unbuilt := ended(bench.RunUnbuilt)
	yes, no := ptr(true), ptr(false)
	existing := func(before, after Outcome) Outcomes {
		return Outcomes{heldHidden: conflict(), heldBase: before, heldSubmission: after}
	}
	for name, c := range map[string]struct {
		inst *bench.Instance
		seen Outcomes
		want *bool
		why  string
	}{
		"hidden tests pass":               {inst, Outcomes{heldHidden: hidden(pass, pass)}, yes, ""},
		"an old one fails":                {inst, Outcomes{heldHidden: hidden(pass, fail)}, no, "0 of 1 fail-to-pass and 1 of 1 pass-to-pass tests do not pass"},
		"gold's own fails":                {inst, Outcomes{heldHidden: hidden(fail, pass)}, no, "1 of 1 fail-to-pass"},
		"it does not build":               {inst, Outcomes{heldHidden: unbuilt}, no, "unbuilt"},
		"old tests alone pass":            {&noF2P, Outcomes{heldHidden: hidden(pass, pass)}, yes, ""},
		"old tests alone fail":            {&noF2P, Outcomes{heldHidden: hidden(pass, fail)}, no, ""},
		"old tests alone, and a crash":    {&noF2P, Outcomes{heldHidden: did(bench.RunCrashed, hidden(pass, pass).Tests...)}, no, ""},
		"hidden go before existing":       {inst, Outcomes{heldHidden: hidden(pass, fail), heldBase: hidden(pass, pass), heldSubmission: hidden(pass, pass)}, no, ""},
		"nothing ran":                     {inst, Outcomes{}, nil, ""},
		"existing: all pass":              {inst, existing(hidden(pass, pass), hidden(pass, pass)), yes, ""},
		"existing: one more passes":       {inst, existing(hidden(pass, fail), hidden(pass, pass)), yes, ""},
		"existing: one is lost":           {inst, existing(hidden(pass, pass), hidden(pass, fail)), no, "1 of 2 tests that pass on base no longer pass"},
		"existing: one is gone":           {inst, existing(hidden(pass, pass), did(bench.RunDone, hidden(pass, pass).Tests[0])), no, "1 of 2"},
		"existing: skipped now":           {inst, existing(hidden(pass, pass), hidden(pass, bench.Skipped)), no, "1 of 2"},
		"existing: the submission breaks": {inst, existing(hidden(pass, pass), unbuilt), no, "the tests: unbuilt detail"},
		"existing: base breaks":           {inst, existing(unbuilt, hidden(pass, pass)), nil, ""},
		"existing: base crashes":          {inst, existing(did(bench.RunCrashed, hidden(pass, pass).Tests...), hidden(pass, pass)), nil, ""},
		"existing: base has no test":      {inst, existing(did(bench.RunDone), hidden(pass, pass)), nil, ""},
		"existing: base not run":          {inst, Outcomes{heldSubmission: hidden(pass, pass)}, nil, ""},
		"existing: submission not run":    {inst, Outcomes{heldBase: hidden(pass, pass)}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			held, why := functionHeld(c.inst, c.seen)
			require.Equal(t, c.want, held)
			require.Contains(t, why, c.why)
		})
	}
}

// TestStyleDecision: function held, nothing cheated, and what the task's bounds
// ask for; the first that fails is the reason.
func TestStyleDecision(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	cheat := []bench.Flag{{Kind: "suppression", Path: "lib/a.py", Detail: "one more"}}
	for name, c := range map[string]struct {
		s       bench.Style
		verdict bench.Verdict
		reason  string
	}{
		"all mended":      {bench.Style{Original: 2, Resolved: 2, FunctionHeld: yes}, bench.Resolved, ""},
		"one is left":     {bench.Style{Original: 2, Resolved: 1, FunctionHeld: yes}, bench.Unresolved, "1 of 2 findings fixed, 0 new"},
		"one is new":      {bench.Style{Original: 2, Resolved: 2, New: 1, FunctionHeld: yes}, bench.Unresolved, "2 of 2 findings fixed, 1 new"},
		"cheated":         {bench.Style{Original: 2, Resolved: 2, FunctionHeld: yes, Cheats: cheat}, bench.Unresolved, "2 of 2 findings fixed, 0 new; suppression: lib/a.py one more"},
		"function lost":   {bench.Style{Original: 2, Resolved: 2, FunctionHeld: no}, bench.Unresolved, "2 of 2 findings fixed, 0 new; existing tests broke: why"},
		"not known":       {bench.Style{Original: 2, Resolved: 2}, bench.Unresolved, "2 of 2 findings fixed, 0 new; no test shows whether existing behaviour is kept"},
		"lost, and cheat": {bench.Style{Original: 2, Resolved: 2, FunctionHeld: no, Cheats: cheat}, bench.Unresolved, "2 of 2 findings fixed, 0 new; suppression: lib/a.py one more"},
	} {
		verdict, reason := decideStyle(&bench.StyleTask{}, &c.s, "why")
		require.Equal(t, c.verdict, verdict, name)
		require.Equal(t, c.reason, reason, name)
	}
	require.Equal(t, bench.Resolved, first(decideStyle(&bench.StyleTask{MaxRemaining: ptr(1)}, &bench.Style{Original: 2, Resolved: 1, FunctionHeld: yes}, "")))
}

func first(v bench.Verdict, _ string) bench.Verdict { return v }

// TestStyleJudgement: flags of the plan that are cheats count, others do not;
// the held score is nothing where something was cheated or lost.
func TestStyleJudgement(t *testing.T) {
	task := styleTask()
	base, clean := linted(messy, task.Style.Findings...), linted("def f(x):\n    return x\n")
	judge := func(submitted string, seen Outcomes) bench.Result {
		return Style{}.Judge(task, Style{}.Plan(task, bench.Prediction{Patch: submitted}), seen)
	}
	seen := Outcomes{lintBase: base, lintSubmission: clean, heldHidden: hidden(pass, pass)}
	r := judge(goldPatch, seen)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, "pylint", r.Style.Linter)
	require.Equal(t, 1.0, *r.Style.HeldScore)
	require.Len(t, r.Runs, 5)
	r = judge(edits("lib/a.py", ".pylintrc"), seen)
	require.Equal(t, bench.Unresolved, r.Verdict)
	require.Equal(t, []bench.Flag{{Kind: style.FlagConfig, Path: ".pylintrc", Detail: "split off: it says what the linter looks for"}}, r.Style.Cheats)
	require.Equal(t, 0.0, *r.Style.HeldScore)
	require.Equal(t, 1.0, r.Style.Score)
	r = judge(edits("lib/a.py", "setup.cfg"), seen)
	require.Equal(t, bench.Resolved, r.Verdict, "a build file that was split off is no cheat")
	require.Empty(t, r.Style.Cheats)
	for state, want := range map[bench.RunState]bench.Verdict{
		bench.RunUnapplied: bench.InvalidPatch, bench.RunTimeout: bench.Timeout, bench.RunSuspect: bench.Suspect,
		bench.RunLimit: bench.Suspect, bench.RunUnbuilt: bench.Unresolved,
	} {
		r := judge(goldPatch, Outcomes{lintBase: base, lintSubmission: ended(state)})
		require.Equal(t, want, r.Verdict, state)
		if state != bench.RunTimeout {
			require.Equal(t, "detail", r.Reason, state)
		}
		require.Nil(t, r.Style, state)
	}
	for name, before := range map[string]Outcome{"not linted": {}, "cut": {Outcome: languages.Outcome{Run: bench.Run{State: bench.RunTimeout}}, Lint: &style.LintOutcome{}}} {
		r := judge(goldPatch, Outcomes{lintBase: before, lintSubmission: clean})
		require.Equal(t, bench.HarnessError, r.Verdict, name)
		require.Contains(t, r.Reason, "base cannot be linted", name)
	}
}

// TestStyleFollowsRenames: a finding in a file that the submission moves and
// edits is the same one, though only the move shows it.
func TestStyleFollowsRenames(t *testing.T) {
	inst := instance()
	inst.Style = []bench.StyleTask{{Linter: "pylint", Files: []string{"lib/a.py"}, Findings: []bench.Finding{finding("unused-import", 1)}}}
	ts, err := Style{}.Build(inst)
	require.NoError(t, err)
	const moved = "diff --git a/lib/a.py b/lib/b.py\nsimilarity index 50%\nrename from lib/a.py\nrename to lib/b.py\n" +
		"--- a/lib/a.py\n+++ b/lib/b.py\n@@ -1,4 +1,4 @@\n import os\n-x = 1\n-x = 2\n-x = 3\n+y = 4\n+y = 5\n+y = 6\n"
	plan := Style{}.Plan(ts[0], bench.Prediction{Patch: moved})
	require.Equal(t, map[string]string{"lib/a.py": "lib/b.py"}, renames(plan))
	require.Nil(t, renames(Plan{}))
	before, after := linted("import os\nx = 1\nx = 2\nx = 3\n", inst.Style[0].Findings...), linted("")
	there := finding("unused-import", 1)
	there.Path = "lib/b.py"
	after.Lint.Findings, after.Lint.Sources = []bench.Finding{there}, map[string][]byte{"lib/b.py": []byte("import os\ny = 4\ny = 5\ny = 6\n")}
	r := Style{}.Judge(ts[0], plan, Outcomes{lintBase: before, lintSubmission: after, heldHidden: hidden(pass, pass)})
	require.Equal(t, []int{0, 0}, []int{r.Style.Resolved, r.Style.New}, "a move mends nothing")
	require.Equal(t, bench.Unresolved, r.Verdict)
}

// TestUntouched: a submission that never ran fixes nothing, and that is
// known.
func TestUntouched(t *testing.T) {
	s := styleTask().Style
	s.Version = "9.9"
	facts := untouched(s)
	require.Equal(t, []any{3, 0, 0, 0.0, "pylint", "9.9"}, []any{facts.Original, facts.Resolved, facts.New, facts.Score, facts.Linter, facts.Version})
	require.NotNil(t, facts.HeldScore)
	require.Zero(t, *facts.HeldScore)
	require.Nil(t, facts.FunctionHeld)
	o := style.LintOutcome{Sources: map[string][]byte{"a": nil}, Watched: map[string][]byte{"b": nil}}
	require.Len(t, all(o), 2)
	require.Len(t, o.Sources, 1, "the outcome stays as it is")
}
