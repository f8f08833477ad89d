// Package antipattern makes bad patches as people make them in a hurry: parts of
// gold, the failure caught where it shows, the fix at the wrong place, and parts
// of gold among unrelated changes.
package antipattern

import (
	"context"
	"fmt"
	"iter"

	"assay/badpatch"
	"assay/badpatch/code"
)

// Subsets is the source of partial gold patches: some of its hunks, files or
// lines. What gold changes besides code is in all of them.
type Subsets struct{}

var _ badpatch.Source = Subsets{}

// allSubsets is up to how many hunks every subset is tried; beyond, all but
// one and one alone.
const allSubsets = 4

// Name is subset.
func (Subsets) Name() string { return "subset" }

// place is a hunk of a file.
type place struct {
	file *badpatch.ChangedFile
	hunk int
}

func places(s *badpatch.Subject) []place {
	var out []place
	for _, f := range s.Files {
		for i := range f.Hunks {
			if !imports(f, f.Hunks[i]) {
				out = append(out, place{f, i})
			}
		}
	}
	return out
}

// imports reports whether a hunk only adds imports, or only removes some. A
// part of gold has the imports of both gold and base: they do no harm, and a
// missing one only breaks the build.
func imports(f *badpatch.ChangedFile, h code.Hunk) bool {
	if f.Before == nil || f.After == nil || h.To > h.From && h.NewTo > h.NewFrom {
		return false
	}
	c, first, end := f.Gold, h.NewFrom, h.NewTo
	if h.To > h.From {
		c, first, end = f.Base, h.From, h.To
	}
	found := false
	for line := first + 1; line <= end; line++ {
		n := c.ScopeAt(line)
		if n != nil && !code.Is(n, "import_statement", "import_from_statement", "import_declaration", "preproc_include", "using_declaration") {
			return false
		}
		found = found || n != nil
	}
	return found
}

// Candidates returns subsets of hunks, of files, and of lines.
func (Subsets) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		give := func(operator string, d badpatch.Detail, texts map[string][]byte) bool {
			diff, err := s.Diff(texts, true)
			if err == nil {
				err = ctx.Err()
			}
			return yield(badpatch.Candidate{
				Patch: diff, Source: "subset", Operator: operator, Category: badpatch.Partial, Kind: badpatch.KindPartial, Seed: s.Seed, Detail: d,
			}, err) && err == nil
		}
		_ = hunkSubsets(s, give) && fileSubsets(s, give) && lineSubsets(s, give)
	}
}

type giver func(operator string, d badpatch.Detail, texts map[string][]byte) bool

func hunkSubsets(s *badpatch.Subject, give giver) bool {
	places := places(s)
	n := len(places)
	for _, mask := range masks(n) {
		taken := map[place]bool{}
		var missing []place
		for i, p := range places {
			if taken[p] = mask(i); !mask(i) {
				missing = append(missing, p)
			}
		}
		what := fmt.Sprintf("%d of %d hunks", n-len(missing), n)
		d := badpatch.Detail{Path: missing[0].file.Path, Line: missing[0].file.Hunks[missing[0].hunk].NewFrom + 1, What: what}
		if !give("hunks", d, taking(s, func(p place) bool { return taken[p] })) {
			return false
		}
	}
	return true
}

// masks lists the subsets of n hunks to try.
func masks(n int) []func(int) bool {
	var out []func(int) bool
	if n <= allSubsets {
		for m := 1; m < 1<<n-1; m++ {
			out = append(out, func(i int) bool { return m&(1<<i) != 0 })
		}
		return out
	}
	for one := range n {
		out = append(out, func(i int) bool { return i != one }, func(i int) bool { return i == one })
	}
	return out
}

// taking are the texts of all files with some of their hunks.
func taking(s *badpatch.Subject, take func(place) bool) map[string][]byte {
	texts := map[string][]byte{}
	for _, f := range s.Files {
		any, all := false, true
		for i, h := range f.Hunks {
			if !imports(f, h) {
				any, all = any || take(place{f, i}), all && take(place{f, i})
			}
		}
		switch {
		case all:
			texts[f.Path] = f.After
		case !any:
			texts[f.Path] = f.Before
		default:
			texts[f.Path] = code.Weave(f.Before, f.After, f.Hunks, func(i int) bool {
				h := f.Hunks[i]
				return imports(f, h) && h.NewTo > h.NewFrom || !imports(f, h) && take(place{f, i})
			})
		}
	}
	return texts
}

func fileSubsets(s *badpatch.Subject, give giver) bool {
	if len(s.Files) < 2 {
		return true
	}
	for _, one := range s.Files {
		for _, keep := range []bool{false, true} {
			what := "all files but this one"
			if keep {
				what = "this file only"
			}
			if !give("files", badpatch.Detail{Path: one.Path, What: what}, taking(s, func(p place) bool { return (p.file == one) == keep })) {
				return false
			}
		}
	}
	return true
}

// lineSubsets takes back single lines of hunks that change line by line.
func lineSubsets(s *badpatch.Subject, give giver) bool {
	for _, f := range s.Files {
		for i, h := range f.Hunks {
			if h.To-h.From != h.NewTo-h.NewFrom || h.To-h.From < 2 {
				continue
			}
			for l := range h.To - h.From {
				parted := part(f.Hunks, i)
				text := code.Weave(f.Before, f.After, parted, func(j int) bool { return j != i+l })
				d := badpatch.Detail{Path: f.Path, Line: h.NewFrom + l + 1, What: "one line of the hunk taken back"}
				if !give("lines", d, map[string][]byte{f.Path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// part splits hunk i, which changes line by line, into one for each line.
func part(hunks []code.Hunk, i int) []code.Hunk {
	var out []code.Hunk
	for j, h := range hunks {
		if j != i {
			out = append(out, h)
			continue
		}
		for l := range h.To - h.From {
			out = append(out, code.Hunk{From: h.From + l, To: h.From + l + 1, NewFrom: h.NewFrom + l, NewTo: h.NewFrom + l + 1})
		}
	}
	return out
}
