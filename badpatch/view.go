package badpatch

import (
	"fmt"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// View is a version of a file that operators work on: gold's, or gold's with
// one deletion taken back, since to change what should go is a mistake, too.
type View struct {
	File    *ChangedFile
	Code    *code.File
	Changed map[int]bool // the lines of tier 1
}

// maxReverted bounds how many deletions of a file are looked at one by one.
const maxReverted = 8

// Views lists the versions of a subject's files.
func (s *Subject) Views() ([]View, error) {
	var out []View
	for _, f := range s.Files {
		if f.Gold == nil {
			continue
		}
		out = append(out, View{f, f.Gold, f.GoldLines()})
		reverted := 0
		for i, h := range f.Hunks {
			if h.NewTo > h.NewFrom || f.Before == nil || reverted == maxReverted || !code.HasContent(code.Lines(f.Before)[h.From:h.To]) {
				continue
			}
			reverted++
			text := code.Weave(f.Before, f.After, f.Hunks, func(j int) bool { return j != i })
			c, err := code.Parse(s.Language, f.Path, text)
			if err != nil {
				return nil, fmt.Errorf("parsing %s with a deletion taken back: %w", f.Path, err)
			}
			changed := map[int]bool{}
			for l := range h.To - h.From {
				changed[h.NewFrom+1+l] = true
			}
			out = append(out, View{f, c, changed})
		}
	}
	return out, nil
}

// GoldLines are the lines that gold adds and, where it only takes away, the
// lines on either side.
func (f *ChangedFile) GoldLines() map[int]bool {
	out := map[int]bool{}
	for _, h := range f.Hunks {
		for l := h.NewFrom; l < h.NewTo; l++ {
			out[l+1] = true
		}
		if h.NewTo == h.NewFrom {
			out[h.NewFrom] = true
			out[h.NewFrom+1] = true
		}
	}
	return out
}

// Scopes are the innermost functions around the changed lines; for a line
// outside of functions, the declaration that it is part of. They are in order
// and do not nest.
func (v View) Scopes() []*syntax.Node {
	var out []*syntax.Node
	seen := map[*syntax.Node]bool{}
	for line := 1; line <= len(v.Code.Starts); line++ {
		if !v.Changed[line] {
			continue
		}
		if n := v.Code.ScopeAt(line); n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	kept := out[:0]
	for _, n := range out {
		inner := false
		for p := n.Parent; p != nil; p = p.Parent {
			inner = inner || seen[p]
		}
		if !inner {
			kept = append(kept, n)
		}
	}
	return kept
}

// Tier reports whether an edit is on the changed lines: most of what it
// changes is.
func (v View) Tier(e code.Edit) Tier {
	first, end := v.Code.Line(e.Start), v.Code.Line(max(e.Start, e.End-1))
	hit := 0
	for l := first; l <= end; l++ {
		if v.Changed[l] {
			hit++
		}
	}
	if 2*hit >= end-first+1 {
		return Lines
	}
	return Around
}
