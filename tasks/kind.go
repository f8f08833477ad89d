// Package tasks holds the kinds of task and judges submissions to them. A
// Kind plans which runs a submission needs and judges their outcomes; both
// are pure. Only Judge touches a machine: it executes plans.
package tasks

import (
	"assay/bench"
	"assay/languages"
	"assay/style"
)

// Kind is one kind of task. Its methods are pure and safe for concurrent use.
//
// A kind may offer more by further methods: answers of its own (Solver,
// TreeSolver), options (Configurable), parts of the digest (Digester), facts
// of submissions that were never run (Completer). Other optional methods are
// declared in the package that uses them: engine.Prompter, for one.
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
	// Part distinguishes the tasks of one kind and instance; empty where
	// there can be one only.
	Part   string
	Style  *bench.StyleTask // set for tasks of kind style
	Review *bench.Review    // set for tasks of kind review
	// Data is what any other kind keeps of its task.
	Data any
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
}

// Language is the language of the task's instance.
func (t Task) Language() languages.Language { return t.Languages.Named(t.Instance.Language) }

// Name is the id that predictions give: the instance's, with the part.
func (t Task) Name() string { return PartName(t.Instance.ID, t.Part) }

// PartName is the id of an instance's part in predictions.
func PartName(instance, part string) string {
	if part == "" {
		return instance
	}
	return instance + "_" + part
}

// ID names the task within a dataset.
func (t Task) ID() string { return t.Kind + "/" + t.Name() }

// Plan is what is to be done with one submission.
type Plan struct {
	// Early is the verdict where no run is needed; empty otherwise.
	Early  bench.Verdict
	Reason string
	Flags  []bench.Flag
	Runs   []Run // named uniquely
}

// Run is one run of a plan: tests on a variant, or, with Lint, a linter.
type Run struct {
	languages.Variant
	Lint *Lint
}

// Lint is what a run lints.
type Lint struct {
	Linter string
	Rules  style.Rules
	Files  []string // sorted; those that a variant lacks are left out
	// Watch are files that the linter is not for, but whose texts count.
	Watch []string
}

// Outcome is what a run showed.
type Outcome struct {
	languages.Outcome
	// Flaky are hidden tests that failed, and passed when they ran again on
	// their own; they count as passed. Sorted.
	Flaky []string
	Lint  *style.LintOutcome // of a lint run
}

// Outcomes maps run names to what was seen.
type Outcomes map[string]Outcome

// Passed holds for a run in which tests ran and none ended badly.
func Passed(o languages.Outcome) bool {
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

// failed reports whether a run shows something wrong: a test that failed, code
// or tests that do not build, a runner that died or hung in them. Tests that
// are skipped or missing show nothing, and neither does a runner that died or
// hung in other tests.
func failed(o Outcome) bool {
	switch o.State {
	case bench.RunUnbuilt:
		return true
	case bench.RunCrashed, bench.RunTimeout:
		if !o.Elsewhere {
			return true
		}
	}
	for _, t := range o.Tests {
		if t.Status.Failing() {
			return true
		}
	}
	return false
}
