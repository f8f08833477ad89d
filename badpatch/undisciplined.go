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
// leave of its lines.
func (s *Subject) partials(rng *rand.Rand) []partial {
	var out []partial
	s.hunkSubsets(func(operator string, d Detail, texts map[string][]byte) bool {
		out = append(out, partial{operator, d, texts})
		return true
	})
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:min(len(out), mixtures/2)]
	fixes, err := PartialFixes(s)
	if err != nil {
		return out
	}
	for _, f := range fixes {
		if len(out) == mixtures {
			break
		}
		one := f.Sites[rng.IntN(len(f.Sites))]
		if text, ok := one.Text(); ok {
			d := one.Detail()
			out = append(out, partial{f.Operator, d, map[string][]byte{d.Path: text}})
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
			if out, how, ok := RewriteFunction(s, f, c, fn); ok {
				texts := maps.Clone(p.texts)
				texts[f.path] = out
				return texts, fmt.Sprintf("; and %s in %s", how, c.name(fn)), nil
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
