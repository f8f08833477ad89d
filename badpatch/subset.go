package badpatch

import (
	"context"
	"fmt"
	"iter"
)

// Subsets is the source of partial gold patches: some of its hunks, files or
// lines. What gold changes beside code stays in all of them.
type Subsets struct{}

var _ Source = Subsets{}

// allSubsets is up to how many hunks every subset is tried; beyond, all but
// one and one alone.
const allSubsets = 4

// Name is subset.
func (Subsets) Name() string { return "subset" }

// place is a hunk of a file.
type place struct {
	file *change
	hunk int
}

func (s *Subject) places() []place {
	var out []place
	for _, f := range s.files {
		for i := range f.hunks {
			if !f.imports(f.hunks[i]) {
				out = append(out, place{f, i})
			}
		}
	}
	return out
}

// imports reports whether a hunk only brings imports, or only takes some away.
// A part of gold has the imports of both gold and base: none of them does any
// harm, and to miss one only breaks the build.
func (f *change) imports(h hunk) bool {
	if f.before == nil || f.after == nil || h.to > h.from && h.newTo > h.newFrom {
		return false
	}
	c, first, end := f.gold, h.newFrom, h.newTo
	if h.to > h.from {
		c, first, end = f.base, h.from, h.to
	}
	found := false
	for line := first + 1; line <= end; line++ {
		n := c.scopeAt(line)
		if n != nil && !is(n, "import_statement", "import_from_statement", "import_declaration", "preproc_include", "using_declaration") {
			return false
		}
		found = found || n != nil
	}
	return found
}

// Candidates gives subsets of hunks, of files, and of lines.
func (Subsets) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		give := func(operator string, d Detail, texts map[string][]byte) bool {
			diff, err := s.diff(texts, true)
			if err == nil {
				err = ctx.Err()
			}
			return yield(Candidate{
				Patch: diff, Source: "subset", Operator: operator, Category: Partial, Kind: KindPartial, Seed: s.Seed, Detail: d,
			}, err) && err == nil
		}
		_ = s.hunkSubsets(give) && s.fileSubsets(give) && s.lineSubsets(give)
	}
}

type giver func(operator string, d Detail, texts map[string][]byte) bool

func (s *Subject) hunkSubsets(give giver) bool {
	places := s.places()
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
		d := Detail{Path: missing[0].file.path, Line: missing[0].file.hunks[missing[0].hunk].newFrom + 1, What: what}
		if !give("hunks", d, s.taking(func(p place) bool { return taken[p] })) {
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
func (s *Subject) taking(take func(place) bool) map[string][]byte {
	texts := map[string][]byte{}
	for _, f := range s.files {
		any, all := false, true
		for i, h := range f.hunks {
			if !f.imports(h) {
				any, all = any || take(place{f, i}), all && take(place{f, i})
			}
		}
		switch {
		case all:
			texts[f.path] = f.after
		case !any:
			texts[f.path] = f.before
		default:
			texts[f.path] = weave(f.before, f.after, f.hunks, func(i int) bool {
				h := f.hunks[i]
				return f.imports(h) && h.newTo > h.newFrom || !f.imports(h) && take(place{f, i})
			})
		}
	}
	return texts
}

func (s *Subject) fileSubsets(give giver) bool {
	if len(s.files) < 2 {
		return true
	}
	for _, one := range s.files {
		for _, keep := range []bool{false, true} {
			what := "all files but this one"
			if keep {
				what = "this file only"
			}
			if !give("files", Detail{Path: one.path, What: what}, s.taking(func(p place) bool { return (p.file == one) == keep })) {
				return false
			}
		}
	}
	return true
}

// lineSubsets takes back single lines of hunks that change line by line.
func (s *Subject) lineSubsets(give giver) bool {
	for _, f := range s.files {
		for i, h := range f.hunks {
			if h.to-h.from != h.newTo-h.newFrom || h.to-h.from < 2 {
				continue
			}
			for l := range h.to - h.from {
				parted := part(f.hunks, i)
				text := weave(f.before, f.after, parted, func(j int) bool { return j != i+l })
				d := Detail{Path: f.path, Line: h.newFrom + l + 1, What: "one line of the hunk taken back"}
				if !give("lines", d, map[string][]byte{f.path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// part splits hunk i, which changes line by line, into one for each line.
func part(hunks []hunk, i int) []hunk {
	var out []hunk
	for j, h := range hunks {
		if j != i {
			out = append(out, h)
			continue
		}
		for l := range h.to - h.from {
			out = append(out, hunk{h.from + l, h.from + l + 1, h.newFrom + l, h.newFrom + l + 1})
		}
	}
	return out
}
