package dataset

import (
	"context"
	"slices"

	"assay/bench"
	"assay/languages"
	"assay/review"
)

// RefusedPublished begins the reasons for which a published review was refused.
const RefusedPublished = "published: "

// published is the review that a bad patch was published with, checked for
// leaks; ok is false where there is none, or it leaks.
func published(s *review.Subject, bad bench.BadPatch) (_ bench.Review, ok bool) {
	if bad.Review == "" {
		return bench.Review{}, false
	}
	leak := s.Check(bad.Review)
	r := bench.Review{BadPatch: bad.Index, Text: bad.Review, Source: "published", Leak: &leak}
	return r, len(leak.Leaks) == 0
}

// noteRefused writes into a review why the published one was not taken.
func noteRefused(r *bench.Review, published *bench.LeakReport) {
	if published == nil {
		return
	}
	if r.Leak == nil {
		r.Leak = &bench.LeakReport{Checkable: published.Checkable}
	}
	var why []string
	for _, l := range published.Leaks {
		why = append(why, RefusedPublished+l)
	}
	r.Leak.Refused = append(why, r.Leak.Refused...)
}

// checkReviews checks the instance's published reviews for leaks. One that
// leaks stays, since nothing is there to replace it, and its report records
// that.
func (b Builder) checkReviews(ctx context.Context, inst *bench.Instance, rec *Record) error {
	bed, err := b.Machine.Open(ctx, inst)
	if err != nil {
		return err
	}
	inst.Reviews = slices.Clone(inst.Reviews) // the caller's stay as they are
	for i := range inst.Reviews {
		r := &inst.Reviews[i]
		bad, ok := badPatch(inst, r.BadPatch)
		if !ok || r.Arm == bench.ArmAlone || r.Text == "" {
			continue
		}
		in, err := b.reviewInput(ctx, bed, inst, bad, languages.Outcome{})
		if err != nil {
			return err
		}
		subject, err := review.Study(in)
		if err != nil {
			return err
		}
		recheck(subject, r)
		rec.Reviews = append(rec.Reviews, ReviewRecord{
			BadPatch: r.BadPatch, Level: bad.Level, Source: r.Source, Leak: r.Leak,
			Figures: review.Measure([]review.Case{{Subject: subject, Review: *r}}),
		})
	}
	return nil
}

// recheck sets what the leak check says about a review's text.
func recheck(s *review.Subject, r *bench.Review) {
	leak := s.Check(r.Text)
	if r.Leak != nil {
		leak.Refused = r.Leak.Refused
	}
	r.Leak = &leak
}

func badPatch(inst *bench.Instance, index int) (bench.BadPatch, bool) {
	for _, b := range inst.BadPatches {
		if b.Index == index {
			return b, true
		}
	}
	return bench.BadPatch{}, false
}
