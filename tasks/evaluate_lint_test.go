package tasks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/style"
)

// wordy finds the word "ugly" in the lines of files. Its tool fails as often
// as a file demands.
type wordy struct {
	fails func(sources map[string][]byte) bool
	other error // of another kind
}

func (wordy) About() style.About {
	return style.About{Name: "wordy", Language: "python", Version: "1"}
}
func (wordy) Install() harness.Recipe { return harness.Recipe{} }

func (l wordy) Lint(style.Request) (style.Command, error) {
	return style.Command{Script: "lint\n"}, l.other
}

func (l wordy) Read(req style.Request, _ harness.Result) ([]bench.Finding, error) {
	if l.fails != nil && l.fails(req.Sources) {
		return nil, &style.ToolError{Linter: "wordy", Reason: "it broke"}
	}
	var out []bench.Finding
	for _, p := range req.Files {
		for i, line := range strings.Split(string(req.Sources[p]), "\n") {
			if strings.Contains(line, "ugly") {
				out = append(out, bench.Finding{Tool: "wordy", Rule: "ugly", Path: p, Line: line, Message: "ugly", Range: bench.Range{Line: i + 1}})
			}
		}
	}
	return out, nil
}

const (
	uglyText  = "ugly = 1\nplain = 2\nugly_too = 3\n"
	cleanText = "nice = 1\nplain = 2\nnice_too = 3\n"
	halfText  = "nice = 1\nplain = 2\nugly_too = 3\n"
)

func replacing(old, now string) string {
	out := "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,3 +1,3 @@\n"
	for _, l := range strings.Split(strings.TrimSpace(old), "\n") {
		out += "-" + l + "\n"
	}
	for _, l := range strings.Split(strings.TrimSpace(now), "\n") {
		out += "+" + l + "\n"
	}
	return out
}

// lintJudge judges a style task whose linter is wordy. The instance has no
// tests, so that only the linter's runs count.
func lintJudge(l wordy) (Judge, Task, *[]string) {
	w := newWorld()
	w.repo["lib/a.py"] = uglyText
	j := w.judge()
	var attempts []string
	j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
		if job.Script == "lint\n" {
			attempts = append(attempts, job.Name+" "+string(rune('0'+job.Attempt)))
			return harness.Result{End: harness.Exited, Timings: harness.Timings{Run: 3e9}}, nil
		}
		return w.handle(ctx, job)
	}}
	j.Linters = style.NewLinters(l)
	inst := w.instance()
	inst.FailToPass, inst.PassToPass, inst.TestPatch, inst.Patch = nil, nil, "", ""
	task := Task{Kind: "style", Instance: inst, Part: "0", Style: &bench.StyleTask{
		Linter: "wordy", Rules: bench.RuleSet{Names: []string{"ugly"}}, Files: []string{"lib/a.py"}, MinScore: ptr(0.1),
		Findings: []bench.Finding{{Tool: "wordy", Rule: "ugly", Path: "lib/a.py", Line: "ugly = 1", Message: "ugly", Range: bench.Range{Line: 1}},
			{Tool: "wordy", Rule: "ugly", Path: "lib/a.py", Line: "ugly_too = 3", Message: "ugly", Range: bench.Range{Line: 3}}},
	}}
	return j, task, &attempts
}

// TestLintedEndToEnd: a style submission from its plan to its figures.
func TestLintedEndToEnd(t *testing.T) {
	for name, c := range map[string]struct {
		patch    string
		resolved int
		added    int
	}{
		"all of it": {replacing(uglyText, cleanText), 2, 0},
		"half":      {replacing(uglyText, halfText), 1, 0},
		"worse":     {replacing(uglyText, "ugly = 1\nugly_plain = 2\nugly_too = 3\n"), 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			j, task, attempts := lintJudge(wordy{})
			r, err := j.Evaluate(t.Context(), Style{}, task, bench.Prediction{Model: "m", Patch: c.patch})
			require.NoError(t, err)
			require.Equal(t, bench.Unresolved, r.Verdict)
			require.NotNil(t, r.Style, r.Reason)
			require.Equal(t, []int{2, c.resolved, c.added}, []int{r.Style.Original, r.Style.Resolved, r.Style.New})
			require.Equal(t, "0", r.Part)
			require.Equal(t, []string{"o__r-1 lint/base 0", "o__r-1 lint/submission 0"}, *attempts)
			require.Equal(t, 6.0, r.Timing.Phases["run"])
		})
	}
}

// TestLinterThatFails: on the submission it is suspect, once it failed twice;
// on base it is a failure of the machine; other errors are not retried.
func TestLinterThatFails(t *testing.T) {
	on := func(word string, times int) func(map[string][]byte) bool {
		return func(sources map[string][]byte) bool {
			for _, text := range sources {
				if strings.Contains(string(text), word) && times > 0 {
					times--
					return true
				}
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		linter   wordy
		want     bench.Verdict
		reason   string
		attempts int
	}{
		"once on the submission":  {wordy{fails: on("nice", 1)}, bench.Unresolved, "2 of 2 findings fixed", 3},
		"twice on the submission": {wordy{fails: on("nice", 2)}, bench.Suspect, "wordy failed: it broke", 3},
		"once on base":            {wordy{fails: on("ugly", 1)}, bench.Unresolved, "2 of 2 findings fixed", 3},
		"twice on base":           {wordy{fails: on("ugly", 2)}, bench.Infra, "linting lint/base: wordy failed: it broke", 2},
		"no tool":                 {wordy{other: errors.New("no such rule")}, bench.HarnessError, "no such rule", 0},
	} {
		t.Run(name, func(t *testing.T) {
			j, task, attempts := lintJudge(c.linter)
			r, err := j.Evaluate(t.Context(), Style{}, task, bench.Prediction{Model: "m", Patch: replacing(uglyText, cleanText)})
			require.NoError(t, err)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			require.Contains(t, r.Reason, c.reason)
			require.Len(t, *attempts, c.attempts)
			require.Equal(t, c.want.Judged(), r.Style != nil)
		})
	}
}

// TestWhatRunsAgain: runs of the hidden tests do, where a few fail; those of
// contributed or existing tests do not.
func TestWhatRunsAgain(t *testing.T) {
	const newTests = "--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1 +1,5 @@\n line\n+def test_f():\n+    pass\n+def test_p():\n+    pass\n"
	for name, c := range map[string]struct {
		run  Run
		runs int
	}{
		"hidden":      {Run{Variant: languages.Variant{Name: "v", Code: goldPatch, Tests: testPatch}}, 2},
		"existing":    {Run{Variant: languages.Variant{Name: "v", Code: goldPatch, Tests: testPatch, Existing: true}}, 1},
		"contributed": {Run{Variant: languages.Variant{Name: "v", Code: goldPatch, Tests: newTests, Contributed: true}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.tests = func(tree map[string]string, run int) (harness.Result, []bench.Test) {
				p := pass
				if run == 0 {
					p = fail
				}
				return harness.Result{}, []bench.Test{test("test_f", pass), test("test_p", p)}
			}
			inst := w.instance()
			bed, err := w.judge().Machine.Open(t.Context(), inst)
			require.NoError(t, err)
			o, err := w.judge().run(t.Context(), bed, inst, c.run, trust{})
			require.NoError(t, err)
			require.Equal(t, c.runs, w.runs)
			if c.runs == 2 {
				require.Equal(t, bench.RunDone, o.State, o.Detail)
				require.Equal(t, []string{"tests/test_a.py::test_p"}, o.Flaky)
			} else {
				require.Empty(t, o.Flaky)
			}
		})
	}
}
