package badpatch

import (
	"context"
	"slices"
)

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
