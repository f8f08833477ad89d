package tasks

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"assay/bench"
	"assay/languages"
)

// TestGen judges a test patch: its tests must fail on base, pass on the gold
// patch, fail on every eligible bad patch (OmniCode, section 3.2.2, narrowed to
// bad patches that contradict the issue) and pass on every good variant.
type TestGen struct {
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
	// Coverage measures how much of the gold patch the tests execute; empty means
	// off.
	Coverage CoverageMode
	// Quality is how often the tests run on base and on gold, to find flaky ones;
	// the tests that exist then run, too. 0 means off.
	Quality int
}

// Name implements Kind.
func (TestGen) Name() string { return "testgen" }

// Build implements Kind.
func (t TestGen) Build(inst *bench.Instance) ([]Task, error) {
	task := Task{Kind: t.Name(), Instance: inst, Languages: t.Languages}
	switch {
	case languages.IsGeneric(task.Language()):
		return nil, fmt.Errorf("its language, %s, is not one whose tests assay can identify", inst.Language)
	case inst.Patch == "":
		return nil, errors.New("it has no gold patch")
	case inst.TestPatch == "" || len(inst.FailToPass) == 0:
		return nil, errors.New("it has no fail-to-pass tests to show which bad patches may judge")
	}
	return []Task{task}, nil
}

const (
	baseRun      = "base"
	goldRun      = "gold"
	badPrefix    = "bad/"
	hiddenPrefix = "hidden/"
	hiddenBase   = hiddenPrefix + "base"
)

func badRun(i int) string    { return fmt.Sprintf("%s%d", badPrefix, i) }
func hiddenRun(i int) string { return fmt.Sprintf("%sbad/%d", hiddenPrefix, i) }
func goodRun(i int) string   { return fmt.Sprintf("good/%d", i) }

// Plan implements Kind.
func (t TestGen) Plan(task Task, p bench.Prediction) Plan {
	s, err := Divide(task, p.Patch, true)
	if err != nil {
		return Refused(err)
	}
	flags := s.Flags
	for _, path := range s.Source.Paths() {
		flags = append(flags, bench.Flag{Kind: "non_test_changes", Path: path, Detail: "left out: only tests count"})
	}
	switch {
	case s.Empty():
		return early(bench.EmptyPatch, "the patch is empty", flags)
	case s.Tests.Empty():
		return early(bench.Unresolved, "the patch changes no test", flags)
	}
	tests := string(s.Tests.Bytes())
	return Plan{Flags: flags, Runs: append(testgenRuns(task, t.Coverage, tests), t.qualityRuns(task, tests)...)}
}

func testgenRuns(task Task, mode CoverageMode, tests string) []Run {
	inst := task.Instance
	var runs []Run
	add := func(name, code string) {
		runs = append(runs, Run{Variant: languages.Variant{Name: name, Code: code, Tests: tests, Contributed: true}})
	}
	add(baseRun, "")
	add(goldRun, inst.Patch)
	runs = append(runs, coverRuns(task, mode, tests)...)
	for i, v := range inst.GoodVariants {
		add(goodRun(i), v.Patch)
	}
	for i, b := range inst.BadPatches {
		code := CodeOf(task, b.Patch)
		// Where the dataset does not give the level of a bad patch, the
		// hidden tests decide it. These runs are the same for every
		// submission.
		if i == firstUnmeasured(inst) {
			runs = append(runs, Run{Variant: languages.Variant{Name: hiddenBase, Tests: inst.TestPatch}})
		}
		if b.Level == bench.LevelUnmeasured {
			runs = append(runs, Run{Variant: languages.Variant{Name: hiddenRun(b.Index), Code: code, Tests: inst.TestPatch}})
		}
		add(badRun(b.Index), code)
	}
	return runs
}

func firstUnmeasured(inst *bench.Instance) int {
	for i, b := range inst.BadPatches {
		if b.Level == bench.LevelUnmeasured {
			return i
		}
	}
	return -1
}

// Settled implements Kind: one miss is enough. Tests that do not fail on base
// still run on gold: whether they pass there is a figure of its own.
func (t TestGen) Settled(task Task, seen Outcomes) bool {
	for name := range seen {
		ours := !strings.HasPrefix(name, hiddenPrefix) && decides(name)
		if v, _ := broken(name, ours, seen); v != "" {
			return true
		}
	}
	g := t.facts(task.Instance, seen)
	no := func(b *bool) bool { return b != nil && !*b }
	if _, compared := seen[goldRun]; !compared {
		return false
	}
	for _, r := range coverRuns(task, t.Coverage, "") {
		if _, ran := seen[r.Name]; !ran {
			return false
		}
	}
	return no(g.FailsBase) || no(g.PassesGold) || no(g.GoodPass) || no(g.AllBadFail)
}

// facts collects what the runs seen so far say about the tests.
func (TestGen) facts(inst *bench.Instance, seen Outcomes) *bench.TestGen {
	g := &bench.TestGen{
		Contributed: contributedIDs(seen), BadPatches: len(inst.BadPatches),
		Eligible: []int{}, Killed: []int{}, KilledAll: []int{}, Matrix: matrix(seen), Failures: failures(seen),
	}
	if o, ok := seen[baseRun]; ok {
		g.FailsBase = ptr(failed(o))
	}
	if o, ok := seen[goldRun]; ok {
		g.PassesGold = ptr(Passed(o.Outcome))
	}
	judgeGood(inst, seen, g)
	judgeBad(inst, seen, g)
	return g
}

// Judge implements Kind.
func (t TestGen) Judge(task Task, plan Plan, seen Outcomes) bench.Result {
	inst := task.Instance
	g := t.facts(inst, seen)
	r := bench.Result{Runs: Record(plan, seen), TestGen: g}
	for _, run := range plan.Runs {
		if !decides(run.Name) {
			continue
		}
		if run.Name == goldRun && g.FailsBase != nil && !*g.FailsBase {
			continue // base has decided
		}
		if v, reason := broken(run.Name, run.Contributed, seen); v != "" {
			r.Verdict, r.Reason = v, reason
			r.Transitions = &bench.Transitions{Applies: v != bench.InvalidPatch}
			if v == bench.Timeout {
				r.Transitions = transitions(seen)
			}
			return r
		}
	}
	r.Transitions = transitions(seen)
	r.Verdict, r.Reason = decide(g)
	t.cover(&r, task, seen)
	r.Quality = t.quality(task, seen, g)
	return r
}

// cover adds the coverage that was asked for, or the reason why there is none.
func (t TestGen) cover(r *bench.Result, task Task, seen Outcomes) {
	if !t.Coverage.on() {
		return
	}
	c, err := changeCoverage(task, seen, r.Transitions)
	if err != nil {
		r.Flags = append(r.Flags, bench.Flag{Kind: FlagNoCoverage, Detail: err.Error()})
	}
	r.Coverage = c
}

// DigestParts implements Digester.
func (t TestGen) DigestParts(Task) []string {
	var parts []string
	if t.Coverage.on() {
		parts = append(parts, "coverage "+string(t.Coverage))
	}
	if t.Quality > 0 {
		parts = append(parts, fmt.Sprintf("quality %d", t.Quality))
	}
	return parts
}

// Complete implements Completer: the transitions of a submission that was not
// run. A verdict that is not about the submission has none.
func (t TestGen) Complete(r *bench.Result, task Task) {
	switch {
	case !r.Verdict.Judged():
		r.Transitions, r.Coverage, r.Quality = nil, nil, nil
		return
	case r.Transitions == nil:
		r.Transitions = &bench.Transitions{}
	}
	unmeasured := slices.ContainsFunc(r.Flags, func(f bench.Flag) bool { return f.Kind == FlagNoCoverage })
	if r.Coverage == nil && !unmeasured && len(coverRuns(task, t.Coverage, "")) > 0 {
		r.Coverage = nothingCovered(task)
	}
}

// broken finds what makes a submission unjudgeable or void as a whole.
func broken(name string, contributed bool, seen Outcomes) (bench.Verdict, string) {
	o, ok := seen[name]
	switch {
	case !ok || !contributed:
	case o.State == bench.RunUnapplied && o.Unapplied != nil && o.Unapplied.Tests:
		return bench.InvalidPatch, fmt.Sprintf("on %s: %s", name, o.Detail)
	case o.State == bench.RunUnapplied && (name == goldRun || name == baseRun):
		return bench.HarnessError, fmt.Sprintf("on %s: %s", name, o.Detail)
	case o.State == bench.RunSuspect && !strings.HasPrefix(name, badPrefix):
		return bench.Suspect, fmt.Sprintf("on %s: %s", name, o.Detail)
	case o.State == bench.RunTimeout && name == goldRun:
		return bench.Timeout, "on gold: the tests did not end in time"
	}
	return "", ""
}

func judgeGood(inst *bench.Instance, seen Outcomes, g *bench.TestGen) {
	if len(inst.GoodVariants) == 0 {
		return
	}
	complete := true
	for i := range inst.GoodVariants {
		o, ok := seen[goodRun(i)]
		complete = complete && ok
		if ok && !Passed(o.Outcome) {
			g.GoodPass = ptr(false)
			return
		}
	}
	if complete {
		g.GoodPass = ptr(true)
	}
}

func judgeBad(inst *bench.Instance, seen Outcomes, g *bench.TestGen) {
	complete, survived, survivedAny := true, false, false
	for _, b := range inst.BadPatches {
		o, ran := seen[badRun(b.Index)]
		level, known := levelAt(b, inst, seen)
		complete = complete && ran && known
		eligible := known && Eligible(level)
		if eligible {
			g.Eligible = append(g.Eligible, b.Index)
		}
		if !ran {
			continue
		}
		// The paper's rule counts everything but a clean pass.
		if Passed(o.Outcome) {
			survivedAny = true
		} else {
			g.KilledAll = append(g.KilledAll, b.Index)
		}
		switch {
		case eligible && (failed(o) || o.State == bench.RunSuspect && !o.Elsewhere):
			g.Killed = append(g.Killed, b.Index)
		case eligible:
			survived = true
		}
	}
	if survived || complete && len(g.Eligible) > 0 {
		g.AllBadFail = ptr(!survived)
	}
	if survivedAny || complete && len(inst.BadPatches) > 0 {
		g.PaperAllBadFail = ptr(!survivedAny)
	}
}

func levelAt(b bench.BadPatch, inst *bench.Instance, seen Outcomes) (bench.Level, bool) {
	if b.Level != bench.LevelUnmeasured {
		return b.Level, true
	}
	bad, ok := seen[hiddenRun(b.Index)]
	base, okBase := seen[hiddenBase]
	if !ok || !okBase {
		return "", false
	}
	return LevelOf(inst, bad.Outcome, base.Outcome), true
}

func decide(g *bench.TestGen) (bench.Verdict, string) {
	switch {
	case len(g.Contributed) == 0:
		return bench.Unresolved, "the patch adds or changes no test"
	case g.FailsBase == nil || !*g.FailsBase:
		return bench.Unresolved, "its tests do not fail on base"
	case g.PassesGold == nil || !*g.PassesGold:
		return bench.Unresolved, "its tests do not pass on the gold patch"
	case g.GoodPass != nil && !*g.GoodPass:
		return bench.Unresolved, "its tests fail on a rewrite of the gold patch that behaves the same"
	case g.AllBadFail != nil && !*g.AllBadFail:
		return bench.Unresolved, fmt.Sprintf("its tests fail on %d of %d eligible bad patches", len(g.Killed), len(g.Eligible))
	case g.AllBadFail == nil:
		return bench.Resolved, "no bad patch is eligible: judged by base, gold and good variants alone"
	}
	return bench.Resolved, ""
}

// contributedIDs takes the ids from the run that knows most: gold's.
func contributedIDs(seen Outcomes) []string {
	for _, name := range []string{goldRun, baseRun} {
		if o, ok := seen[name]; ok && len(o.Contributed) > 0 {
			ids := append([]string(nil), o.Contributed...)
			sort.Strings(ids)
			return ids
		}
	}
	return []string{}
}

// matrix is the status of every contributed test on every variant.
func matrix(seen Outcomes) map[string]map[string]bench.Status {
	m := map[string]map[string]bench.Status{}
	for name, o := range seen {
		if o.Contributed == nil || !decides(name) {
			continue
		}
		row := map[string]bench.Status{}
		for _, t := range o.Tests {
			row[t.ID] = t.Status
		}
		m[name] = row
	}
	return m
}

func ptr[T any](v T) *T { return &v }
