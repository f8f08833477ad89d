package main

import (
	"context"

	"assay/bench"
	"assay/llm/prompts"
	"assay/review"
)

// reviewer writes reviews by the model, or by rule where there is none.
type reviewer struct {
	model   *model
	prompts prompts.Set
	options review.Options
	// key names everything that decides what is written.
	key string
}

func (a *app) openReviewer(flags buildFlags, dir string) (*reviewer, error) {
	level, err := review.ParseLevel(flags.level)
	if err != nil {
		return nil, err
	}
	r := &reviewer{options: review.Options{Level: level}, key: "rules 2 " + flags.level}
	r.options.Seed = flags.options.Seed
	if r.prompts, err = prompts.Load(flags.model.prompts); err != nil {
		return nil, err
	}
	if r.model, err = a.openModel(flags.model, dir); err != nil || r.model == nil {
		return r, err
	}
	r.options.Model = r.model.name
	r.key += " " + r.model.name + " " + r.prompts.Digest()
	return r, nil
}

// Review implements dataset.Reviewer.
func (r *reviewer) Review(ctx context.Context, s *review.Subject) (bench.Review, error) {
	if r.model == nil {
		return s.Deterministic(r.options.Level), nil
	}
	written, err := s.Write(ctx, r.model, r.prompts, r.options)
	if err != nil {
		return written, overBudget(err)
	}
	if written.Source != r.options.Model {
		return written, nil // the deterministic one replaces it, with its own category
	}
	written.Category, err = s.Categorise(ctx, r.model, r.prompts, r.model.name, written.Text)
	return written, overBudget(err)
}

// Close closes the model.
func (r *reviewer) Close() error { return r.model.Close() }
