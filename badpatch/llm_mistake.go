package badpatch

import (
	"bytes"
	"fmt"

	"assay/languages/syntax"
)

// mistaken is the candidate with some texts in place of gold's.
func (s *Subject) mistaken(texts map[string][]byte) (Candidate, *refusal) {
	if no := s.unfit(texts); no != nil {
		return Candidate{}, no
	}
	diff, err := s.diff(texts, true)
	if err != nil {
		return Candidate{}, &refusal{outOfRange, err.Error()}
	}
	c := Candidate{Patch: diff, Source: "llm"}
	c.Detail, c.Tier = s.placeOf(texts)
	return c, nil
}

// unfit says why texts in place of gold's make no candidate. The static filter
// looks for the same later; but only here can the model be told.
func (s *Subject) unfit(texts map[string][]byte) *refusal {
	asGold, asBase := true, true
	for _, f := range s.files {
		text, ok := texts[f.path]
		if !ok {
			text = f.after
		} else if no := s.misspelt(f, text); no != nil {
			return no
		}
		form := Normalise(s.Language, text)
		asGold = asGold && (!ok || form == Normalise(s.Language, f.after))
		asBase = asBase && form == Normalise(s.Language, f.before)
	}
	switch {
	case asGold:
		return &refusal{likeGold, "with it, the code is the same as with the correct patch: comments and layout do not count"}
	case asBase:
		return &refusal{likeBase, "with it, the code is the same as before the correct patch"}
	}
	return nil
}

// misspelt refuses a version of a file with more errors than gold's.
func (s *Subject) misspelt(f *change, text []byte) *refusal {
	root, errs, err := syntax.Nodes(s.Language, text)
	switch {
	case err != nil:
		return &refusal{noSyntax, fmt.Sprintf("with it, %s cannot be parsed: %v", f.path, err)}
	case f.gold == nil || errs <= f.gold.errors:
		return nil
	case f.gold.errors > 0: // which of the errors are new is not known
		return &refusal{noSyntax, fmt.Sprintf("with it, %s does not parse any more", f.path)}
	}
	line := 0
	root.Walk(func(n *syntax.Node) bool {
		if n.Broken && line == 0 {
			line = n.Line
		}
		return line == 0
	})
	at := bytes.TrimSpace(lineAt(text, line))
	return &refusal{noSyntax, fmt.Sprintf("with it, %s does not parse any more, from line %d on: %q", f.path, line, short(string(at)))}
}

// lineAt is a line of a text, from 1; none where there is none.
func lineAt(text []byte, line int) []byte {
	if all := lines(text); line >= 1 && line <= len(all) {
		return all[line-1]
	}
	return nil
}

// placeOf is where texts first differ from gold, and whether that is on gold's
// own lines.
func (s *Subject) placeOf(texts map[string][]byte) (Detail, Tier) {
	var d Detail
	tier := Around
	for _, f := range s.files {
		text, ok := texts[f.path]
		if !ok {
			continue
		}
		golds := f.goldLines()
		for _, h := range hunksBetween(f.after, text) {
			if d.Path == "" {
				d = Detail{Path: f.path, Line: h.from + 1}
			}
			for l := h.from + 1; l <= max(h.to, h.from+1); l++ {
				if golds[l] {
					tier = Lines
				}
			}
		}
	}
	return d, tier
}
