package tasks

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"assay/bench"
	"assay/languages"
)

// Strength is how well an instance's hidden tests judge code, measured as
// generated tests are: as a submission to test generation.
type Strength struct {
	Transitions *bench.Transitions    `json:"transitions,omitempty"`
	Coverage    *bench.ChangeCoverage `json:"coverage,omitempty"`
	Eligible    []int                 `json:"eligible"` // bad patches that may judge tests
	Killed      []int                 `json:"killed"`
	// Survivors are the bad patches, eligible or not, on which the contributed
	// hidden tests run and all pass.
	Survivors []bench.Survivor `json:"survivors,omitempty"`
	// Problem is why something could not be measured.
	Problem string `json:"problem,omitempty"`
}

// Strength measures the hidden tests of an instance. The error is only ever the
// context's.
func (j Judge) Strength(ctx context.Context, inst *bench.Instance) (*Strength, error) {
	s := &Strength{Eligible: []int{}, Killed: []int{}}
	kind := TestGen{Languages: j.Machine.Languages, Coverage: CoverageOn}
	built, err := kind.Build(inst)
	if err != nil {
		s.Problem = err.Error()
		return s, nil
	}
	j.Full = true
	r, err := j.Evaluate(ctx, kind, built[0], bench.Prediction{InstanceID: inst.ID, Model: "gold", Patch: inst.TestPatch})
	if err != nil {
		return s, err
	}
	s.Transitions, s.Coverage = r.Transitions, r.Coverage
	if r.Verdict != bench.Resolved {
		s.Problem = r.Reason
	}
	for _, f := range r.Flags {
		if f.Kind == FlagNoCoverage {
			s.Problem = f.Detail
		}
	}
	if r.TestGen == nil {
		return s, nil
	}
	s.Eligible, s.Killed = r.TestGen.Eligible, r.TestGen.Killed
	return s, j.survivors(ctx, built[0], r, s)
}

// survivors runs the hidden tests on each bad patch that they let pass, and notes
// which of its lines they execute.
func (j Judge) survivors(ctx context.Context, task Task, r bench.Result, s *Strength) error {
	inst := task.Instance
	bed, err := j.Machine.Open(ctx, inst)
	if err != nil {
		s.Problem = err.Error()
		return ctx.Err()
	}
	for _, b := range inst.BadPatches {
		ran := slices.ContainsFunc(r.Runs, func(run bench.Run) bool { return run.Name == badRun(b.Index) && run.State == bench.RunDone })
		if !ran || slices.Contains(r.TestGen.KilledAll, b.Index) {
			continue
		}
		run := survivorRun(task, b)
		o := Outcome{}
		if run.Cover != nil {
			if o, err = j.run(ctx, bed, inst, run, trust{}); err != nil {
				return err
			}
		}
		s.Survivors = append(s.Survivors, bench.Survivor{Index: b.Index, Reached: reached(o.Outcome)})
	}
	return nil
}

// survivorRun measures what a bad patch adds, or, where it only removes, that on
// base.
func survivorRun(task Task, b bench.BadPatch) Run {
	code := CodeOf(task, b.Patch)
	lines := changedLines(code)
	v := languages.Variant{Name: coverPrefix + badRun(b.Index), Code: code, Tests: task.Instance.TestPatch, Contributed: true}
	if v.Cover = measurable(task.Language(), lines, true); v.Cover == nil {
		v.Code, v.Cover = "", measurable(task.Language(), lines, false)
	}
	return Run{Variant: v}
}

// reached are the lines in question that the contributed tests executed while
// they ran; nil where nothing was measured.
func reached(o languages.Outcome) []string {
	if o.Coverage == nil {
		return nil
	}
	out := []string{}
	for _, path := range slices.Sorted(maps.Keys(o.Coverage)) {
		for _, n := range o.Coverage[path].InTests(o.Contributed) {
			out = append(out, fmt.Sprintf("%s:%d", path, n))
		}
	}
	return out
}
