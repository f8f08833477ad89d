package badpatch

import (
	"context"
	"fmt"

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
	// Most bounds the candidates that are run, of which two that only shared a
	// build count as one, and Pool the bad patches to
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
	// Measuring is how many seconds it took to see what the fail-to-pass tests
	// execute, and Unmeasured why that is not known; empty where it is.
	Measuring  float64
	Unmeasured string
	// Builds counts those that candidates shared, and Alone explains why further
	// candidates share none; empty where they do.
	Builds int
	Alone  string
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

// pool runs candidates, the likeliest to be bad first, until there are enough.
func (g Generator) pool(ctx context.Context, r *runner, s *Subject, made *Made) error {
	filter, err := NewFilter(s)
	if err != nil {
		return err
	}
	defer filter.Close()
	seen, err := r.measure(ctx, s)
	if err != nil {
		return err
	}
	made.Measuring, made.Unmeasured = seen.seconds, seen.why
	q := newQueue(ctx, g.Sources, s)
	defer q.Close()
	shared := newScreen(r, s)
	distinct := map[string]bool{}
	for {
		if err := q.fill(func(c Candidate) (*offer, error) { return made.admit(s, filter, seen, c) }); err != nil {
			return err
		}
		o, chance := q.take()
		if o == nil {
			return nil
		}
		if made.Untried = g.enough(r.inst, made.Trials, len(distinct), chance); made.Untried != "" {
			return nil
		}
		group := shared.group(q, o, int(2*g.left(made.Trials)))
		trials, err := shared.try(ctx, group)
		made.Builds, made.Alone = shared.builds, shared.off
		if err != nil {
			return err
		}
		for i, t := range trials {
			if t.Verdict == "" {
				q.giveBack(group[i])
				continue
			}
			q.note(group[i], t)
			made.Trials = append(made.Trials, t)
			if t.Verdict == Bad {
				distinct[fmt.Sprintf("%q %s", t.Kills(), t.Signature)] = true
			}
		}
	}
}

// admit makes an offer of a candidate that is worth a run, and counts those that
// are not.
func (m *Made) admit(s *Subject, filter *Filter, seen reach, c Candidate) (*offer, error) {
	from := Origin{c.Source, c.Operator}
	m.Offered[from]++
	cause, err := filter.Check(c)
	if err != nil {
		return nil, err
	}
	o := &offer{Candidate: c}
	if cause == "" {
		if o.place, err = s.compare(c); err != nil {
			return nil, err
		}
		cause = seen.drops(o.place)
	}
	if cause != "" {
		m.drop(from, cause)
		return nil, nil
	}
	o.known = seen.gold.reaches(o.place.gold)
	return o, nil
}

// slim is the chance from which candidates are not worth a run, where there are
// as many bad patches as were asked for.
const slim = 0.3

// enough explains why no further candidates are run. Bad patches that most
// tests kill are not enough, in any number: every test would catch them.
func (g Generator) enough(inst *bench.Instance, trials []Trial, distinct int, chance float64) string {
	if g.left(trials) <= 0 {
		return fmt.Sprintf("%d candidates were run", len(trials))
	}
	if distinct >= g.Options.N+g.Options.Reserve && chance < slim {
		return "the candidates that were left are unlikely to be bad"
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

// left is how many more candidates may be run.
func (g Generator) left(trials []Trial) float64 {
	left := float64(g.Options.Most)
	for _, t := range trials {
		if t.Screened {
			left -= 0.5
		} else {
			left--
		}
	}
	return left
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
