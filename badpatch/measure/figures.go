// Package measure describes what a set of bad patches is worth: how different
// they are from one another, which weak test suites they distinguish from
// good ones, and what they cost. It also makes weak tests to measure with.
package measure

import (
	"cmp"
	"maps"
	"slices"

	"assay/badpatch"
)

// Figures measure the bad patches of a dataset. They grow by Add.
type Figures struct {
	Languages []LanguageFigures `json:"languages"`
	Yields    []Yield           `json:"yields"`
	// Causes count, over all candidates, why they were dropped or rejected.
	Causes map[badpatch.Cause]int `json:"causes,omitempty"`

	options FigureOptions
}

// FigureOptions describe what the sets are measured with.
type FigureOptions struct {
	N      int // size of the random sets that the chosen ones are compared with
	Suites SuiteOptions
	Splits int // of the hidden tests, for the held-out figure
}

// LanguageFigures are the figures of a language's instances.
type LanguageFigures struct {
	Language  string `json:"language"`
	Instances int    `json:"instances"`
	None      int    `json:"none"` // for which nothing could be made
	Full      int    `json:"full"` // with as many bad patches as were asked for

	Bad        int     `json:"bad"`
	Regression int     `json:"regression"`
	Survivor   int     `json:"survivor"`
	Rejected   int     `json:"rejected"`
	Chosen     int     `json:"chosen"`
	Variants   int     `json:"good_variants"`
	Seconds    float64 `json:"seconds"`

	// Sets are the chosen patches, as many at random, those of the dataset,
	// and all bad ones, in this order.
	Sets []SetFigures `json:"sets"`
}

// SetFigures measure one way of having bad patches, over a language's
// instances.
type SetFigures struct {
	Name      string    `json:"name"`
	Instances int       `json:"instances"` // that have such patches
	Diversity Diversity `json:"diversity"` // means per instance, except for the counts, which are sums
	Weak      Quality   `json:"weak_suites"`
	AnyTest   Quality   `json:"any_test_suites"`
	// HeldOut is measured with tests that choosing has not seen. It stands for
	// every set but all bad ones, which leave nothing outside.
	HeldOut *Quality `json:"held_out,omitempty"`
}

// NewFigures makes figures to add records to.
func NewFigures(o FigureOptions) *Figures {
	return &Figures{options: o, Causes: map[badpatch.Cause]int{}}
}

// Add counts an instance.
func (f *Figures) Add(r Record) {
	l := f.language(r.Language)
	l.Instances++
	if r.Problem != "" || r.Trouble != "" {
		l.None++
		return
	}
	if len(r.Chosen) >= f.options.N {
		l.Full++
	}
	l.Chosen += len(r.Chosen)
	l.Variants += r.Variants
	l.Seconds += r.Measuring
	for _, t := range r.Trials {
		l.count(t)
		if t.Verdict == badpatch.Rejected {
			f.Causes[t.Cause]++
		}
	}
	for _, y := range r.Yields {
		for c, n := range y.Dropped {
			f.Causes[c] += n
		}
	}
	f.Yields = AddYields(false, f.Yields, r.Yields)
	f.addSets(l, r)
}

func (l *LanguageFigures) count(t badpatch.Trial) {
	l.Seconds += t.Seconds
	switch t.Verdict {
	case badpatch.Bad:
		l.Bad++
	case badpatch.Regression:
		l.Regression++
	case badpatch.Survivor:
		l.Survivor++
	default:
		l.Rejected++
	}
}

// Yield is the share of the candidates that were run which proved bad.
func (l LanguageFigures) Yield() (share float64, ok bool) {
	run := l.Bad + l.Regression + l.Survivor + l.Rejected
	if run == 0 {
		return 0, false
	}
	return float64(l.Bad) / float64(run), true
}

// SecondsPerBad is the cost of a bad patch, with all runs that gave no bad
// patch and the measuring of the tests.
func (l LanguageFigures) SecondsPerBad() (float64, bool) {
	if l.Bad == 0 {
		return 0, false
	}
	return l.Seconds / float64(l.Bad), true
}

func (f *Figures) language(name string) *LanguageFigures {
	i, found := slices.BinarySearchFunc(f.Languages, name, func(l LanguageFigures, n string) int { return cmp.Compare(l.Language, n) })
	if !found {
		f.Languages = slices.Insert(f.Languages, i, LanguageFigures{Language: name})
	}
	return &f.Languages[i]
}

// addSets measures the record's sets against one and the same pool: all bad
// patches, those of the dataset too.
func (f *Figures) addSets(l *LanguageFigures, r Record) {
	n, seed := f.options.N, f.options.Suites.Seed
	f.addSet(l, "chosen", r, r.Set(), madeHere(ByChoosing(n)))
	f.addSet(l, "random", r, r.trialsOf(badpatch.Random(r.Trials, n, seed)), madeHere(AtRandom(n, seed)))
	f.addSet(l, "published", r, bads(r.Published), OfSource(badpatch.Published))
	f.addSet(l, "all", r, bads(r.Trials), nil)
}

func bads(trials []badpatch.Trial) []badpatch.Trial {
	var out []badpatch.Trial
	for _, t := range trials {
		if t.Verdict == badpatch.Bad {
			out = append(out, t)
		}
	}
	return out
}

// pool are all bad patches that are known of the instance.
func (r Record) pool() []badpatch.Trial { return append(bads(r.Trials), bads(r.Published)...) }

// others are the pool's patches outside of a set.
func (r Record) others(set []badpatch.Trial) []badpatch.Trial {
	return slices.DeleteFunc(r.pool(), func(t badpatch.Trial) bool {
		return slices.ContainsFunc(set, func(s badpatch.Trial) bool { return s.Patch == t.Patch })
	})
}

// madeHere picks from what was made here, not from the dataset's own patches.
func madeHere(pick Picker) Picker {
	return func(trials []badpatch.Trial) []badpatch.Choice {
		var mine []badpatch.Trial
		var places []int
		for i, t := range trials {
			if t.Source != badpatch.Published {
				mine, places = append(mine, t), append(places, i)
			}
		}
		out := pick(mine)
		for i := range out {
			out[i].Trial = places[out[i].Trial]
		}
		return out
	}
}

func (f *Figures) addSet(l *LanguageFigures, name string, r Record, set []badpatch.Trial, pick Picker) {
	at := slices.IndexFunc(l.Sets, func(s SetFigures) bool { return s.Name == name })
	if at < 0 {
		l.Sets = append(l.Sets, SetFigures{Name: name})
		at = len(l.Sets) - 1
	}
	if len(set) == 0 {
		return
	}
	s := &l.Sets[at]
	s.Instances++
	d, n := DiversityOf(set), float64(s.Instances)
	s.Diversity.Patches += d.Patches
	s.Diversity.Vectors += d.Vectors
	s.Diversity.Dominators += d.Dominators
	s.Diversity.Rank += d.Rank
	s.Diversity.Distance += (d.Distance - s.Diversity.Distance) / n
	s.Diversity.Entropy += (d.Entropy - s.Diversity.Entropy) / n
	o, rest := f.options.Suites, r.others(set)
	s.Weak.Add(WeakSuites(set, rest, r.Hidden, o))
	o.AnyTest = true
	s.AnyTest.Add(WeakSuites(set, rest, r.Hidden, o))
	if pick != nil {
		if s.HeldOut == nil {
			s.HeldOut = &Quality{}
		}
		s.HeldOut.Add(HeldOut(r.pool(), pick, r.Hidden, f.options.Splits, f.options.Suites))
	}
}

// SortedCauses lists the causes, the most frequent first.
func (f *Figures) SortedCauses() []badpatch.Cause {
	return slices.SortedFunc(maps.Keys(f.Causes), func(a, b badpatch.Cause) int {
		return cmp.Or(cmp.Compare(f.Causes[b], f.Causes[a]), cmp.Compare(a, b))
	})
}
