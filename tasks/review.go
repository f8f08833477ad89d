package tasks

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/bench"
	"assay/languages"
)

// Review judges a patch on top of a bad patch, written in answer to a review
// of it, by the hidden tests on the resulting tree (OmniCode, section 3.2.3).
type Review struct {
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
}

// Name implements Kind.
func (Review) Name() string { return "review" }

// Build implements Kind: one task for every review of a bad patch that
// applies and is wrong. Reviews that were published inside bad patches count
// where the instance has no list of reviews.
func (k Review) Build(inst *bench.Instance) ([]Task, error) {
	switch {
	case inst.TestPatch == "":
		return nil, errors.New("it has no test patch")
	case len(inst.FailToPass) == 0:
		return nil, errors.New("FAIL_TO_PASS is empty")
	case len(inst.BadPatches) == 0:
		return nil, errors.New("it has no bad patches")
	}
	reviews := inst.Reviews
	if len(reviews) == 0 {
		reviews = publishedReviews(inst)
	}
	var out []Task
	seen := map[string]bool{}
	for i := range reviews {
		bad, ok := badPatchOf(inst, reviews[i].BadPatch)
		if !ok {
			return nil, fmt.Errorf("reviews[%d].bad_patch: there is no bad patch with idx %d", i, reviews[i].BadPatch)
		}
		if bad.Level == bench.LevelUnapplied || bad.Level == bench.LevelPassesAll {
			continue
		}
		t := Task{Kind: k.Name(), Instance: inst, Part: reviewPart(reviews[i]), Review: &reviews[i], Languages: k.Languages}
		if seen[t.Part] {
			return nil, fmt.Errorf("reviews[%d]: there are several for bad patch %d and this arm", i, reviews[i].BadPatch)
		}
		seen[t.Part] = true
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, errors.New("no bad patch that applies and is wrong has a review")
	}
	return out, nil
}

func reviewPart(r bench.Review) string {
	part := strconv.Itoa(r.BadPatch)
	if r.Arm != bench.ArmReview {
		part += "-" + string(r.Arm)
	}
	return part
}

func publishedReviews(inst *bench.Instance) []bench.Review {
	var out []bench.Review
	for _, b := range inst.BadPatches {
		if b.Review != "" {
			out = append(out, bench.Review{BadPatch: b.Index, Text: b.Review, Source: "published"})
		}
	}
	return out
}

func badPatchOf(inst *bench.Instance, index int) (bench.BadPatch, bool) {
	for _, b := range inst.BadPatches {
		if b.Index == index {
			return b, true
		}
	}
	return bench.BadPatch{}, false
}

// Plan implements Kind.
func (Review) Plan(task Task, p bench.Prediction) Plan {
	plan := BugFix{}.Plan(task, p)
	plan.Flags = append(plan.Flags, leakFlags(task.Review)...)
	for i := range plan.Runs {
		plan.Runs[i].Start = task.StartPatch()
	}
	return plan
}

// leakFlags report a review that leaks gold, and one that was not checked.
func leakFlags(r *bench.Review) []bench.Flag {
	switch {
	case r == nil || r.Text == "":
		return nil
	case r.Leak == nil:
		return []bench.Flag{{Kind: "review_unchecked", Detail: "no leak check is recorded of its review (assay build makes one)"}}
	case len(r.Leak.Leaks) > 0:
		return []bench.Flag{{Kind: "review_leaks", Detail: strings.Join(r.Leak.Leaks, ", ")}}
	}
	return nil
}

// Settled implements Kind.
func (Review) Settled(_ Task, seen Outcomes) bool { return len(seen) > 0 }

// Judge implements Kind.
func (Review) Judge(task Task, plan Plan, seen Outcomes) bench.Result {
	return judgeHidden(task.Instance, plan, seen)
}

// Complete implements Completer: which bad patch and which review it was.
func (Review) Complete(r *bench.Result, t Task) {
	if t.Review == nil {
		return
	}
	r.Review = &bench.ReviewFacts{BadPatch: t.Review.BadPatch, Arm: t.Review.Arm, Level: t.Review.Level, Source: t.Review.Source}
}

// StartPatch is the patch on base that the task's submissions are patches on
// top of: the bad patch of a review, nothing for other kinds.
func (t Task) StartPatch() string {
	if t.Review == nil {
		return ""
	}
	bad, _ := badPatchOf(t.Instance, t.Review.BadPatch)
	return CodeOf(t, bad.Patch)
}
