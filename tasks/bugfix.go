package tasks

import (
	"errors"
	"fmt"

	"assay/bench"
	"assay/languages"
)

// BugFix judges a patch by hidden tests: it resolves its instance when every
// fail-to-pass and every pass-to-pass test passes (OmniCode, section 3.2.1).
type BugFix struct {
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
}

const submissionRun = "submission"

// Name implements Kind.
func (BugFix) Name() string { return "bugfix" }

// Build implements Kind.
func (b BugFix) Build(inst *bench.Instance) ([]Task, error) {
	switch {
	case inst.TestPatch == "":
		return nil, errors.New("it has no test patch")
	case len(inst.FailToPass) == 0:
		return nil, errors.New("FAIL_TO_PASS is empty")
	}
	return []Task{{Kind: b.Name(), Instance: inst, Languages: b.Languages}}, nil
}

// Plan implements Kind.
func (BugFix) Plan(task Task, p bench.Prediction) Plan {
	s, err := Divide(task, p.Patch, false)
	if err != nil {
		return Refused(err)
	}
	flags := s.Flags
	for _, path := range s.Tests.Paths() {
		flags = append(flags, bench.Flag{Kind: "test_hunks", Path: path, Detail: "split off: hidden tests take their place"})
	}
	switch {
	case s.Empty():
		return early(bench.EmptyPatch, "the patch is empty", flags)
	case s.Source.Empty():
		return early(bench.Unresolved, "the patch changes nothing but tests and files of the test runner", flags)
	}
	return Plan{Flags: flags, Runs: []Run{{Variant: languages.Variant{
		Name: submissionRun, Code: string(s.Source.Bytes()), Tests: task.Instance.TestPatch,
	}}}}
}

// Settled implements Kind.
func (BugFix) Settled(_ Task, seen Outcomes) bool { return len(seen) > 0 }

// Judge implements Kind.
func (BugFix) Judge(task Task, plan Plan, seen Outcomes) bench.Result {
	return judgeHidden(task.Instance, plan, seen)
}

// judgeHidden decides by the hidden tests' run on the submission.
func judgeHidden(inst *bench.Instance, plan Plan, seen Outcomes) bench.Result {
	o := seen[submissionRun].Outcome
	f2p, p2p := HiddenTests(inst, o)
	r := bench.Result{Runs: Record(plan, seen), BugFix: &bench.BugFix{FailToPass: f2p, PassToPass: p2p}}
	switch o.State {
	case bench.RunUnapplied:
		r.Verdict, r.Reason, r.BugFix = bench.InvalidPatch, o.Detail, nil
		if o.Unapplied != nil && (o.Unapplied.Tests || o.Unapplied.Start) {
			r.Verdict = bench.HarnessError
		}
	case bench.RunTimeout:
		r.Verdict, r.Reason = bench.Timeout, "the tests did not end in time"
	case bench.RunSuspect:
		r.Verdict, r.Reason = bench.Suspect, o.Detail
	default:
		r.Verdict, r.Reason = byHiddenTests(f2p, p2p, o)
	}
	return r
}

func byHiddenTests(f2p, p2p bench.TestSplit, o languages.Outcome) (bench.Verdict, string) {
	if o.State == bench.RunDone && len(f2p.Failed) == 0 && len(p2p.Failed) == 0 && len(f2p.Passed) > 0 {
		return bench.Resolved, ""
	}
	reason := fmt.Sprintf("%d of %d fail-to-pass and %d of %d pass-to-pass tests do not pass",
		len(f2p.Failed), len(f2p.Failed)+len(f2p.Passed), len(p2p.Failed), len(p2p.Failed)+len(p2p.Passed))
	if o.State != bench.RunDone {
		reason = fmt.Sprintf("%s (%s: %s)", reason, o.State, o.Detail)
	}
	return bench.Unresolved, reason
}

// Record lists the plan's runs as they go into the result.
func Record(plan Plan, seen Outcomes) []bench.Run {
	runs := make([]bench.Run, 0, len(plan.Runs))
	for _, r := range plan.Runs {
		o, ok := seen[r.Name]
		if !ok {
			runs = append(runs, bench.Run{Name: r.Name, State: bench.RunSkipped})
			continue
		}
		runs = append(runs, o.Outcome.Run)
	}
	return runs
}
