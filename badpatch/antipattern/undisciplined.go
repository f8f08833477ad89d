package antipattern

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/badpatch/mutation"
	"assay/badpatch/rewrite"
	"assay/languages/syntax"
)

// Undisciplined is the source of partial fixes among changes that have nothing
// to do with the issue: a part of gold is missing, and a function that gold does
// not touch is rewritten to do the same in other words. What is wrong hides in
// what is only needless.
type Undisciplined struct{}

var _ badpatch.Source = Undisciplined{}

// mixtures bounds the candidates of this source.
const mixtures = 8

// Name is undisciplined.
func (Undisciplined) Name() string { return "undisciplined" }

// Candidates mixes partial fixes, one from each operator at a time, with
// needless changes; both are drawn by the seed.
func (u Undisciplined) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		rng := rand.New(rand.NewPCG(s.Seed, badpatch.Hash(u.Name())))
		for _, p := range partials(s, rng) {
			texts, what, err := needless(s, rng, p)
			if err == nil {
				err = ctx.Err()
			}
			if texts == nil && err == nil {
				continue
			}
			c := badpatch.Candidate{Source: u.Name(), Operator: "unrelated-" + p.operator, Category: badpatch.Undiscipline, Kind: badpatch.KindUnnecessary, Seed: s.Seed, Detail: p.detail}
			c.Detail.What += what
			if err == nil {
				c.Patch, err = s.Diff(texts, true)
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
	detail   badpatch.Detail
	texts    map[string][]byte
}

// partials draws some parts of gold: subsets of its hunks, and what operators
// leave of its lines.
func partials(s *badpatch.Subject, rng *rand.Rand) []partial {
	var out []partial
	hunkSubsets(s, func(operator string, d badpatch.Detail, texts map[string][]byte) bool {
		out = append(out, partial{operator, d, texts})
		return true
	})
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:min(len(out), mixtures/2)]
	fixes, err := mutation.PartialFixes(s)
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
func needless(s *badpatch.Subject, rng *rand.Rand, p partial) (map[string][]byte, string, error) {
	for _, f := range s.Files {
		text := p.texts[f.Path]
		if text == nil || f.Gold == nil || f.Path != p.detail.Path {
			continue
		}
		c, err := code.Parse(s.Language, f.Path, text)
		if err != nil {
			return nil, "", err
		}
		calm := calm(f, c)
		rng.Shuffle(len(calm), func(i, j int) { calm[i], calm[j] = calm[j], calm[i] })
		for _, fn := range calm {
			if out, how, ok := rewrite.Function(s, f, c, fn); ok {
				texts := maps.Clone(p.texts)
				texts[f.Path] = out
				return texts, fmt.Sprintf("; and %s in %s", how, c.Name(fn)), nil
			}
		}
	}
	return nil, "", nil
}

// calm lists functions of a version of the file, of some lines, that are in
// base word for word and contain nothing that gold changes.
func calm(f *badpatch.ChangedFile, c *code.File) []*syntax.Node {
	known := map[string]bool{}
	if f.Base == nil {
		return nil
	}
	for _, t := range fixedFunctions(f) {
		known[t.code.Text(t.fn)] = true
	}
	had := map[string]bool{}
	for _, fn := range code.Find(f.Base.Root, "function_definition", "method_declaration") {
		had[f.Base.Text(fn)] = true
	}
	var out []*syntax.Node
	for _, fn := range code.Find(c.Root, "function_definition", "method_declaration") {
		lines := c.EndLine(fn) - fn.Line + 1
		if text := c.Text(fn); c.IsFunction(fn) && had[text] && !known[text] && lines >= 4 && lines <= 40 && c.Function(fn.Parent) == nil {
			out = append(out, fn)
		}
	}
	return out
}
