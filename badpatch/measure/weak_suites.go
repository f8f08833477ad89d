package measure

import (
	"math/rand/v2"
	"slices"

	"assay/badpatch"
	"assay/badpatch/killset"
)

// Hidden are the hidden tests of an instance that gold passes.
type Hidden struct{ F2P, P2P []string }

// SuiteOptions describe how weak suites are drawn.
type SuiteOptions struct {
	Size  int // tests of a suite
	Draws int
	Seed  uint64
	// AnyTest draws suites that need not hold a fail-to-pass test. Such a
	// suite passes on base, and so is not a generated test; published
	// prototypes count them.
	AnyTest bool
}

// DefaultSuites are suites of three tests.
func DefaultSuites(seed uint64) SuiteOptions { return SuiteOptions{Size: 3, Draws: 1000, Seed: seed} }

// Quality describes how well a set of bad patches detects weak suites. All
// counts are of suites, so that instances can be added up.
type Quality struct {
	Suites   int `json:"suites"`
	Accepted int `json:"accepted"` // they kill all of the set
	// Contested are the suites of instances that have a bad patch outside of
	// the set. FalselyAccepted of them are accepted although such a one passes.
	Contested       int `json:"contested"`
	FalselyAccepted int `json:"falsely_accepted"`
	// ByCount[k] are the suites that kill the first k of the set: what the
	// k-th is worth.
	ByCount []int `json:"by_count"`
}

// FalseAccept is the rate of suites that are accepted though a bad patch
// outside the set passes them; ok is false where there is no such patch, or no
// suite was drawn. Instances whose set is all they have do not count: their
// zero would say nothing of the set.
func (q Quality) FalseAccept() (rate float64, ok bool) {
	return ratio(q.FalselyAccepted, q.Contested)
}

// Overestimate is by how much the share of good suites is overrated where only
// gold judges (OmniCode, section 5.5): the suites that the set does not accept.
func (q Quality) Overestimate() (rate float64, ok bool) {
	return ratio(q.Suites-q.Accepted, q.Suites)
}

func ratio(a, b int) (float64, bool) {
	if b == 0 {
		return 0, false
	}
	return float64(a) / float64(b), true
}

// Add adds another instance's counts.
func (q *Quality) Add(o Quality) {
	q.Suites += o.Suites
	q.Accepted += o.Accepted
	q.Contested += o.Contested
	q.FalselyAccepted += o.FalselyAccepted
	// An instance with fewer patches continues with what its last one left.
	sum := make([]int, max(len(q.ByCount), len(o.ByCount)))
	for k := range sum {
		sum[k] = at(q.ByCount, k) + at(o.ByCount, k)
	}
	q.ByCount = sum
}

func at(counts []int, k int) int {
	if len(counts) == 0 {
		return 0
	}
	return counts[min(k, len(counts)-1)]
}

// WeakSuites draws small subsets of the hidden tests and has a set of bad
// patches judge them; rest are bad patches outside of the set. No suite is
// drawn where there are fewer tests than a suite holds, or no bad patch at all.
func WeakSuites(set, rest []badpatch.Trial, hidden Hidden, o SuiteOptions) Quality {
	hidden.F2P = distinct(hidden.F2P) // a published list may name a test twice
	columns := distinct(slices.Concat(hidden.F2P, hidden.P2P))
	if len(columns) < o.Size || len(hidden.F2P) == 0 || len(set)+len(rest) == 0 {
		return Quality{}
	}
	q := Quality{ByCount: make([]int, len(set)+1)}
	r := rand.New(rand.NewPCG(o.Seed, 2))
	in, out := killSets(set), killSets(rest)
	for range o.Draws {
		q.count(draw(r, hidden, columns, o), in, out)
	}
	return q
}

// draw is one suite. Its first test is fail-to-pass unless any will do.
func draw(r *rand.Rand, hidden Hidden, columns []string, o SuiteOptions) []string {
	suite := make([]string, 0, o.Size)
	if !o.AnyTest {
		suite = append(suite, hidden.F2P[r.IntN(len(hidden.F2P))])
	}
	for len(suite) < o.Size {
		if c := columns[r.IntN(len(columns))]; !slices.Contains(suite, c) {
			suite = append(suite, c)
		}
	}
	return suite
}

func (q *Quality) count(suite []string, set, rest []killset.Set) {
	kills := func(s killset.Set) bool { return slices.ContainsFunc(suite, func(c string) bool { return s[c] }) }
	q.Suites++
	if len(rest) > 0 {
		q.Contested++
	}
	q.ByCount[0]++
	for i, s := range set {
		if !kills(s) {
			return
		}
		q.ByCount[i+1]++
	}
	q.Accepted++
	if slices.ContainsFunc(rest, func(s killset.Set) bool { return !kills(s) }) {
		q.FalselyAccepted++
	}
}

func distinct(tests []string) []string {
	out := make([]string, 0, len(tests))
	seen := map[string]bool{}
	for _, t := range tests {
		if !seen[t] {
			out = append(out, t)
		}
		seen[t] = true
	}
	return out
}

func killSets(trials []badpatch.Trial) []killset.Set {
	out := make([]killset.Set, len(trials))
	for i, t := range trials {
		out[i] = killset.Of(t.Kills())
	}
	return out
}

// Picker picks a set of trials, of which it is shown some of the kills only.
type Picker func(trials []badpatch.Trial) []badpatch.Choice

// ByChoosing picks as Choose does, AtRandom as Random.
func ByChoosing(n int) Picker {
	return func(trials []badpatch.Trial) []badpatch.Choice {
		chosen, _ := badpatch.Choose(trials, n, 0)
		return chosen
	}
}

// AtRandom picks by the seed alone.
func AtRandom(n int, seed uint64) Picker {
	return func(trials []badpatch.Trial) []badpatch.Choice { return badpatch.Random(trials, n, seed) }
}

// OfSource picks all of a source: sets that were not chosen by tests.
func OfSource(name string) Picker {
	return func(trials []badpatch.Trial) []badpatch.Choice {
		var out []badpatch.Choice
		for i, t := range trials {
			if t.Source == name {
				out = append(out, badpatch.Choice{Trial: i, Reason: "of source " + name})
			}
		}
		return out
	}
}

// HeldOut is WeakSuites with tests that picking has not seen: the hidden
// tests are divided into two halves several times; the set is picked by what
// one half kills, and judges suites of the other half. Patches that no test
// of the other half kills are left out: nothing could detect them.
func HeldOut(trials []badpatch.Trial, pick Picker, hidden Hidden, splits int, o SuiteOptions) Quality {
	var sum Quality
	r := rand.New(rand.NewPCG(o.Seed, 3))
	hidden.F2P = distinct(hidden.F2P)
	hidden.P2P = slices.DeleteFunc(distinct(hidden.P2P), func(c string) bool { return slices.Contains(hidden.F2P, c) })
	for i := range splits {
		seen, other := divide(r, hidden)
		var known []badpatch.Trial
		for _, t := range trials {
			if t.Verdict == badpatch.Bad && len(restrict(t, seen).F2P) > 0 && len(restrict(t, other).Kills()) > 0 {
				known = append(known, t)
			}
		}
		bySeen := make([]badpatch.Trial, len(known))
		for j, t := range known {
			bySeen[j] = restrict(t, seen)
		}
		chosen := pick(bySeen)
		var set, rest []badpatch.Trial
		for j, t := range known {
			if at := slices.IndexFunc(chosen, func(c badpatch.Choice) bool { return c.Trial == j }); at >= 0 {
				set = append(set, restrict(t, other))
			} else {
				rest = append(rest, restrict(t, other))
			}
		}
		o.Seed += uint64(i) + 1
		if len(set) > 0 && len(rest) > 0 {
			sum.Add(WeakSuites(set, rest, other, o))
		}
	}
	return sum
}

// divide splits fail-to-pass and pass-to-pass tests each in two halves.
func divide(r *rand.Rand, h Hidden) (a, b Hidden) {
	halve := func(tests []string) (x, y []string) {
		tests = slices.Clone(tests)
		r.Shuffle(len(tests), func(i, j int) { tests[i], tests[j] = tests[j], tests[i] })
		x, y = tests[:len(tests)/2], tests[len(tests)/2:]
		slices.Sort(x)
		slices.Sort(y)
		return x, y
	}
	a.F2P, b.F2P = halve(h.F2P)
	a.P2P, b.P2P = halve(h.P2P)
	return a, b
}

// restrict is the trial as seen by some of the tests only.
func restrict(t badpatch.Trial, h Hidden) badpatch.Trial {
	t.F2P, t.P2P, t.Suites = among(t.F2P, h.F2P), among(t.P2P, h.P2P), nil
	return t
}

// among are the tests that are also in a sorted list.
func among(tests, list []string) []string {
	out := []string{}
	for _, t := range tests {
		if _, ok := slices.BinarySearch(list, t); ok {
			out = append(out, t)
		}
	}
	return out
}
