package main

import (
	"context"

	"assay/bench"
	"assay/collect"
	"assay/collect/setupagent"
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

// Name implements collect.Author.
func (w *author) Name() string { return w.model.name }

// Write implements collect.Author.
func (w *author) Write(ctx context.Context, u collect.Untold) (string, bench.LeakReport, error) {
	in := review.Untold{Instance: u.Instance, Failing: u.Failing, Names: u.Names, Base: u.Base, QuoteTests: w.quoteTests}
	s, err := review.WriteStatement(ctx, w.model, w.prompts, in, review.Options{Model: w.model.name})
	return s.Text, s.Leak, overBudget(err)
}

// fitter has the model make environments; nil without one.
func (w *author) fitter() collect.Fitter {
	if w == nil {
		return nil
	}
	return setupagent.Agent{Client: w.model, Model: w.model.name, Prompts: w.prompts}
}
