package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// DetailLevel is how much a deterministic review reveals.
type DetailLevel string

// The levels, from least to most. Each has what those before it have.
const (
	L0 DetailLevel = "L0" // how the patch fails
	L1 DetailLevel = "L1" // and in which files
	L2 DetailLevel = "L2" // and in which functions and classes
	L3 DetailLevel = "L3" // and what kind of mistake it is
)

// DefaultLevel is the level of reviews by default.
const DefaultLevel = L2

// SourceDeterministic is the source of reviews that no model wrote.
const SourceDeterministic = "deterministic"

// maxPlaces bounds the paragraphs on places.
const maxPlaces = 5

// ParseLevel reads a level's name; an empty one is DefaultLevel.
func ParseLevel(name string) (DetailLevel, error) {
	switch l := DetailLevel(strings.ToUpper(strings.TrimSpace(name))); l {
	case "":
		return DefaultLevel, nil
	case L0, L1, L2, L3:
		return l, nil
	}
	return "", fmt.Errorf("level %q is not one of L0, L1, L2, L3", name)
}

// paragraphs is a text in sentences.
type paragraphs [][]string

func (p paragraphs) String() string {
	var out []string
	for _, sentences := range p {
		if len(sentences) > 0 {
			out = append(out, strings.Join(sentences, " "))
		}
	}
	return strings.Join(out, "\n\n")
}

// lastResort is what remains to be said where everything else would leak.
const lastResort = "The patch does not do what the issue asks for; go through the issue again, case by case."

// Deterministic writes a review from failing tests and places alone, never
// from gold's text. It passes Check: a sentence that would not is left out,
// and where nothing of a level remains, a lower one is taken; the review's
// level is how much it reveals. The same input gives the same review.
func (s *Subject) Deterministic(level DetailLevel) bench.Review {
	r := bench.Review{BadPatch: s.in.Bad.Index, Source: SourceDeterministic, Category: s.Category(), QuotesTests: s.in.QuoteTests}
	r.Text, r.Level = lastResort, string(L0)
	for _, l := range levelsFrom(level) {
		if text := s.safe(s.compose(l)).String(); text != "" && len(s.Leaks(text)) == 0 {
			r.Text, r.Level = text, string(l)
			break
		}
	}
	report := s.Check(r.Text)
	r.Leak = &report
	return r
}

// levelsFrom are the levels from the given one down to L0.
func levelsFrom(level DetailLevel) []DetailLevel {
	all := []DetailLevel{L3, L2, L1, L0}
	if at := slices.Index(all, level); at >= 0 {
		return all[at:]
	}
	return all[1:]
}

// compose puts the paragraphs of a level together.
func (s *Subject) compose(level DetailLevel) paragraphs {
	out := paragraphs{s.behaviour()}
	switch level {
	case L1:
		out = append(out, s.fileAdvice()...)
	case L2, L3:
		out = append(out, s.placeAdvice()...)
	}
	if level == L3 {
		if text := categoryAdvice(s.Category()); text != "" {
			out = append(out, []string{text})
		}
	}
	return out
}

// safe leaves out sentences that leak by themselves.
func (s *Subject) safe(p paragraphs) paragraphs {
	out := make(paragraphs, len(p))
	for i, sentences := range p {
		for _, text := range sentences {
			if len(s.Leaks(text)) == 0 {
				out[i] = append(out[i], text)
			}
		}
	}
	return out
}

// placeAdvice has a paragraph for each of the first places. A file is named by
// its path once, as long as the text stays with it.
func (s *Subject) placeAdvice() paragraphs {
	var out paragraphs
	said := map[Divergence]int{}
	rest, last := s.places, ""
	for len(rest) > 0 && len(out) < maxPlaces {
		p := rest[0]
		if n := dropped(rest); n > 2 {
			out = append(out, []string{p.lossAdvice(rest[1], p.Path == last)})
			rest = rest[n:]
		} else {
			out = append(out, []string{capital(p.advice(said[p.Kind], p.Path == last))})
			rest = rest[1:]
		}
		said[p.Kind]++
		last = p.Path
	}
	return andMore(out, len(rest) > 0)
}

// dropped counts the symbols in front of the list that the bad patch takes out
// of one file.
func dropped(places []Place) int {
	n := 0
	for n < len(places) && places[n].Detail == Drops && places[n].Symbol != "" && places[n].Path == places[0].Path {
		n++
	}
	return n
}

// fileAdvice has a paragraph for each of the first files.
func (s *Subject) fileAdvice() paragraphs {
	var files []Place
	for _, p := range s.places {
		at := slices.IndexFunc(files, func(f Place) bool { return f.Path == p.Path })
		if at < 0 {
			files = append(files, Place{Path: p.Path, Kind: p.Kind, Detail: p.fileDetail()})
		} else if p.Kind != Spurious {
			files[at].Detail = Ordinary
		}
	}
	var out paragraphs
	for _, f := range files[:min(len(files), maxPlaces)] {
		out = append(out, []string{capital(f.fileAdvice(s.touches(f.Path)))})
	}
	return andMore(out, len(files) > len(out))
}

// fileDetail is the detail that says something of the whole file.
func (p Place) fileDetail() Detail {
	if p.Symbol == "" && p.Detail != Lacks {
		return p.Detail
	}
	return Ordinary
}

// touches reports whether the bad patch changes a file.
func (s *Subject) touches(path string) bool {
	return slices.ContainsFunc(s.files, func(f file) bool { return f.path == path && f.touchedByBad })
}

// fileAdvice is what a review says about a whole file.
func (p Place) fileAdvice(touched bool) string {
	name := code(p.Path)
	switch {
	case p.Detail != Ordinary:
		return Place{Path: p.Path, Kind: p.Kind, Detail: p.Detail}.advice(0, false)
	case p.Kind == Spurious:
		return "The issue does not ask for the edits in " + name + "; take them back."
	case p.Kind == Different:
		return "The change in " + name + " does not give the behaviour that the issue describes; go through it with a failing case in hand."
	case touched:
		return "The patch changes " + name + ", but leaves out a part of it that matters."
	}
	return name + " takes part in the problem, too, and the patch does not touch it."
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// andMore says that there are more places than paragraphs.
func andMore(p paragraphs, more bool) paragraphs {
	if more {
		p = append(p, []string{"There are more places of this kind; go through the whole patch once more."})
	}
	return p
}

func sortedTests(tests []bench.Test) []bench.Test {
	out := slices.Clone(tests)
	slices.SortStableFunc(out, func(a, b bench.Test) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
