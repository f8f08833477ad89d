// Package mutation makes bad patches of a gold patch by getting one thing wrong
// at the level of the syntax tree. An operator is one way of being wrong; the
// table lists them by category.
package mutation

import (
	"context"
	"iter"
	"math/rand/v2"

	"assay/badpatch"
	"assay/badpatch/code"
)

// Operators is the source of gold patches with one thing wrong, at the level
// of the syntax tree. It takes turns among the operators, so that a caller
// that stops early has some of all; which of an operator's sites come first,
// the subject's seed says. The zero value is ready for use.
type Operators struct {
	// Around is the largest share of candidates off gold's own lines; 0
	// means a quarter. A few dozen are given in any case.
	Around float64
	// PerOperator bounds the candidates of one operator and tier; 0 means
	// no bound.
	PerOperator int
}

var _ badpatch.Source = Operators{}

// fewAround is how many candidates of the second tier are given for any
// share: a fix of one line has few of the first.
const fewAround = 40

// Name is operator.
func (Operators) Name() string { return "operator" }

// Candidates returns the first tier, then the second.
func (o Operators) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		sites, err := sites(s, operators())
		if err != nil {
			yield(badpatch.Candidate{}, err)
			return
		}
		twins := s.CopiedScopes()
		given := o.emit(ctx, s, sites[badpatch.Lines], twins, badpatch.Lines, -1, yield)
		if given < 0 {
			return
		}
		share := o.Around
		if share <= 0 || share >= 1 {
			share = 0.25
		}
		o.emit(ctx, s, sites[badpatch.Around], twins, badpatch.Around, max(fewAround, int(float64(given)*share/(1-share))), yield)
	}
}

// emit returns one site of each operator in turn, up to limit; -1 is not a
// limit. It returns how many it gave, -1 when it is to stop.
func (o Operators) emit(ctx context.Context, s *badpatch.Subject, sites siteTable, twins badpatch.ScopeCopies, tier badpatch.Tier, limit int, yield func(badpatch.Candidate, error) bool) int {
	table := operators()
	for i, list := range sites {
		rng := rand.New(rand.NewPCG(s.Seed, badpatch.Hash(table[i].name)+uint64(tier)))
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		if o.PerOperator > 0 && len(list) > o.PerOperator {
			sites[i] = list[:o.PerOperator]
		}
	}
	given := 0
	for round, left := 0, true; left; round++ {
		left = false
		for i, list := range sites {
			if round >= len(list) || given == limit {
				continue
			}
			left = true
			c, ok, err := candidate(s, list[round], twins)
			if err == nil {
				err = ctx.Err()
			}
			if !ok && err == nil {
				continue
			}
			c.Source, c.Operator, c.Category, c.Kind, c.Tier, c.Seed = o.Name(), table[i].name, table[i].category, table[i].kind, tier, s.Seed
			given++
			if !yield(c, err) || err != nil {
				return -1
			}
		}
	}
	return given
}

// candidate is gold with one mutation. Not ok means that the mutation belongs
// to another file, of which this one is a copy.
func candidate(s *badpatch.Subject, at Site, twins badpatch.ScopeCopies) (badpatch.Candidate, bool, error) {
	texts := map[string][]byte{}
	mutated, ok := at.Text()
	if !ok {
		return badpatch.Candidate{}, false, nil
	}
	texts[at.view.File.Path] = mutated
	if at.view.Code == at.view.File.Gold {
		for _, twin := range twins.Of(at.view.File, at.view.Code.Text(at.scope)) {
			if twin.File.Path < at.view.File.Path {
				return badpatch.Candidate{}, false, nil
			}
			if text, ok := code.Apply(twin.File.After, code.Shifted(at.m.Edits, twin.Start-at.scope.Start)); ok {
				texts[twin.File.Path] = text
			}
		}
	}
	diff, err := s.Diff(texts, true)
	return badpatch.Candidate{Patch: diff, Detail: at.Detail()}, true, err
}
