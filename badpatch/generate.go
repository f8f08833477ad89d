package badpatch

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"assay/badpatch/killset"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Options describe how bad patches of an instance are made.
type Options struct {
	N       int    // bad patches to choose
	Reserve int    // more of them, to be kept hidden
	Seed    uint64 // of every choice
	Runs    int    // in which a bad patch must fail
	// Most bounds the candidates that are run, and Pool the bad patches to
	// choose from: when so many fail differently, and N of them pass half of
	// the fail-to-pass tests, no further candidates are run. The instance's
	// own bad patches count in neither.
	Most, Pool int
	Variants   int // good variants that are kept
	// Regressions are patches that break older tests only, for review tasks.
	Regressions int
	// Random chooses by the seed alone: what choosing is compared with.
	Random bool
}

// DefaultOptions are those of the commands.
func DefaultOptions() Options {
	return Options{N: 5, Seed: 1, Runs: 3, Most: 32, Pool: 10, Variants: 3, Regressions: 1}
}

// Generator makes, runs and chooses the bad patches of an instance.
type Generator struct {
	Sources []Source
	// Suites are stored test suites of the instance, to distinguish
	// candidates.
	Suites  []StoredSuite
	Options Options
	// Rewrites gives patches that may behave as gold does, best first; nil means
	// that there are none.
	Rewrites func(*Subject) ([]bench.GoodVariant, error)
	// Labels describes what is wrong with what is kept; nil leaves it to the
	// rule.
	Labels Labeller
}

// Made is what a Generator found of one instance.
type Made struct {
	Trials    []Trial // all that were run, in the order of running
	Published []Trial // the instance's own bad patches, by the same rules
	Chosen    []Choice
	Reserve   []Choice
	// Regressions are indices of trials that break older tests only.
	Regressions []int
	Variants    []bench.GoodVariant // of gold, verified to resolve
	// Offered and Dropped count, by source and operator, the candidates that
	// were made, and those that the static filter dropped, by cause.
	Offered map[Origin]int
	Dropped map[Origin]map[Cause]int
	// Untried explains why candidates were left unrun; empty where none were.
	Untried string
	// RefusedVariants are rewrites of gold that do not behave as gold does.
	RefusedVariants int
}

// UnsoundError explains why nothing can be made of an instance, however often
// it is tried.
type UnsoundError struct{ Reason string }

func (e *UnsoundError) Error() string { return e.Reason }

func unsound(format string, args ...any) error { return &UnsoundError{fmt.Sprintf(format, args...)} }

// Origin is where a candidate comes from.
type Origin struct{ Source, Operator string }

// Generate makes the bad patches of an instance. An *UnsoundError says that
// nothing can be made of it; any other error may be temporary.
func (g Generator) Generate(ctx context.Context, inst *bench.Instance, base patch.Tree, bed Bed) (Made, error) {
	made := Made{Offered: map[Origin]int{}, Dropped: map[Origin]map[Cause]int{}}
	r := &runner{bed: bed, inst: inst, repeat: max(g.Options.Runs, 1), suites: g.Suites, seen: map[string][]languages.Outcome{}}
	if err := r.settle(ctx); err != nil {
		return made, err
	}
	subject, err := NewSubject(Input{Instance: inst, Base: base, Seed: g.Options.Seed, Failures: FailuresOf(inst, r.base)})
	if err != nil {
		return made, err
	}
	if err := g.pool(ctx, r, subject, &made); err != nil {
		return made, err
	}
	if err := g.published(ctx, r, subject, &made); err != nil {
		return made, err
	}
	if err := g.choose(ctx, r, &made); err != nil {
		return made, err
	}
	if err := g.label(ctx, subject, &made); err != nil {
		return made, err
	}
	return made, g.variants(ctx, r, subject, &made)
}

// pool runs candidates, of every source in turn, until there are enough.
func (g Generator) pool(ctx context.Context, r *runner, s *Subject, made *Made) error {
	filter, err := NewFilter(s)
	if err != nil {
		return err
	}
	defer filter.Close()
	distinct := map[string]bool{}
	for c, err := range inTurn(ctx, g.Sources, s) {
		if err != nil {
			return err
		}
		from := Origin{c.Source, c.Operator}
		made.Offered[from]++
		cause, err := filter.Check(c)
		if err != nil {
			return err
		}
		if cause != "" {
			made.drop(from, cause)
			continue
		}
		if made.Untried = g.enough(r.inst, made.Trials, len(distinct)); made.Untried != "" {
			return nil
		}
		t, err := r.try(ctx, c)
		if err != nil {
			return err
		}
		made.Trials = append(made.Trials, t)
		if t.Verdict == Bad {
			distinct[fmt.Sprintf("%q %s", t.Kills(), t.Signature)] = true
		}
	}
	return nil
}

// enough explains why no further candidates are run. Bad patches that most
// tests kill are not enough, in any number: every test would catch them.
func (g Generator) enough(inst *bench.Instance, trials []Trial, distinct int) string {
	if len(trials) >= g.Options.Most {
		return fmt.Sprintf("%d candidates were run", len(trials))
	}
	if distinct < max(g.Options.Pool, g.Options.N+g.Options.Reserve) {
		return ""
	}
	var subtle []killset.Set
	for _, t := range trials {
		if t.Verdict == Bad && len(t.F2P) <= (len(inst.FailToPass)+1)/2 {
			subtle = append(subtle, killset.Of(t.Kills()))
		}
	}
	if len(inst.FailToPass) > 1 && len(killset.Distinct(subtle)) < g.Options.N {
		return ""
	}
	return fmt.Sprintf("there were %d bad patches that fail differently", distinct)
}

func (m *Made) drop(from Origin, cause Cause) {
	if m.Dropped[from] == nil {
		m.Dropped[from] = map[Cause]int{}
	}
	m.Dropped[from][cause]++
}

// Published is the source of the bad patches that an instance already has.
const Published = "published"

// published judges the instance's own bad patches by the same rules.
func (g Generator) published(ctx context.Context, r *runner, s *Subject, made *Made) error {
	filter, err := NewFilter(s)
	if err != nil {
		return err
	}
	defer filter.Close()
	for _, b := range r.inst.BadPatches {
		t, err := r.judge(ctx, filter, Candidate{
			Patch: b.Patch, Source: Published, Operator: b.Source, Category: Category(b.Category),
			Detail: Detail{What: fmt.Sprintf("bad patch %d of the dataset", b.Index)},
		})
		if err != nil {
			return err
		}
		made.Published = append(made.Published, t)
	}
	return nil
}

// inTurn takes one candidate of each source after the other, so that a caller
// that stops early has some of all.
func inTurn(ctx context.Context, sources []Source, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		type pull struct {
			next func() (Candidate, error, bool)
			stop func()
		}
		var open []pull
		defer func() {
			for _, p := range open {
				p.stop()
			}
		}()
		for _, source := range sources {
			next, stop := iter.Pull2(source.Candidates(ctx, s))
			open = append(open, pull{next, stop})
		}
		for len(open) > 0 {
			for i := 0; i < len(open); {
				c, err, ok := open[i].next()
				if !ok {
					open[i].stop()
					open = slices.Delete(open, i, i+1)
					continue
				}
				if !yield(c, err) || err != nil {
					return
				}
				i++
			}
		}
	}
}
