package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/bench"
	"assay/languages"
	"assay/llm/prompts"
	"assay/tasks"
)

// Shorten is a kind of task that assay does not have: make code shorter, and
// keep its tests passing. The field "shorten" of an instance has the details.
type Shorten struct {
	// Least, when set, replaces the tasks' own.
	Least *int
}

// All that a kind may offer. Kind is enough for judging predictions.
var (
	_ tasks.Kind         = Shorten{}
	_ tasks.Solver       = Shorten{} // eval --gold
	_ tasks.Configurable = Shorten{} // options
	_ tasks.Digester     = Shorten{} // options are part of what a result is for
	_ tasks.Completer    = Shorten{} // figures of submissions that were never run
)

// shortenTask is the field of an instance.
type shortenTask struct {
	Files    []string `json:"files"`    // to be shortened, relative to the repository
	Least    int      `json:"least"`    // lines of code that must go
	Solution string   `json:"solution"` // a patch that does
}

// The names of the runs.
const (
	onBase       = "tests/base"
	onSubmission = "tests/submission"
)

// linesRemoved is the figure that reports show.
const linesRemoved = "lines removed"

// Name implements tasks.Kind.
func (Shorten) Name() string { return "shorten" }

// Build implements tasks.Kind.
func (k Shorten) Build(inst *bench.Instance) ([]tasks.Task, error) {
	field, ok := inst.Extra["shorten"]
	if !ok {
		return nil, errors.New(`it has no field "shorten"`)
	}
	var s shortenTask
	if err := json.Unmarshal(field, &s); err != nil {
		return nil, fmt.Errorf(`field "shorten": %w`, err)
	}
	if len(s.Files) == 0 {
		return nil, errors.New(`field "shorten.files": expected at least one path`)
	}
	if k.Least != nil {
		s.Least = *k.Least
	}
	return []tasks.Task{{Kind: k.Name(), Instance: inst, Data: s}}, nil
}

// of is what Build kept of a task.
func of(t tasks.Task) shortenTask {
	s, _ := t.Data.(shortenTask)
	return s
}

// Plan implements tasks.Kind: the tests as they are at base, on base and on the
// submission. Of the submission only code counts.
func (Shorten) Plan(t tasks.Task, p bench.Prediction) tasks.Plan {
	s, err := tasks.Divide(t, p.Patch, false)
	if err != nil {
		return tasks.Refused(err)
	}
	if s.Source.Empty() {
		return tasks.Plan{Early: bench.EmptyPatch, Reason: "the patch changes no code", Flags: s.Flags}
	}
	run := func(name, code string) tasks.Run {
		return tasks.Run{Variant: languages.Variant{Name: name, Code: code, Tests: t.Instance.TestPatch, Existing: true}}
	}
	return tasks.Plan{Flags: s.Flags, Runs: []tasks.Run{run(onBase, ""), run(onSubmission, string(s.Source.Bytes()))}}
}

// Settled implements tasks.Kind: both runs are needed to find what broke.
func (Shorten) Settled(tasks.Task, tasks.Outcomes) bool { return false }

// Judge implements tasks.Kind.
func (Shorten) Judge(t tasks.Task, plan tasks.Plan, seen tasks.Outcomes) bench.Result {
	removed := 0
	for _, r := range plan.Runs {
		removed += removedLines(r.Code)
	}
	r := bench.Result{Runs: tasks.Record(plan, seen), Figures: map[string]float64{linesRemoved: float64(removed)}}
	base, after := seen[onBase], seen[onSubmission]
	broken := brokenTests(base, after)
	switch {
	case base.State != bench.RunDone || len(base.Tests) == 0:
		r.Verdict, r.Reason = bench.HarnessError, "the tests do not run on base: "+base.Detail
	case after.State == bench.RunUnapplied:
		r.Verdict, r.Reason = bench.InvalidPatch, after.Detail
	case after.State == bench.RunSuspect:
		r.Verdict, r.Reason = bench.Suspect, after.Detail
	case after.State == bench.RunTimeout:
		r.Verdict, r.Reason = bench.Timeout, "the tests did not end in time"
	case after.State != bench.RunDone || len(broken) > 0:
		r.Verdict, r.Reason = bench.Unresolved, fmt.Sprintf("%d tests do not pass any more (%s %s)", len(broken), after.State, after.Detail)
	case removed < of(t).Least:
		r.Verdict, r.Reason = bench.Unresolved, fmt.Sprintf("%d lines of code removed, expected %d", removed, of(t).Least)
	default:
		r.Verdict = bench.Resolved
	}
	return r
}

// brokenTests are those that pass on base and not on the submission.
func brokenTests(base, after tasks.Outcome) []string {
	passes := map[string]bool{}
	for _, t := range after.Tests {
		passes[t.ID] = t.Status.OK()
	}
	var broken []string
	for _, t := range base.Tests {
		if t.Status.OK() && !passes[t.ID] {
			broken = append(broken, t.ID)
		}
	}
	return broken
}

// removedLines is how many lines of code a diff removes more than it adds. Blank
// lines and comments do not count.
func removedLines(diff string) int {
	n := 0
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") || len(line) < 2 {
			continue
		}
		code := strings.TrimSpace(line[1:])
		switch {
		case code == "" || strings.HasPrefix(code, "#"):
		case line[0] == '-':
			n++
		case line[0] == '+':
			n--
		}
	}
	return n
}

// Solution implements tasks.Solver.
func (Shorten) Solution(t tasks.Task) string { return of(t).Solution }

// Prompt implements engine.Prompter.
func (Shorten) Prompt(_ prompts.Set, t tasks.Task) (string, error) {
	return fmt.Sprintf("Make %s shorter by at least %d lines of code. All tests must still pass.\n", strings.Join(of(t).Files, ", "), of(t).Least), nil
}

// Options implements tasks.Configurable.
func (k Shorten) Options() []tasks.Option {
	o := tasks.Option{Name: "least-removed", Type: "int", Usage: "shorten tasks: how many lines of code must go"}
	if k.Least != nil {
		o.Value = *k.Least
	}
	return []tasks.Option{o}
}

// Set implements tasks.Configurable.
func (k Shorten) Set(name, text string) (tasks.Kind, error) {
	n, err := strconv.Atoi(text)
	if err != nil || name != "least-removed" {
		return nil, fmt.Errorf("--%s %q: expected a whole number", name, text)
	}
	k.Least = &n
	return k, nil
}

// DigestParts implements tasks.Digester.
func (Shorten) DigestParts(t tasks.Task) []string { return []string{strconv.Itoa(of(t).Least)} }

// Complete implements tasks.Completer: what was never run removes nothing.
func (Shorten) Complete(r *bench.Result, _ tasks.Task) {
	if r.Figures == nil && r.Verdict.Judged() {
		r.Figures = map[string]float64{linesRemoved: 0}
	}
}
