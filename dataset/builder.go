// Package dataset builds the tasks of base instances: it runs what has to be
// known of an instance (its linters, its bad patches), and fills in the style
// tasks and reviews from which the task kinds are built. Without a model its
// output depends on its input and seed alone.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/bench"
	"assay/harness"
	"assay/languages"
	"assay/review"
	"assay/style"
	"assay/tasks"
)

// Reviewer writes the review of a bad patch. An error means that it could
// not be asked; a reviewer that cannot do well falls back by itself.
type Reviewer interface {
	Review(ctx context.Context, s *review.Subject) (bench.Review, error)
}

// Filler is a kind whose tasks need more than base instances hold.
type Filler interface {
	tasks.Kind
	// Fill completes an instance in its testbed. Maps and lists of the
	// instance are replaced, not changed. An error explains why no task can
	// be made.
	Fill(ctx context.Context, bed *languages.Testbed, inst *bench.Instance) error
}

// Options are what is built.
type Options struct {
	// Kinds are names of task kinds.
	Kinds []string
	// Linters are names of the tools to use; for each language those that
	// fit it.
	Linters []string
	// Rules by linter.
	Rules map[string]style.RuleFile
	// Select reports which findings become tasks.
	Select style.SelectOptions
	// LintFiles is the most files of one instance that are linted; 0 means
	// all, less than 0 as many as the linter is made for (see SlowLinter).
	LintFiles int
	// Reviews is the most reviews of one instance; 0 means one for every bad
	// patch that can have one.
	Reviews int
	// Arms adds, for every review, a task that shows the bad patch alone.
	Arms bool
	// QuoteTests lets reviews name hidden tests and quote what they expect.
	QuoteTests bool
	Seed       int64
}

// Builder builds instances on a machine. It is safe for concurrent use.
type Builder struct {
	Machine  languages.Machine
	Kinds    *tasks.Registry
	Linters  *style.Linters
	Reviewer Reviewer
	Options  Options
}

// Record describes what was built of one instance, and why not.
type Record struct {
	InstanceID string               `json:"instance_id"`
	Language   string               `json:"language"`
	Kinds      map[string]KindBuilt `json:"kinds"`
	Style      []StyleRecord        `json:"style,omitempty"`
	Reviews    []ReviewRecord       `json:"reviews,omitempty"`
	// Trouble is the failure of the machine that kept the instance from being
	// built; such an instance is tried again.
	Trouble string `json:"trouble,omitempty"`
}

// KindBuilt is how many tasks of a kind there are, or why there are none.
type KindBuilt struct {
	Tasks int    `json:"tasks"`
	Why   string `json:"why,omitempty"`
}

// Build returns the instance with what its kinds need, and a record of it.
// The error is only ever the context's or the reviewer's, which would affect
// the next instance as well.
func (b Builder) Build(ctx context.Context, inst bench.Instance) (bench.Instance, Record, error) {
	rec := Record{InstanceID: inst.ID, Language: inst.Language, Kinds: map[string]KindBuilt{}}
	why := map[string]string{}
	for _, step := range b.steps() {
		err := step.fill(ctx, &inst, &rec)
		var fatal *FatalError
		switch {
		case ctx.Err() != nil:
			return inst, rec, ctx.Err()
		case errors.As(err, &fatal):
			return inst, rec, err
		case isInfra(err):
			rec.Trouble = err.Error()
			return inst, rec, nil
		case err != nil:
			why[step.kind] = err.Error()
		}
	}
	for _, k := range b.Options.Kinds {
		rec.Kinds[k] = b.count(k, &inst, why[k])
	}
	return inst, rec, nil
}

// step completes instances for one kind.
type step struct {
	kind string
	fill func(context.Context, *bench.Instance, *Record) error
}

// steps are those of the kinds to build, style tasks and reviews first.
func (b Builder) steps() []step {
	own := []step{{tasks.Style{}.Name(), b.style}, {tasks.Review{}.Name(), b.reviews}}
	steps := slices.DeleteFunc(own, func(s step) bool { return !slices.Contains(b.Options.Kinds, s.kind) })
	for _, name := range b.Options.Kinds {
		k, err := b.Kinds.Lookup(name)
		if err != nil {
			continue // the record reports it
		}
		if filler, ok := k.(Filler); ok {
			steps = append(steps, step{name, func(ctx context.Context, inst *bench.Instance, _ *Record) error {
				bed, err := b.Machine.Open(ctx, inst)
				if err != nil {
					return err
				}
				return filler.Fill(ctx, bed, inst)
			}})
		}
	}
	return steps
}

// FatalError is an error that would affect every instance: a model that
// cannot be asked, a budget that is spent.
type FatalError struct{ Err error }

func (e *FatalError) Error() string { return e.Err.Error() }
func (e *FatalError) Unwrap() error { return e.Err }

func isInfra(err error) bool {
	var infra *harness.InfraError
	return errors.As(err, &infra) || errors.Is(err, harness.ErrUnavailable)
}

// count asks the kind itself, so that the count is what will be evaluated.
func (b Builder) count(kind string, inst *bench.Instance, why string) KindBuilt {
	k, err := b.Kinds.Lookup(kind)
	if err != nil {
		return KindBuilt{Why: err.Error()}
	}
	ts, err := k.Build(inst)
	switch {
	case len(ts) > 0:
		return KindBuilt{Tasks: len(ts)}
	case why != "":
		return KindBuilt{Why: why}
	case err != nil:
		return KindBuilt{Why: err.Error()}
	}
	return KindBuilt{Why: "the kind makes no task of it"}
}

// named is an error that reports which part of the work it occurred in.
func named(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
