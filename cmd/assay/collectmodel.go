package main

import (
	"context"
	"errors"
	"fmt"

	"assay/bench"
	"assay/collect"
	"assay/collect/setupagent"
	"assay/llm"
	"assay/llm/prompts"
	"assay/review"
)

// author has the model write problem statements.
type author struct {
	model      *model
	prompts    prompts.Set
	quoteTests bool
}

// openAuthor opens the model that --llm names; nil without one.
func (a *app) openAuthor(o collectFlags) (*author, error) {
	set, err := prompts.Load(o.model.prompts)
	if err != nil {
		return nil, err
	}
	m, err := a.openModel(o.model, o.output)
	if m == nil || err != nil {
		return nil, err
	}
	return &author{model: m, prompts: set, quoteTests: o.quoteTests}, nil
}

// Close closes the model's log.
func (w *author) Close() error {
	if w == nil {
		return nil
	}
	return w.model.Close()
}

// Name implements collect.Author. What may be quoted decides what is refused,
// so another permission is another author.
func (w *author) Name() string {
	if w.quoteTests {
		return w.model.name + " (may quote tests)"
	}
	return w.model.name
}

// Write implements collect.Author.
func (w *author) Write(ctx context.Context, u collect.Untold) (string, bench.LeakReport, error) {
	in := review.Untold{Instance: u.Instance, Failing: u.Failing, Names: u.Names, Base: u.Base, QuoteTests: w.quoteTests}
	s, err := review.WriteStatement(ctx, w.model, w.prompts, in, review.Options{Model: w.model.name})
	return s.Text, s.Leak, overBudget(err)
}

// unwritten gives errors of the model that may pass the exit code for them.
func unwritten(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) || !e.Retryable() {
		return err
	}
	return &codedError{exitNotJudged, fmt.Errorf("some statements could not be written; run the same command again to retry them: %w", err)}
}

// fitter has the model make environments; nil without one.
func (w *author) fitter() collect.Fitter {
	if w == nil {
		return nil
	}
	return setupagent.Agent{Client: w.model, Model: w.model.name, Prompts: w.prompts}
}
