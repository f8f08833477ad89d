package badpatch

import (
	"context"
	"hash/fnv"
	"iter"
	"math/rand/v2"

	"assay/languages/syntax"
)

// Operators is the source of gold patches with one thing wrong, at the level of
// the syntax tree. It takes turns among the operators, so that whoever stops
// early has some of all; which of an operator's sites come first, the subject's
// seed says. The zero value is ready for use.
type Operators struct {
	// Around is the largest share of candidates off gold's own lines; 0
	// means a quarter. A few dozen are given in any case.
	Around float64
	// PerOperator bounds the candidates of one operator and tier; 0 means
	// no bound.
	PerOperator int
}

var _ Source = Operators{}

// fewAround is how many candidates of the second tier are given whatever the
// share: a fix of one line has few of the first.
const fewAround = 40

// Name is operator.
func (Operators) Name() string { return "operator" }

// Site is a mutation at its place.
type Site struct {
	view  view
	scope *syntax.Node
	m     mutation
}

// Detail says where the mutation is and what it does.
func (at Site) Detail() Detail {
	return Detail{Path: at.view.file.path, Line: at.view.code.line(at.m.edits[0].start), What: at.m.what}
}

// Text is the file with the mutation in it; not ok means that its edits
// overlap.
func (at Site) Text() (text []byte, ok bool) { return apply(at.view.code.src, at.m.edits) }

// Sites are the places at which one operator can be applied; at least one.
type Sites struct {
	Operator string
	Sites    []Site
}

// PartialFixes lists what the operators that leave a fix incomplete can do on
// the lines that gold changes, operator by operator.
func PartialFixes(s *Subject) ([]Sites, error) {
	table := append(partialFix(), guards()...)
	sites, err := s.sites(table)
	if err != nil {
		return nil, err
	}
	var out []Sites
	for i, list := range sites[Lines] {
		if len(list) > 0 && table[i].kind == KindPartial {
			out = append(out, Sites{table[i].name, list})
		}
	}
	return out, nil
}

// Candidates gives the first tier, then the second.
func (o Operators) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		sites, err := s.sites(operators())
		if err != nil {
			yield(Candidate{}, err)
			return
		}
		twins := s.twinScopes()
		given := o.emit(ctx, s, sites[Lines], twins, Lines, -1, yield)
		if given < 0 {
			return
		}
		share := o.Around
		if share <= 0 || share >= 1 {
			share = 0.25
		}
		o.emit(ctx, s, sites[Around], twins, Around, max(fewAround, int(float64(given)*share/(1-share))), yield)
	}
}

// siteTable holds the sites of every operator, by its place in the table.
type siteTable [][]Site

// sites calls every operator on every node in range.
func (s *Subject) sites(table []operator) (map[Tier]siteTable, error) {
	out := map[Tier]siteTable{Lines: make(siteTable, len(table)), Around: make(siteTable, len(table))}
	views, err := s.views()
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		for _, scope := range v.scopes() {
			scope.Walk(func(n *syntax.Node) bool {
				if n.Broken || v.code.arid(n) {
					return false
				}
				for i, op := range table {
					if n.Named && (op.only == "" || op.only == s.Language) {
						v.collect(out, i, op, scope, n)
					}
				}
				return true
			})
		}
	}
	return out, nil
}

// collect adds what an operator makes of a node. Unnecessary changes belong
// beside the fix; elsewhere they are no part of it.
func (v view) collect(out map[Tier]siteTable, i int, op operator, scope, n *syntax.Node) {
	for _, m := range op.rewrite(v.code, n) {
		tier := v.tier(m.edits[0])
		if tier == Around && (op.kind == KindUnnecessary || v.code != v.file.gold) {
			continue
		}
		out[tier][i] = append(out[tier][i], Site{v, scope, m})
	}
}

// emit gives one site of each operator in turn, up to limit; -1 is no limit.
// It returns how many it gave, -1 when it is to stop.
func (o Operators) emit(ctx context.Context, s *Subject, sites siteTable, twins scopeIndex, tier Tier, limit int, yield func(Candidate, error) bool) int {
	table := operators()
	for i, list := range sites {
		rng := rand.New(rand.NewPCG(s.Seed, hash(table[i].name)+uint64(tier)))
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
			c, ok, err := s.candidate(list[round], twins)
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

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// candidate is gold with one mutation. Not ok means that the mutation belongs
// to another file, of which this one is a copy.
func (s *Subject) candidate(at Site, twins scopeIndex) (Candidate, bool, error) {
	texts := map[string][]byte{}
	mutated, ok := at.Text()
	if !ok {
		return Candidate{}, false, nil
	}
	texts[at.view.file.path] = mutated
	if at.view.code == at.view.file.gold {
		for _, twin := range twins.of(at.view.file, at.view.code.text(at.scope)) {
			if twin.file.path < at.view.file.path {
				return Candidate{}, false, nil
			}
			if text, ok := apply(twin.file.after, shifted(at.m.edits, twin.start-at.scope.Start)); ok {
				texts[twin.file.path] = text
			}
		}
	}
	diff, err := s.diff(texts, true)
	return Candidate{Patch: diff, Detail: at.Detail()}, true, err
}

func shifted(edits []edit, by int) []edit {
	var out []edit
	for _, e := range edits {
		out = append(out, edit{e.start + by, e.end + by, e.text})
	}
	return out
}

// scopeIndex finds copies of a function in other files that gold changes, as in
// headers that are put together from others: a mistake in one copy alone is
// often none that a test can see.
type scopeIndex map[string][]copied

type copied struct {
	file  *change
	start int
}

func (s *Subject) twinScopes() scopeIndex {
	out := scopeIndex{}
	for _, f := range s.files {
		if f.gold == nil || len(s.files) < 2 {
			continue
		}
		for _, scope := range (view{f, f.gold, f.goldLines()}).scopes() {
			text := f.gold.text(scope)
			out[text] = append(out[text], copied{f, scope.Start})
		}
	}
	return out
}

// of lists where a scope of a file, by its text, stands in other files.
func (x scopeIndex) of(file *change, text string) []copied {
	var out []copied
	for _, t := range x[text] {
		if t.file != file {
			out = append(out, t)
		}
	}
	return out
}
