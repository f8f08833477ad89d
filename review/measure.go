package review

import (
	"slices"
	"strings"

	"assay/bench"
)

// Case is a review with what it is about.
type Case struct {
	Subject *Subject
	Review  bench.Review
}

// Share is a part of a whole, both counted.
type Share struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Rate is the share as a fraction; ok is false where there is nothing to
// divide by.
func (s Share) Rate() (rate float64, ok bool) {
	if s.Of == 0 {
		return 0, false
	}
	return float64(s.Count) / float64(s.Of), true
}

func (s *Share) add(hits, of int) {
	s.Count += hits
	s.Of += of
}

// Finding is how well reviews name the places where gold and the bad patch
// differ, summed over the set (micro).
type Finding struct {
	Recall    Share `json:"recall"`    // places that are named
	Precision Share `json:"precision"` // named ones that are places
}

// Figures are the measures of a set of reviews by their texts. What a review
// does for an agent (uplift) is measured from results, not here.
type Figures struct {
	Reviews   int   `json:"reviews"`
	Checkable Share `json:"checkable"`
	Leaking   Share `json:"leaking"`   // of the kept texts
	Replaced  Share `json:"replaced"`  // by the deterministic review, since all drafts were refused
	Grounding Share `json:"grounding"` // named files and symbols that exist with the bad patch or in what its tests say
	// Files and Symbols count reviews of bad patches that have places only.
	// A named symbol counts against precision where it is a function or
	// class of a touched file.
	Files      Finding        `json:"files"`
	Symbols    Finding        `json:"symbols"`
	Words      Words          `json:"words"`
	Categories map[string]int `json:"categories,omitempty"`
}

// Words are the lengths of reviews.
type Words struct {
	Min    int     `json:"min"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Max    int     `json:"max"`
}

// Measure sums up a set. The leak check runs again, regardless of the
// reviews' own reports.
func Measure(cases []Case) Figures {
	f := Figures{Reviews: len(cases)}
	var lengths []int
	for _, c := range cases {
		f.add(c)
		lengths = append(lengths, len(strings.Fields(c.Review.Text)))
		if c.Review.Category != "" {
			if f.Categories == nil {
				f.Categories = map[string]int{}
			}
			f.Categories[c.Review.Category]++
		}
	}
	f.Words = wordsOf(lengths)
	return f
}

func (f *Figures) add(c Case) {
	report := c.Subject.Check(c.Review.Text)
	f.Checkable.add(btoi(report.Checkable), 1)
	f.Leaking.add(btoi(len(report.Leaks) > 0), 1)
	kept := c.Review.Leak
	f.Replaced.add(btoi(kept != nil && len(kept.Refused) > 0 && c.Review.Source == SourceDeterministic), 1)
	m := mentionsOf(c.Review.Text)
	var files, symbols []string
	vocabulary := c.Subject.vocabulary()
	for _, name := range m.files {
		p, ok := c.Subject.fileOf(name)
		f.Grounding.add(btoi(ok), 1)
		if ok {
			files = append(files, p)
		}
	}
	for _, name := range m.symbols {
		declared, known := vocabulary[name]
		f.Grounding.add(btoi(known), 1)
		if declared {
			symbols = append(symbols, name)
		}
	}
	placeFiles, placeSymbols := c.Subject.targets()
	f.Files.add(unique(files), placeFiles)
	f.Symbols.add(symbols, placeSymbols)
}

func (f *Finding) add(named, places []string) {
	if len(places) == 0 {
		return
	}
	hits := 0
	for _, name := range named {
		hits += btoi(slices.Contains(places, name))
	}
	f.Recall.add(hits, len(places))
	f.Precision.add(hits, len(named))
}

// targets are the files and the last parts of the symbols of all places that
// the agent can know.
func (s *Subject) targets() (files, symbols []string) {
	for _, p := range s.places {
		if p.Detail == NewFile {
			continue
		}
		files = append(files, p.Path)
		if p.Symbol != "" {
			symbols = append(symbols, lastPart(p.Symbol))
		}
	}
	return unique(files), unique(symbols)
}

func lastPart(symbol string) string {
	return symbol[max(strings.LastIndexByte(symbol, '.'), strings.LastIndexByte(symbol, ':'))+1:]
}

// vocabulary is every name that the touched files have with the bad patch, and
// whether it is that of a function or class. What the bad patch removes counts
// too, since a review may ask for it back, and what the failing tests report.
func (s *Subject) vocabulary() map[string]bool {
	out := map[string]bool{}
	texts := []string{s.in.Bad.Patch}
	for _, t := range slices.Concat(s.in.FailToPass, s.in.PassToPass) {
		texts = append(texts, t.ID, t.Message)
	}
	for _, t := range scan(strings.Join(texts, "\n")) {
		if t.class == word {
			out[t.text] = false
		}
	}
	for _, f := range s.files {
		if f.bad == nil {
			continue
		}
		for _, t := range f.bad.tokens {
			if t.class == word {
				out[t.text] = false
			}
		}
	}
	for _, name := range s.declared {
		out[lastPart(name)] = true
	}
	for _, p := range s.places {
		out[lastPart(p.Symbol)] = true
	}
	return out
}

func wordsOf(lengths []int) Words {
	if len(lengths) == 0 {
		return Words{}
	}
	slices.Sort(lengths)
	n, sum := len(lengths), 0
	for _, l := range lengths {
		sum += l
	}
	return Words{
		Min: lengths[0], Max: lengths[n-1], Mean: float64(sum) / float64(n),
		Median: float64(lengths[(n-1)/2]+lengths[n/2]) / 2,
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
