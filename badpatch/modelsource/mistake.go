package modelsource

import (
	"bytes"
	"fmt"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/badpatch/searchreplace"
	"assay/languages/syntax"
)

// mistaken is the candidate with some texts in place of gold's.
func mistaken(s *badpatch.Subject, texts map[string][]byte) (badpatch.Candidate, *refusal) {
	if no := unfit(s, texts); no != nil {
		return badpatch.Candidate{}, no
	}
	diff, err := s.Diff(texts, true)
	if err != nil {
		return badpatch.Candidate{}, &refusal{Cause: searchreplace.OutOfRange, Why: err.Error()}
	}
	c := badpatch.Candidate{Patch: diff, Source: "llm"}
	c.Detail, c.Tier = placeOf(s, texts)
	return c, nil
}

// unfit explains why texts in place of gold's make no candidate. The static
// filter looks for the same later; but only here can the model be informed.
func unfit(s *badpatch.Subject, texts map[string][]byte) *refusal {
	asGold, asBase := true, true
	for _, f := range s.Files {
		text, ok := texts[f.Path]
		if !ok {
			text = f.After
		} else if no := misspelt(s, f, text); no != nil {
			return no
		}
		form := code.Normalise(s.Language, text)
		asGold = asGold && (!ok || form == code.Normalise(s.Language, f.After))
		asBase = asBase && form == code.Normalise(s.Language, f.Before)
	}
	switch {
	case asGold:
		return &refusal{Cause: likeGold, Why: "with it, the code is the same as with the correct patch: comments and layout do not count"}
	case asBase:
		return &refusal{Cause: likeBase, Why: "with it, the code is the same as before the correct patch"}
	}
	return nil
}

// misspelt refuses a version of a file with more errors than gold's.
func misspelt(s *badpatch.Subject, f *badpatch.ChangedFile, text []byte) *refusal {
	root, errs, err := syntax.Nodes(s.Language, text)
	switch {
	case err != nil:
		return &refusal{Cause: noSyntax, Why: fmt.Sprintf("with it, %s cannot be parsed: %v", f.Path, err)}
	case f.Gold == nil || errs <= f.Gold.Errors:
		return nil
	case f.Gold.Errors > 0: // which of the errors are new is not known
		return &refusal{Cause: noSyntax, Why: fmt.Sprintf("with it, %s does not parse any more", f.Path)}
	}
	line := 0
	root.Walk(func(n *syntax.Node) bool {
		if n.Broken && line == 0 {
			line = n.Line
		}
		return line == 0
	})
	at := bytes.TrimSpace(lineAt(text, line))
	return &refusal{Cause: noSyntax, Why: fmt.Sprintf("with it, %s does not parse any more, from line %d on: %q", f.Path, line, code.Excerpt(string(at)))}
}

// lineAt is a line of a text, from 1; none where there is none.
func lineAt(text []byte, line int) []byte {
	if all := code.Lines(text); line >= 1 && line <= len(all) {
		return all[line-1]
	}
	return nil
}

// placeOf is where texts first differ from gold, and whether that is on gold's
// own lines.
func placeOf(s *badpatch.Subject, texts map[string][]byte) (badpatch.Detail, badpatch.Tier) {
	var d badpatch.Detail
	tier := badpatch.Around
	for _, f := range s.Files {
		text, ok := texts[f.Path]
		if !ok {
			continue
		}
		golds := f.GoldLines()
		for _, h := range code.HunksBetween(f.After, text) {
			if d.Path == "" {
				d = badpatch.Detail{Path: f.Path, Line: h.From + 1}
			}
			for l := h.From + 1; l <= max(h.To, h.From+1); l++ {
				if golds[l] {
					tier = badpatch.Lines
				}
			}
		}
	}
	return d, tier
}
