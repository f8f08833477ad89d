package tasks

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"assay/bench"
	"assay/languages"
)

// Validation is what running an instance's own patches showed of it.
type Validation struct {
	InstanceID string          `json:"instance_id"`
	Language   string          `json:"language"`
	Sound      bool            `json:"sound"`
	Verdict    bench.Verdict   `json:"verdict,omitempty"` // infra or harness_error where it could not be run
	Problems   []string        `json:"problems,omitempty"`
	Bad        []BadValidation `json:"bad_patches,omitempty"`
	// Flaky are tests that changed their mind between runs of one state.
	Flaky []string `json:"flaky,omitempty"`
	// FailToPass and PassToPass are measured again: canonical ids, without
	// flaky and unstable ones.
	FailToPass []string `json:"FAIL_TO_PASS"`
	PassToPass []string `json:"PASS_TO_PASS"`
	Runs       int      `json:"runs"` // of each state
	// Judgeable says that submissions can be judged by the published ids here,
	// at most without a few pass-to-pass tests; LeftOut are these.
	Judgeable bool     `json:"judgeable"`
	LeftOut   []string `json:"left_out,omitempty"`
	// Differences are the published ids that the runs do not confirm.
	Differences []Difference `json:"differences,omitempty"`
	// Unpublished counts tests that the lists measured again hold and that no
	// published id stands for.
	Unpublished int `json:"unpublished,omitempty"`
	// HiddenTests is how well the hidden tests judge code, where that was asked
	// for.
	HiddenTests *Strength `json:"hidden_tests,omitempty"`

	measured bool // the two lists above may replace the published ones
}

// BadValidation is what one bad patch does.
type BadValidation struct {
	Index     int         `json:"idx"`
	Level     bench.Level `json:"level"`
	F2PFailed int         `json:"f2p_failed"`
	P2PFailed int         `json:"p2p_failed"`
	Detail    string      `json:"detail,omitempty"`
}

// Validate runs base and gold several times each, and every bad patch and
// good variant once, with the hidden tests. The error is only ever the
// context's.
func (j Judge) Validate(ctx context.Context, inst *bench.Instance, runs int) (Validation, error) {
	v := Validation{InstanceID: inst.ID, Language: inst.Language, Runs: runs}
	bed, err := j.Machine.Open(ctx, inst)
	if err == nil {
		err = j.validate(ctx, inst, bed, &v)
	}
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	if err != nil {
		var reason string
		v.Verdict, reason = blame(err)
		v.problem("%s", reason)
	}
	v.Sound = len(v.Problems) == 0
	return v, nil
}

func (v *Validation) problem(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
}

func (j Judge) validate(ctx context.Context, inst *bench.Instance, bed *languages.Testbed, v *Validation) error {
	task := Task{Kind: "validate", Instance: inst, Languages: j.Machine.Languages}
	run := func(name, code string, attempt int) (languages.Outcome, error) {
		o, err := bed.RunTests(ctx, languages.Variant{Name: name, Code: code, Tests: inst.TestPatch, Attempt: attempt})
		if err == nil && j.Seen != nil {
			j.Seen(task, bench.Prediction{InstanceID: inst.ID}, o)
		}
		return o, err
	}
	var base, gold []languages.Outcome
	for i := range max(v.Runs, 1) {
		b, err := run(baseRun, "", i)
		if err != nil {
			return err
		}
		g, err := run(goldRun, CodeOf(task, inst.Patch), i)
		if err != nil {
			return err
		}
		base, gold = append(base, b), append(gold, g)
	}
	known := languages.ClearAll(gold, base)
	v.Differences = differences(inst, base, gold)
	v.measure(base, gold)
	measured := *inst
	if len(inst.FailToPass) == 0 {
		measured.FailToPass, measured.PassToPass = v.FailToPass, v.PassToPass
	}
	noTests, err := bed.NoTests(ctx, slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass)))
	if err != nil {
		return err
	}
	judged := control{noTests: noTests}.task(Task{Instance: &measured}).Instance
	seen := readControl(judged, gold[0])
	v.Judgeable, v.LeftOut = seen.unusable == "" && len(judged.FailToPass) > 0, seen.leftOut
	v.Unpublished = unpublished(task.Language(), inst, v.FailToPass, v.PassToPass)
	v.checkStates(&measured, base, gold)
	for i, g := range inst.GoodVariants {
		o, err := run(goodRun(i), g.Patch, 0)
		if err != nil {
			return err
		}
		if ok, reason := Resolves(&measured, o.Cleared(known)); !ok {
			v.problem("good variant %d does not resolve: %s", i, reason)
		}
	}
	for i, b := range inst.BadPatches {
		o, err := run(badRun(i), CodeOf(task, b.Patch), 0)
		if err != nil {
			return err
		}
		v.Bad = append(v.Bad, badValidation(&measured, b.Index, o.Cleared(known), base[0]))
	}
	return nil
}

func badValidation(inst *bench.Instance, index int, o, base languages.Outcome) BadValidation {
	f2p, p2p := HiddenTests(inst, o)
	return BadValidation{
		Index: index, Level: LevelOf(inst, o, base),
		F2PFailed: len(f2p.Failed), P2PFailed: len(p2p.Failed), Detail: o.Detail,
	}
}

// Resolves reports whether a run of the hidden tests resolves the instance, and
// why it does not.
func Resolves(inst *bench.Instance, o languages.Outcome) (ok bool, why string) {
	f2p, p2p := HiddenTests(inst, o)
	verdict, why := byHiddenTests(f2p, p2p, o)
	return verdict == bench.Resolved, why
}

// checkStates asks that gold resolves in every run and base in none, and that
// the tests ran at all: what a run that was cut says about tests is not
// measured.
func (v *Validation) checkStates(inst *bench.Instance, base, gold []languages.Outcome) {
	v.measured = true
	for i, o := range base {
		switch o.State {
		case bench.RunTimeout, bench.RunLimit, bench.RunSuspect, bench.RunUnapplied:
			v.measured = false
			v.problem("base cannot be measured in run %d: %s %s", i+1, o.State, o.Detail)
		}
	}
	for i, o := range gold {
		v.measured = v.measured && o.State == bench.RunDone
		if ok, reason := Resolves(inst, o); !ok {
			v.problem("gold does not resolve in run %d: %s", i+1, reason)
		}
	}
	for i, o := range base {
		if ok, _ := Resolves(inst, o); ok {
			v.problem("base resolves in run %d without any patch", i+1)
		}
	}
	for _, d := range v.Differences {
		if d.List == listF2P && d.Gold.OK() {
			v.problem("%s is listed in FAIL_TO_PASS: %s", d.ID, d.Why)
		}
	}
	if len(inst.FailToPass) == 0 {
		v.problem("no test fails on base and passes on gold")
	}
}

// unpublished counts measured tests that no published id stands for.
func unpublished(l languages.Language, inst *bench.Instance, f2p, p2p []string) int {
	known := slices.Concat(f2p, p2p)
	covered := map[string]bool{}
	for _, ids := range languages.MatchIDs(l, slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass)), known) {
		for _, id := range ids {
			covered[id] = true
		}
	}
	n := 0
	for _, id := range known {
		if !covered[id] {
			n++
		}
	}
	return n
}

// measure finds the fail-to-pass and pass-to-pass tests: their status is the
// worst over the runs of a state, and one that changes its mind is in neither.
func (v *Validation) measure(base, gold []languages.Outcome) {
	before, flakyBefore := verdicts(base)
	after, flakyAfter := verdicts(gold)
	flaky := map[string]bool{}
	for _, set := range []map[string]bool{flakyBefore, flakyAfter} {
		for id := range set {
			flaky[id] = true
		}
	}
	for id := range flaky {
		v.Flaky = append(v.Flaky, id)
	}
	sort.Strings(v.Flaky)
	v.FailToPass, v.PassToPass = []string{}, []string{}
	for id, ok := range after {
		switch {
		case !ok || flaky[id] || languages.UnstableID(id):
		case before[id]:
			v.PassToPass = append(v.PassToPass, id)
		default:
			v.FailToPass = append(v.FailToPass, id)
		}
	}
	sort.Strings(v.FailToPass)
	sort.Strings(v.PassToPass)
}

// verdicts says about every test whether it ended well in all runs, and which
// tests did so in some runs only.
func verdicts(runs []languages.Outcome) (ok, flaky map[string]bool) {
	count := map[string]int{}
	ok, flaky = map[string]bool{}, map[string]bool{}
	for _, o := range runs {
		for _, t := range o.Tests {
			if _, seen := ok[t.ID]; !seen {
				ok[t.ID] = false
			}
			if t.Status.OK() {
				count[t.ID]++
			}
		}
	}
	for id := range ok {
		ok[id] = count[id] == len(runs)
		flaky[id] = count[id] > 0 && count[id] < len(runs)
		if !flaky[id] {
			delete(flaky, id)
		}
	}
	return ok, flaky
}

// Rewrite returns the instance with what the validation measured: both lists
// and the level of every bad patch. Where base or gold could not be measured
// it returns the instance as it is.
func (v Validation) Rewrite(inst bench.Instance) bench.Instance {
	if !v.measured {
		return inst
	}
	inst.FailToPass, inst.PassToPass = v.FailToPass, v.PassToPass
	bad := append([]bench.BadPatch(nil), inst.BadPatches...)
	for i := range bad {
		if i < len(v.Bad) {
			bad[i].Level = v.Bad[i].Level
		}
	}
	inst.BadPatches = bad
	return inst
}
