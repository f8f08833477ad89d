// Package tasks holds the kinds of task and judges submissions to them. A
// Kind plans which runs a submission needs and judges their outcomes; both
// are pure. Evaluate executes plans over many tasks, and is the only part
// that touches a machine.
package tasks

import (
	"assay/bench"
	"assay/languages"
)

// Kind is one kind of task. Its methods are pure and safe for concurrent use.
type Kind interface {
	// Name is the kind's name on the command line and in results.
	Name() string
	// Build makes the kind's tasks from an instance; none, and the reason
	// as an error, where the instance lacks what the kind needs.
	Build(inst *bench.Instance) ([]Task, error)
	// Plan lists the runs that judging the prediction needs, in order of
	// how much each can rule out.
	Plan(task Task, prediction bench.Prediction) Plan
	// Settled reports whether the runs seen so far decide the verdict, so
	// that the rest of the plan adds only figures.
	Settled(task Task, seen Outcomes) bool
	// Judge decides from the outcomes of the plan's runs, by run name. Runs
	// that were left out are absent.
	Judge(task Task, plan Plan, seen Outcomes) bench.Result
}

// Task is one thing to solve.
type Task struct {
	Kind     string
	Instance *bench.Instance
}

// ID names the task within a dataset.
func (t Task) ID() string { return t.Kind + "/" + t.Instance.ID }

// Plan is what is to be done with one submission.
type Plan struct {
	// Early is the verdict where no run is needed; empty otherwise.
	Early  bench.Verdict
	Reason string
	Flags  []bench.Flag
	Runs   []languages.Variant // named uniquely
}

// Outcomes maps run names to what was seen.
type Outcomes map[string]languages.Outcome

// passed holds for a run in which tests ran and none ended badly.
func passed(o languages.Outcome) bool {
	if o.State != bench.RunDone || len(o.Tests) == 0 {
		return false
	}
	for _, t := range o.Tests {
		if !t.Status.OK() {
			return false
		}
	}
	return true
}

// failed holds for a run that shows something wrong: a test that failed, code
// or tests that do not build or die. Tests that are skipped or missing show
// nothing.
func failed(o languages.Outcome) bool {
	switch o.State {
	case bench.RunUnbuilt, bench.RunCrashed, bench.RunTimeout:
		return true
	}
	for _, t := range o.Tests {
		if t.Status == bench.Failed || t.Status == bench.Error {
			return true
		}
	}
	return false
}
