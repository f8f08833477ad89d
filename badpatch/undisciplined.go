package badpatch

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"

	"assay/languages/syntax"
)

// Undisciplined is the source of partial fixes among changes that have nothing
// to do with the issue: a part of gold is missing, and a function that gold does
// not touch is rewritten to do the same in other words. What is wrong hides in
// what is only needless.
type Undisciplined struct{}

var _ Source = Undisciplined{}

// mixtures bounds the candidates of this source.
const mixtures = 8

// Name is undisciplined.
func (Undisciplined) Name() string { return "undisciplined" }

// Candidates mixes partial fixes, one from each operator at a time, with
// needless changes; both are drawn by the seed.
func (u Undisciplined) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		rng := rand.New(rand.NewPCG(s.Seed, hash(u.Name())))
		for _, p := range s.partials(rng) {
			texts, what, err := s.needless(rng, p)
			if err == nil {
				err = ctx.Err()
			}
			if texts == nil && err == nil {
				continue
			}
			c := Candidate{Source: u.Name(), Operator: "unrelated-" + p.operator, Category: Undiscipline, Kind: KindUnnecessary, Seed: s.Seed, Detail: p.detail}
			c.Detail.What += what
			if err == nil {
				c.Patch, err = s.diff(texts, true)
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// partial is a part of gold.
type partial struct {
	operator string
	detail   Detail
	texts    map[string][]byte
}

// partials draws some parts of gold: subsets of its hunks, and what operators
// of category B leave of its lines.
func (s *Subject) partials(rng *rand.Rand) []partial {
	var out []partial
	s.hunkSubsets(func(operator string, d Detail, texts map[string][]byte) bool {
		out = append(out, partial{operator, d, texts})
		return true
	})
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:min(len(out), mixtures/2)]
	table := append(partialFix(), guards()...)
	sites, err := s.sites(table)
	if err != nil {
		return out
	}
	for i, list := range sites[Lines] {
		if len(out) == mixtures || len(list) == 0 || table[i].kind != KindPartial {
			continue
		}
		at := list[rng.IntN(len(list))]
		if text, ok := apply(at.view.code.src, at.m.edits); ok {
			d := Detail{at.view.file.path, at.view.code.line(at.m.edits[0].start), at.m.what}
			out = append(out, partial{table[i].name, d, map[string][]byte{at.view.file.path: text}})
		}
	}
	return out
}

// needless rewrites a function that gold leaves alone, in the file of a part.
// It gives nothing where there is none to rewrite.
func (s *Subject) needless(rng *rand.Rand, p partial) (map[string][]byte, string, error) {
	for _, f := range s.files {
		text := p.texts[f.path]
		if text == nil || f.gold == nil || f.path != p.detail.Path {
			continue
		}
		c, err := parse(s.Language, f.path, text)
		if err != nil {
			return nil, "", err
		}
		calm := f.calm(c)
		rng.Shuffle(len(calm), func(i, j int) { calm[i], calm[j] = calm[j], calm[i] })
		for _, fn := range calm {
			marked := map[int]bool{}
			for l := fn.Line; l <= c.endLine(fn); l++ {
				marked[l] = true
			}
			for _, r := range rewrites() {
				edits := r.edit(draft{c, s, view{f, c, marked}, s.freshNames()})
				if r.name == "rename-new" || r.name == "parenthesise" || len(edits) == 0 {
					continue
				}
				if out, ok := apply(text, edits); ok {
					texts := maps.Clone(p.texts)
					texts[f.path] = out
					return texts, fmt.Sprintf("; and %s in %s", r.name, c.name(fn)), nil
				}
			}
		}
	}
	return nil, "", nil
}

// calm lists functions of a version of the file, of some lines, that stand in
// base word for word and hold nothing that gold changes.
func (f *change) calm(c *code) []*syntax.Node {
	known := map[string]bool{}
	if f.base == nil {
		return nil
	}
	for _, t := range f.fixedFunctions() {
		known[t.code.text(t.fn)] = true
	}
	had := map[string]bool{}
	for _, fn := range find(f.base.root, "function_definition", "method_declaration") {
		had[f.base.text(fn)] = true
	}
	var out []*syntax.Node
	for _, fn := range find(c.root, "function_definition", "method_declaration") {
		lines := c.endLine(fn) - fn.Line + 1
		if text := c.text(fn); c.isFunction(fn) && had[text] && !known[text] && lines >= 4 && lines <= 40 && c.function(fn.Parent) == nil {
			out = append(out, fn)
		}
	}
	return out
}
