package tasks

import (
	"fmt"

	"assay/bench"
	"assay/languages"
)

// Filter judges a fix twice: by the hidden tests, as BugFix does, and by each of
// the generated test suites in the task's Data. What the suites say changes no
// verdict.
type Filter struct{ BugFix }

// Suites are the generated tests that judge a fix: submissions to test generation
// for the same instance.
type Suites []bench.Prediction

// Name implements Kind.
func (Filter) Name() string { return "filter" }

func suiteRun(i int, side string) string { return fmt.Sprintf("suite/%d/%s", i, side) }

// Plan implements Kind: the hidden tests on the fix, and each suite on base and
// on the fix. The runs on base are the same for every fix.
func (k Filter) Plan(task Task, p bench.Prediction) Plan {
	plan := k.BugFix.Plan(task, p)
	if plan.Early != "" {
		return plan
	}
	fix := plan.Runs[0].Code
	suites, _ := task.Data.(Suites)
	for i, s := range suites {
		divided, err := Divide(task, s.Patch, true)
		if err != nil || divided.Tests.Empty() {
			continue // it lets nothing pass
		}
		tests := string(divided.Tests.Bytes())
		for _, v := range []languages.Variant{{Name: suiteRun(i, baseRun)}, {Name: suiteRun(i, "fix"), Code: fix}} {
			v.Tests, v.Contributed = tests, true
			plan.Runs = append(plan.Runs, Run{Variant: v})
		}
	}
	return plan
}

// DigestParts implements Digester: the suites.
func (Filter) DigestParts(task Task) []string {
	suites, _ := task.Data.(Suites)
	var parts []string
	for _, s := range suites {
		parts = append(parts, s.Model, s.Patch)
	}
	return parts
}

// Settled implements Kind: every suite is asked.
func (Filter) Settled(Task, Outcomes) bool { return false }

// Judge implements Kind.
func (k Filter) Judge(task Task, plan Plan, seen Outcomes) bench.Result {
	r := k.BugFix.Judge(task, plan, seen)
	r.Filter = votes(task, seen)
	return r
}

// Complete implements Completer: no suite lets a fix pass that never ran.
func (Filter) Complete(r *bench.Result, task Task) {
	if r.Filter == nil && r.Verdict.Judged() {
		r.Filter = votes(task, Outcomes{})
	}
}

// votes are the suites' judgements of the fix, in the order of the suites.
func votes(task Task, seen Outcomes) []bench.Vote {
	suites, _ := task.Data.(Suites)
	out := make([]bench.Vote, 0, len(suites))
	for i, s := range suites {
		base, fix := seen[suiteRun(i, baseRun)], seen[suiteRun(i, "fix")]
		v := bench.Vote{Tests: s.Model, Suite: i, FailsBase: failed(base), PassesFix: Passed(fix.Outcome)}
		out = append(out, v)
	}
	return out
}
