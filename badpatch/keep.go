package badpatch

import (
	"context"
	"slices"
)

// Labeller puts a candidate into a category. A *FatalError ends the work.
type Labeller interface {
	Categorise(ctx context.Context, s *Subject, c Candidate) (Label, error)
}

// label has the kept patches put into categories.
func (g Generator) label(ctx context.Context, s *Subject, made *Made) error {
	if g.Labels == nil {
		return nil
	}
	for _, i := range made.kept() {
		l, err := g.Labels.Categorise(ctx, s, made.Trials[i].Candidate)
		if err != nil {
			return err
		}
		made.Trials[i].Category, made.Trials[i].Kind = l.Category, l.Kind
	}
	return nil
}

// choose chooses until all that is chosen has failed in every run: a candidate
// runs once, what is kept so often as it must fail.
func (g Generator) choose(ctx context.Context, r *runner, made *Made) error {
	for i := range made.Trials {
		// All by the same columns: one that some suites were not run on would
		// look harder to kill.
		if err := r.expose(ctx, &made.Trials[i]); err != nil {
			return err
		}
	}
	for {
		made.Chosen, made.Reserve = g.pick(made.Trials)
		made.Regressions = g.regressions(made.Trials)
		sure := true
		for _, i := range made.kept() {
			t := made.Trials[i]
			if t.Runs >= r.repeat {
				continue
			}
			sure = false
			var err error
			if made.Trials[i], err = r.confirm(ctx, t); err != nil {
				return err
			}
		}
		if sure {
			return nil
		}
	}
}

func (g Generator) pick(trials []Trial) (chosen, reserve []Choice) {
	if g.Options.Random {
		return Random(trials, g.Options.N, g.Options.Seed), nil
	}
	return Choose(trials, g.Options.N, g.Options.Reserve)
}

// regressions are the indices of the first ones, as many as are asked for.
func (g Generator) regressions(trials []Trial) []int {
	var out []int
	for i, t := range trials {
		if t.Verdict == Regression && len(out) < g.Options.Regressions {
			out = append(out, i)
		}
	}
	return out
}

// kept are the indices of the trials that leave the generator: chosen ones, the
// reserve, and regressions.
func (m *Made) kept() []int {
	var out []int
	for _, c := range slices.Concat(m.Chosen, m.Reserve) {
		out = append(out, c.Trial)
	}
	return append(out, m.Regressions...)
}

// variants keeps the rewrites of gold that resolve the instance every time.
func (g Generator) variants(ctx context.Context, r *runner, s *Subject, made *Made) error {
	if g.Rewrites == nil {
		return nil
	}
	all, err := g.Rewrites(s)
	if err != nil {
		return err
	}
	for _, v := range all {
		if len(made.Variants) == g.Options.Variants {
			return nil
		}
		ok, err := r.resolves(ctx, v.Patch)
		if err != nil {
			return err
		}
		if !ok {
			made.RefusedVariants++
			continue
		}
		v.Index = len(made.Variants)
		made.Variants = append(made.Variants, v)
	}
	return nil
}
