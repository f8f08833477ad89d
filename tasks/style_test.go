package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/style"
)

const messy = "import os\nimport re\n\n\ndef f(x):\n    y = 1\n    return x\n"

func finding(rule string, line int) bench.Finding {
	return bench.Finding{Tool: "pylint", Rule: rule, Path: "lib/a.py", Range: bench.Range{Line: line, Column: 1}, Message: rule}
}

// styleTask lists two unused imports and an unused variable.
func styleTask() Task {
	inst := instance()
	inst.Style = []bench.StyleTask{{
		Index: 4, Linter: "pylint", Files: []string{"lib/a.py"},
		Rules:    bench.RuleSet{Names: []string{"bare-except", "unused-import", "unused-variable"}},
		Findings: []bench.Finding{finding("unused-import", 1), finding("unused-import", 2), finding("unused-variable", 6)},
	}}
	ts, err := Style{}.Build(inst)
	if err != nil {
		panic(err)
	}
	return ts[0]
}

// linted is a lint run's outcome.
func linted(text string, findings ...bench.Finding) Outcome {
	return Outcome{
		Outcome: languages.Outcome{Run: bench.Run{State: bench.RunDone}},
		Lint:    &style.LintOutcome{State: bench.RunDone, Findings: findings, Sources: map[string][]byte{"lib/a.py": []byte(text)}},
	}
}

func conflict() Outcome {
	return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: &languages.UnappliedError{}}}
}

func TestStyleVerdicts(t *testing.T) {
	task := styleTask()
	base := linted(messy, task.Style.Findings...)
	clean := linted("def f(x):\n    return x\n")
	half := linted("import re\n\n\ndef f(x):\n    y = 1\n    return x\n", finding("unused-import", 1), finding("unused-variable", 5))
	worse := linted(messy+"\n\ntry:\n    f(1)\nexcept:\n    pass\n", append([]bench.Finding{finding("bare-except", 12)}, task.Style.Findings...)...)
	silenced := linted("import os  # pylint: disable=unused-import\nimport re\n\n\ndef f(x):\n    y = 1\n    return x\n", task.Style.Findings...)
	for name, c := range map[string]struct {
		seen    Outcomes
		want    bench.Verdict
		score   float64
		net     float64
		held    *float64
		settled bool
	}{
		"all mended":                    {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: hidden(pass, pass)}, bench.Resolved, 1, 1, ptr(1.0), true},
		"a part":                        {Outcomes{lintBase: base, lintSubmission: half, heldHidden: hidden(pass, pass)}, bench.Unresolved, 1. / 3, 1. / 3, ptr(1. / 3), true},
		"a new one":                     {Outcomes{lintBase: base, lintSubmission: worse, heldHidden: hidden(pass, pass)}, bench.Unresolved, 0, -1. / 3, ptr(0.0), true},
		"function is lost":              {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: hidden(pass, fail)}, bench.Unresolved, 1, 1, ptr(0.0), true},
		"gold's own test is lost":       {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: hidden(fail, pass)}, bench.Unresolved, 1, 1, ptr(0.0), true},
		"silence":                       {Outcomes{lintBase: base, lintSubmission: silenced, heldHidden: hidden(pass, pass)}, bench.Unresolved, 0, 0, ptr(0.0), true},
		"gold conflicts, tests as good": {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: conflict(), heldBase: hidden(fail, pass), heldSubmission: hidden(fail, pass)}, bench.Resolved, 1, 1, ptr(1.0), false},
		"gold conflicts, a test lost":   {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: conflict(), heldBase: hidden(fail, pass), heldSubmission: hidden(fail, fail)}, bench.Unresolved, 1, 1, ptr(0.0), false},
		"no tests tell":                 {Outcomes{lintBase: base, lintSubmission: clean, heldHidden: conflict()}, bench.Unresolved, 1, 1, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			plan := Style{}.Plan(task, bench.Prediction{Patch: goldPatch})
			require.Empty(t, plan.Early)
			r := Style{}.Judge(task, plan, c.seen)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			require.InDelta(t, c.score, r.Style.Score, 1e-9)
			require.InDelta(t, c.net, r.Style.Net, 1e-9)
			require.Equal(t, c.held == nil, r.Style.HeldScore == nil)
			if c.held != nil {
				require.InDelta(t, *c.held, *r.Style.HeldScore, 1e-9)
			}
			require.Equal(t, c.settled, Style{}.Settled(task, c.seen))
		})
	}
}

func TestStyleStates(t *testing.T) {
	task := styleTask()
	base := linted(messy, task.Style.Findings...)
	ends := func(s bench.RunState) Outcome {
		return Outcome{Outcome: languages.Outcome{Run: bench.Run{State: s}}, Lint: &style.LintOutcome{State: s}}
	}
	for name, c := range map[string]struct {
		base, submission Outcome
		want             bench.Verdict
	}{
		"does not parse any more":  {base, ends(bench.RunUnbuilt), bench.Unresolved},
		"does not apply":           {base, ends(bench.RunUnapplied), bench.InvalidPatch},
		"the linter hangs on it":   {base, ends(bench.RunTimeout), bench.Timeout},
		"the linter fails on it":   {base, ends(bench.RunSuspect), bench.Suspect},
		"base cannot be linted":    {ends(bench.RunUnbuilt), linted("\n"), bench.HarnessError},
		"listed findings are gone": {linted(messy), linted(messy), bench.HarnessError},
	} {
		plan := Style{}.Plan(task, bench.Prediction{Patch: goldPatch})
		r := Style{}.Judge(task, plan, Outcomes{lintBase: c.base, lintSubmission: c.submission})
		require.Equal(t, c.want, r.Verdict, "%s: %s", name, r.Reason)
	}
}

func TestStylePlan(t *testing.T) {
	const (
		pylintrc  = "--- /dev/null\n+++ b/.pylintrc\n@@ -0,0 +1 @@\n+[MAIN]\n"
		pyproject = "--- a/pyproject.toml\n+++ b/pyproject.toml\n@@ -1 +1 @@\n-a\n+b\n"
		other     = "--- a/lib/b.py\n+++ b/lib/b.py\n@@ -1 +1 @@\n-a\n+b\n"
	)
	task := styleTask()
	require.Equal(t, "o__r-1_4", task.Name())
	plan := Style{}.Plan(task, bench.Prediction{Patch: goldPatch + other + testPatch + pylintrc + pyproject})
	require.Len(t, plan.Runs, 5)
	require.Equal(t, []string{"lib/a.py", "lib/b.py"}, plan.Runs[1].Lint.Files, "what it touches is linted too")
	require.Empty(t, plan.Runs[0].Code)
	for _, r := range plan.Runs {
		for _, path := range []string{"pylintrc", "pyproject", "test_a.py"} {
			require.NotContains(t, r.Code+r.Start, path)
		}
	}
	kinds := map[string]string{}
	for _, f := range plan.Flags {
		kinds[f.Path] = f.Kind
	}
	require.Equal(t, map[string]string{".pylintrc": style.FlagConfig, "pyproject.toml": style.FlagBuildFile, "tests/test_a.py": "test_hunks"}, kinds)
	require.Equal(t, bench.EmptyPatch, Style{}.Plan(task, bench.Prediction{}).Early)
	require.Equal(t, bench.Unresolved, Style{}.Plan(task, bench.Prediction{Patch: pylintrc}).Early)
}

func TestStyleThresholds(t *testing.T) {
	inst := styleTask().Instance
	for name, c := range map[string]struct {
		kind Style
		want bench.Verdict
	}{
		"strict":          {Style{}, bench.Unresolved},
		"score reached":   {Style{MinScore: ptr(0.3)}, bench.Resolved},
		"score missed":    {Style{MinScore: ptr(0.5)}, bench.Unresolved},
		"few are left":    {Style{MaxRemaining: ptr(2)}, bench.Resolved},
		"too many remain": {Style{MaxRemaining: ptr(1)}, bench.Unresolved},
	} {
		ts, err := c.kind.Build(inst)
		require.NoError(t, err)
		half := linted("import re\n\n\ndef f(x):\n    y = 1\n    return x\n", finding("unused-import", 1), finding("unused-variable", 5))
		seen := Outcomes{lintBase: linted(messy, ts[0].Style.Findings...), lintSubmission: half, heldHidden: hidden(pass, pass)}
		r := c.kind.Judge(ts[0], c.kind.Plan(ts[0], bench.Prediction{Patch: goldPatch}), seen)
		require.Equal(t, c.want, r.Verdict, name)
	}
}
