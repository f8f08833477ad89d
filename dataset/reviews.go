package dataset

import (
	"context"
	"errors"
	"slices"
	"sort"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/review"
	"assay/tasks"
)

// ReviewRecord describes how one review came about and what its text is
// worth.
type ReviewRecord struct {
	BadPatch int         `json:"bad_patch"`
	Level    bench.Level `json:"level"` // of the bad patch
	Source   string      `json:"source"`
	// Leak is what the leak check says about the text and of those refused
	// before.
	Leak    *bench.LeakReport `json:"leak,omitempty"`
	Figures review.Figures    `json:"figures"`
}

// reviews runs the hidden tests on every bad patch, keeps its level, and has
// the best ones reviewed. Reviews of the instance are checked for leaks and
// kept.
func (b Builder) reviews(ctx context.Context, inst *bench.Instance, rec *Record) error {
	switch {
	case len(inst.Reviews) > 0:
		return b.checkReviews(ctx, inst, rec)
	case len(inst.BadPatches) == 0:
		return errors.New("it has no bad patches")
	case inst.TestPatch == "" || len(inst.FailToPass) == 0:
		return errors.New("it has no hidden tests to show what its bad patches do")
	}
	bed, err := b.Machine.Open(ctx, inst)
	if err != nil {
		return err
	}
	base, runs, err := b.shown(ctx, bed, inst)
	if err != nil {
		return err
	}
	for i := range inst.BadPatches {
		inst.BadPatches[i].Level = tasks.LevelOf(inst, runs[inst.BadPatches[i].Index], base)
	}
	chosen := reviewable(inst.BadPatches, b.Options.Reviews)
	if len(chosen) == 0 {
		return errors.New("there is no bad patch that applies and is wrong")
	}
	for _, bad := range chosen {
		if err := b.review(ctx, bed, inst, bad, runs[bad.Index], rec); err != nil {
			return err
		}
	}
	return nil
}

// shown runs the hidden tests on base and on the bad patches, the latter by index.
// What gold's run shows too counts against none of them.
func (b Builder) shown(ctx context.Context, bed *languages.Testbed, inst *bench.Instance) (languages.Outcome, map[int]languages.Outcome, error) {
	code := func(p string) string {
		return tasks.CodeOf(tasks.Task{Instance: inst, Languages: b.Machine.Languages}, p)
	}
	variants := []languages.Variant{{Name: "base", Tests: inst.TestPatch}}
	for _, bad := range inst.BadPatches {
		variants = append(variants, languages.Variant{Name: "bad patch", Code: code(bad.Patch), Tests: inst.TestPatch})
	}
	all := make([]languages.Outcome, len(variants))
	doubtful := false
	for i, v := range variants {
		var err error
		if all[i], err = bed.RunTests(ctx, v); err != nil {
			return languages.Outcome{}, nil, named("running the hidden tests on "+v.Name, err)
		}
		doubtful = doubtful || len(all[i].Doubts) > 0
	}
	if doubtful {
		gold, err := bed.RunTests(ctx, languages.Variant{Name: "gold", Code: code(inst.Patch), Tests: inst.TestPatch})
		if err != nil {
			return languages.Outcome{}, nil, named("running the hidden tests on gold", err)
		}
		languages.ClearAll([]languages.Outcome{gold}, all)
	}
	bad := map[int]languages.Outcome{}
	for i, b := range inst.BadPatches {
		bad[b.Index] = all[i+1]
	}
	return all[0], bad, nil
}

// reviewable lists the bad patches that can be reviewed: all that were published
// with a review, then the best others until there are so many. Best are those
// that build and contradict the issue, then those that break something else,
// that do nothing, that do not build.
func reviewable(bad []bench.BadPatch, most int) []bench.BadPatch {
	rank := map[bench.Level]int{
		bench.LevelFailsF2P: 1, bench.LevelBreaksP2P: 2, bench.LevelLikeBase: 3, bench.LevelUnbuilt: 4,
	}
	published := 0
	var out []bench.BadPatch
	for _, b := range bad {
		if rank[b.Level] == 0 {
			continue
		}
		out = append(out, b)
		if b.Review != "" {
			published++
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := out[i].Review != "", out[j].Review != ""; a != b {
			return a
		}
		return rank[out[i].Level] < rank[out[j].Level]
	})
	if most > 0 && len(out) > max(most, published) {
		out = out[:max(most, published)]
	}
	return out
}

func (b Builder) review(ctx context.Context, bed *languages.Testbed, inst *bench.Instance, bad bench.BadPatch, o languages.Outcome, rec *Record) error {
	in, err := b.reviewInput(ctx, bed, inst, bad, o)
	if err != nil {
		return err
	}
	subject, err := review.Study(in)
	if err != nil {
		return err
	}
	r, ok := published(subject, bad)
	if !ok {
		refused := r.Leak
		if r, err = b.Reviewer.Review(ctx, subject); err != nil {
			return &FatalError{named("reviewing "+inst.ID, err)}
		}
		noteRefused(&r, refused)
	}
	inst.Reviews = append(inst.Reviews, r)
	if b.Options.Arms {
		inst.Reviews = append(inst.Reviews, bench.Review{BadPatch: bad.Index, Arm: bench.ArmAlone})
	}
	rec.Reviews = append(rec.Reviews, ReviewRecord{
		BadPatch: bad.Index, Level: bad.Level, Source: r.Source, Leak: r.Leak,
		Figures: review.Measure([]review.Case{{Subject: subject, Review: r}}),
	})
	return nil
}

func (b Builder) reviewInput(ctx context.Context, bed *languages.Testbed, inst *bench.Instance, bad bench.BadPatch, o languages.Outcome) (review.Input, error) {
	touched := slices.Concat(patch.PathsIn(inst.Patch), patch.PathsIn(bad.Patch), patch.PathsIn(inst.TestPatch))
	base, _, err := bed.Tree(ctx, languages.Variant{Name: "base"}, touched...)
	if err != nil {
		return review.Input{}, err
	}
	in := review.Input{Instance: inst, Bad: bad, Base: func(path string) ([]byte, error) {
		e, err := base.Read(path)
		return e.Data, err
	}}
	// What a review is about is what would be applied, without test hunks.
	in.Bad.Patch = tasks.CodeOf(tasks.Task{Instance: inst, Languages: b.Machine.Languages}, bad.Patch)
	in.FailToPass, in.PassToPass = tasks.FailingTests(inst, o)
	in.QuoteTests = b.Options.QuoteTests
	return in, nil
}
