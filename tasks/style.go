package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/style"
	"assay/style/linters"
)

// Style judges a patch by a linter's findings before and after it, and by
// whether function is held (OmniCode, section 3.2.4 and appendix C.1).
type Style struct {
	// MinScore and MaxRemaining, when set, replace the tasks' own.
	MinScore     *float64
	MaxRemaining *int
	// Linters are the tools; nil means those that come with assay.
	Linters *style.Linters
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
}

func (k Style) linters() *style.Linters {
	if k.Linters == nil {
		return linters.Default()
	}
	return k.Linters
}

// linter is the tool of that name; nil where it is not known.
func (k Style) linter(name string) style.Linter {
	l, err := k.linters().Lookup(name)
	if err != nil {
		return nil
	}
	return l
}

// lintersOf are the tools of a language.
func (k Style) lintersOf(language string) []style.Linter {
	return slices.DeleteFunc(k.linters().All(), func(l style.Linter) bool { return l.About().Language != language })
}

// configKind is what a file may configure in a linter.
func (k Style) configKind(linter, p string) style.ConfigKind {
	reader, ok := k.linter(linter).(style.ConfigReader)
	if !ok {
		return style.NoConfig
	}
	return reader.ConfigPath(p)
}

// Names of the runs of a style task.
const (
	lintBase       = "lint/base"
	lintSubmission = "lint/submission"
	// heldHidden is the gold patch on top of the submission, with the hidden
	// tests: all that must pass with gold must pass so too.
	heldHidden = "function/gold"
	// heldBase and heldSubmission run the existing tests, as they are at
	// base, for submissions to which gold does not apply.
	heldBase       = "function/base"
	heldSubmission = "function/submission"
)

// Name implements Kind.
func (Style) Name() string { return "style" }

// Build implements Kind.
func (k Style) Build(inst *bench.Instance) ([]Task, error) {
	if len(inst.Style) == 0 {
		return nil, errors.New("it has no style findings (assay build makes them)")
	}
	var out []Task
	for i := range inst.Style {
		s := inst.Style[i]
		if len(s.Findings) == 0 || len(s.Files) == 0 {
			return nil, fmt.Errorf("style[%d]: it lists no findings", i)
		}
		if k.MinScore != nil {
			s.MinScore = k.MinScore
		}
		if k.MaxRemaining != nil {
			s.MaxRemaining = k.MaxRemaining
		}
		out = append(out, Task{Kind: k.Name(), Instance: inst, Part: strconv.Itoa(s.Index), Style: &s, Languages: k.Languages})
	}
	return out, nil
}

// Plan implements Kind.
func (k Style) Plan(task Task, p bench.Prediction) Plan {
	s, err := Divide(task, p.Patch, false)
	if err != nil {
		return Refused(err)
	}
	flags := s.Flags
	for _, path := range s.Tests.Paths() {
		flags = append(flags, bench.Flag{Kind: "test_hunks", Path: path, Detail: "split off: a style task is about the code"})
	}
	config, code := s.Source.Split(func(p string) bool {
		return k.configKind(task.Style.Linter, p) != style.NoConfig || task.Language().Classify(p) == languages.BuildPath
	})
	flags = append(flags, k.configFlags(task.Style.Linter, config.Paths())...)
	flags = append(flags, k.configFlags(task.Style.Linter, s.Runner.Paths())...)
	switch {
	case s.Empty():
		return early(bench.EmptyPatch, "the patch is empty", flags)
	case code.Empty():
		return early(bench.Unresolved, "the patch changes no code", flags)
	}
	return Plan{Flags: flags, Runs: k.runs(task, string(code.Bytes()), code.Paths())}
}

// configFlags report edits of what may configure a linter: they are split
// off, and a file that only linters read was edited to cheat.
func (k Style) configFlags(linter string, paths []string) []bench.Flag {
	var flags []bench.Flag
	for _, p := range paths {
		if k.configKind(linter, p) == style.OwnConfig {
			flags = append(flags, bench.Flag{Kind: style.FlagConfig, Path: p, Detail: "split off: it says what the linter looks for"})
			continue
		}
		flags = append(flags, bench.Flag{Kind: style.FlagBuildFile, Path: p, Detail: "split off: a style task is about the code"})
	}
	return flags
}

func (k Style) runs(task Task, code string, touched []string) []Run {
	inst := task.Instance
	lint := &Lint{Linter: task.Style.Linter, Rules: k.rulesOf(task.Style), Files: slices.Clone(task.Style.Files)}
	for _, p := range touched {
		if task.Language().About().IsCode(p) {
			lint.Files = append(lint.Files, p)
		} else {
			lint.Watch = append(lint.Watch, p)
		}
	}
	slices.Sort(lint.Files)
	lint.Files = slices.Compact(lint.Files)
	runs := []Run{
		{Variant: languages.Variant{Name: lintBase}, Lint: lint},
		{Variant: languages.Variant{Name: lintSubmission, Code: code}, Lint: lint},
	}
	if len(inst.FailToPass)+len(inst.PassToPass) > 0 {
		runs = append(runs, Run{Variant: languages.Variant{Name: heldHidden, Start: code, Code: inst.Patch, Tests: inst.TestPatch}})
	}
	if inst.TestPatch != "" {
		runs = append(runs,
			Run{Variant: languages.Variant{Name: heldBase, Tests: inst.TestPatch, Existing: true}},
			Run{Variant: languages.Variant{Name: heldSubmission, Code: code, Tests: inst.TestPatch, Existing: true}})
	}
	return runs
}

// Settled implements Kind.
func (Style) Settled(_ Task, seen Outcomes) bool {
	if o, ok := seen[lintSubmission]; ok && o.State != bench.RunDone {
		return true
	}
	o, ok := seen[heldHidden]
	return ok && !goldConflicts(o)
}

// goldConflicts reports whether gold fails to apply to the submission.
func goldConflicts(o Outcome) bool {
	return o.State == bench.RunUnapplied && o.Unapplied != nil && !o.Unapplied.Start && !o.Unapplied.Tests
}

// Judge implements Kind.
func (k Style) Judge(task Task, plan Plan, seen Outcomes) bench.Result {
	r := bench.Result{Runs: Record(plan, seen)}
	lint := seen[lintSubmission]
	switch lint.State {
	case bench.RunUnapplied:
		r.Verdict, r.Reason = bench.InvalidPatch, lint.Detail
		return r
	case bench.RunTimeout:
		r.Verdict, r.Reason = bench.Timeout, "the linter did not end in time"
		return r
	case bench.RunSuspect, bench.RunLimit:
		r.Verdict, r.Reason = bench.Suspect, lint.Detail
		return r
	case bench.RunUnbuilt:
		r.Verdict, r.Reason = bench.Unresolved, lint.Detail
		return r
	}
	base := seen[lintBase]
	if base.Lint == nil || base.State != bench.RunDone {
		r.Verdict, r.Reason = bench.HarnessError, fmt.Sprintf("base cannot be linted: %s %s", base.State, base.Detail)
		return r
	}
	facts, told, err := k.compare(task, plan, *base.Lint, *lint.Lint)
	if err != nil {
		r.Verdict, r.Reason = bench.HarnessError, err.Error()
		return r
	}
	for _, f := range plan.Flags {
		if style.IsCheat(f) {
			facts.Cheats = append(facts.Cheats, f)
		}
	}
	held, why := functionHeld(task.Instance, seen)
	facts.FunctionHeld = held
	if held != nil {
		facts.HeldScore = new(float64)
		if *held && len(facts.Cheats) == 0 {
			*facts.HeldScore = facts.Score
		}
	}
	r.Style, r.Flags = facts, told
	r.Verdict, r.Reason = decideStyle(task.Style, facts, why)
	return r
}

// compare counts what was fixed and what is new, and looks for cheats.
func (k Style) compare(task Task, plan Plan, before, after style.LintOutcome) (facts *bench.Style, told []bench.Flag, err error) {
	t := task.Style
	change := style.Change{Language: task.Instance.Language, Languages: task.Languages, Before: all(before), After: all(after), Renamed: renames(plan)}
	matching := style.Match(before.Findings, after.Findings, change)
	if err := matching.Check(before.Findings, after.Findings); err != nil {
		return nil, nil, err
	}
	counted, err := style.Score(matching, style.Scope{Listed: t.Findings, Rules: k.rulesOf(t).Names})
	if err != nil {
		return nil, nil, err
	}
	facts = &counted
	facts.Linter, facts.Version = t.Linter, t.Version
	for _, f := range style.Cheats(style.Edit{Change: change, Matching: matching, Linters: k.lintersOf(task.Instance.Language)}) {
		if style.IsCheat(f) {
			facts.Cheats = append(facts.Cheats, f)
		} else {
			told = append(told, f)
		}
	}
	return facts, told, nil
}

// all are the texts that a lint run read.
func all(o style.LintOutcome) map[string][]byte {
	out := maps.Clone(o.Sources)
	maps.Copy(out, o.Watched)
	return out
}

// renames are those that the submission states.
func renames(plan Plan) map[string]string {
	for _, r := range plan.Runs {
		if r.Name == lintSubmission {
			if p, err := patch.Parse([]byte(r.Code)); err == nil {
				return style.Renames(p)
			}
		}
	}
	return nil
}

// rulesOf are the rules that count: the task's, or the linter's own where it
// names none.
func (k Style) rulesOf(t *bench.StyleTask) style.Rules {
	file, err := style.DefaultRules(k.linter(t.Linter))
	if err != nil {
		file = style.RuleFile{Linter: t.Linter}
	}
	return style.RulesOf(t, file.Rules())
}

// DigestParts implements Digester: the thresholds.
func (Style) DigestParts(t Task) []string {
	if t.Style == nil {
		return nil
	}
	limits, _ := json.Marshal([]any{t.Style.MinScore, t.Style.MaxRemaining}) // numbers and null only
	return []string{string(limits)}
}

// Complete implements Completer: nothing of the task's findings is fixed by a
// submission that was never run.
func (Style) Complete(r *bench.Result, t Task) {
	if t.Style != nil && r.Style == nil && r.Verdict.Judged() {
		r.Style = untouched(t.Style)
	}
}

// untouched is a style task without a single fix.
func untouched(t *bench.StyleTask) *bench.Style {
	m := style.Matching{}
	for _, f := range t.Findings {
		m.Pairs = append(m.Pairs, style.Pair{Before: f, After: f})
	}
	facts, _ := style.Score(m, style.Scope{}) // fails for listed findings only
	facts.Linter, facts.Version, facts.HeldScore = t.Linter, t.Version, new(float64)
	return &facts
}

// functionHeld reports whether the tests still pass; nil where there are
// none.
func functionHeld(inst *bench.Instance, seen Outcomes) (*bool, string) {
	if o, ok := seen[heldHidden]; ok && !goldConflicts(o) {
		f2p, p2p := HiddenTests(inst, o.Outcome)
		verdict, why := byHiddenTests(f2p, p2p, o.Outcome)
		if len(inst.FailToPass) == 0 && o.State == bench.RunDone && len(p2p.Failed) == 0 {
			verdict = bench.Resolved
		}
		return ptr(verdict == bench.Resolved), why
	}
	before, ok := seen[heldBase]
	after, ok2 := seen[heldSubmission]
	if !ok || !ok2 || before.State != bench.RunDone || len(before.Tests) == 0 {
		return nil, ""
	}
	if after.State != bench.RunDone {
		return ptr(false), fmt.Sprintf("the tests: %s %s", after.State, after.Detail)
	}
	passes := map[string]bool{}
	for _, t := range after.Tests {
		passes[t.ID] = t.Status.OK()
	}
	lost := 0
	for _, t := range before.Tests {
		if t.Status.OK() && !passes[t.ID] {
			lost++
		}
	}
	if lost > 0 {
		return ptr(false), fmt.Sprintf("%d of %d tests that pass on base no longer pass", lost, len(before.Tests))
	}
	return ptr(true), ""
}

// decideStyle is the pass criterion: function held, nothing cheated, and
// every finding fixed without a new one, or what the task's thresholds ask
// for.
func decideStyle(task *bench.StyleTask, s *bench.Style, why string) (bench.Verdict, string) {
	counts := fmt.Sprintf("%d of %d findings fixed, %d new", s.Resolved, s.Original, s.New)
	switch {
	case len(s.Cheats) > 0:
		return bench.Unresolved, fmt.Sprintf("%s; %s: %s %s", counts, s.Cheats[0].Kind, s.Cheats[0].Path, s.Cheats[0].Detail)
	case s.FunctionHeld != nil && !*s.FunctionHeld:
		return bench.Unresolved, counts + "; existing tests broke: " + why
	case !style.Passes(*task, *s):
		return bench.Unresolved, counts
	case s.FunctionHeld == nil:
		return bench.Unresolved, counts + "; no test shows whether existing behaviour is kept"
	}
	return bench.Resolved, ""
}
