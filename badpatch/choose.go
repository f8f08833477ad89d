package badpatch

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"assay/badpatch/killset"
)

// Choice is a bad patch that was chosen, and why.
type Choice struct {
	Trial  int    `json:"trial"` // its index among the trials
	Reason string `json:"reason"`
}

// Choose picks n bad patches, and a hidden reserve from what is left. Of
// those that fail the same tests and say the same, one is enough; those that
// the fewest tests kill come first (dominators: a test that kills them kills
// others, too), then what adds most: a category, a source, a small vector,
// distance. The order of the trials does not matter.
func Choose(trials []Trial, n, reserve int) (chosen, hidden []Choice) {
	p := picker{trials: trials}
	for i, t := range trials {
		if t.Verdict == Bad {
			p.left = append(p.left, i)
		}
	}
	slices.SortFunc(p.left, func(a, b int) int { return preferred(trials[a], trials[b]) })
	all := p.take(n + reserve)
	n = min(n, len(all))
	return all[:n:n], all[n:]
}

// Random picks n bad patches by the seed alone: what choosing is compared with.
func Random(trials []Trial, n int, seed uint64) []Choice {
	var out []Choice
	for i, t := range trials {
		if t.Verdict == Bad {
			out = append(out, Choice{i, "at random"})
		}
	}
	slices.SortFunc(out, func(a, b Choice) int { return cmp.Compare(trials[a.Trial].Patch, trials[b.Trial].Patch) })
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// preferred orders trials of the same worth: those nearest to the fix, of the
// least text.
func preferred(a, b Trial) int {
	around := func(t Trial) int {
		if t.Tier == Around {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(around(a), around(b)), cmp.Compare(len(a.Patch), len(b.Patch)), cmp.Compare(a.Patch, b.Patch),
		cmp.Compare(a.Source, b.Source), cmp.Compare(a.Operator, b.Operator))
}

// picker holds what is left to choose from, in order of preference.
type picker struct {
	trials []Trial
	left   []int
	taken  []int
}

// take picks in rounds: one patch of each vector; then, of vectors that are
// taken, those that say otherwise; then any that are left.
func (p *picker) take(n int) []Choice {
	var out []Choice
	rounds := []struct {
		fits func(killset.Set, Trial) bool
		why  string
	}{
		{func(s killset.Set, _ Trial) bool {
			return !p.has(func(o Trial) bool { return s.Equal(killset.Of(o.Kills())) })
		}, ""},
		{func(s killset.Set, t Trial) bool {
			return !p.has(func(o Trial) bool { return s.Equal(killset.Of(o.Kills())) && o.Signature == t.Signature })
		}, "fails the same tests as another, but says otherwise"},
		{func(killset.Set, Trial) bool { return true }, "fails just as another does: nothing else was left"},
	}
	for _, round := range rounds {
		for len(out) < n {
			at, why := p.best(round.fits)
			if at < 0 {
				break
			}
			if round.why != "" {
				why = round.why
			}
			out = append(out, Choice{p.left[at], why})
			p.taken = append(p.taken, p.left[at])
			p.left = slices.Delete(p.left, at, at+1)
		}
	}
	return out
}

func (p *picker) has(is func(Trial) bool) bool {
	return slices.ContainsFunc(p.taken, func(i int) bool { return is(p.trials[i]) })
}

// worth is what a trial adds to what is taken.
type worth struct {
	dominator, category, source bool
	size                        int
	distance                    float64
}

func (w worth) reason(t Trial) string {
	switch {
	case w.dominator:
		return fmt.Sprintf("no other is killed by fewer of its tests (%d)", w.size)
	case w.category:
		return "first of category " + string(t.Category)
	case w.source:
		return "first of source " + t.Source
	}
	return fmt.Sprintf("%d tests kill it; distance %.2f from those chosen", w.size, w.distance)
}

func compareWorth(a, b worth) int {
	flag := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	return cmp.Or(flag(a.dominator, b.dominator), flag(a.category, b.category), flag(a.source, b.source),
		cmp.Compare(a.size, b.size), cmp.Compare(b.distance, a.distance))
}

// best is the place, among what is left, of the trial that fits and adds most;
// -1 where none fits.
func (p *picker) best(fits func(killset.Set, Trial) bool) (int, string) {
	sets := p.pool()
	best, at := worth{}, -1
	for i, index := range p.left {
		t := p.trials[index]
		s := killset.Of(t.Kills())
		if !fits(s, t) {
			continue
		}
		if w := p.worth(t, s, sets); at < 0 || compareWorth(w, best) < 0 {
			best, at = w, i
		}
	}
	if at < 0 {
		return at, ""
	}
	return at, best.reason(p.trials[p.left[at]])
}

func (p *picker) worth(t Trial, s killset.Set, pool []killset.Set) worth {
	w := worth{size: len(s), dominator: true, category: t.Category != "", source: true}
	for _, o := range pool {
		if len(o) < len(s) && o.Within(s) {
			w.dominator = false
		}
	}
	for _, i := range p.taken {
		o := p.trials[i]
		w.category = w.category && o.Category != t.Category
		w.source = w.source && o.Source != t.Source
		w.distance += s.Distance(killset.Of(o.Kills())) / float64(len(p.taken))
	}
	return w
}

// pool are the vectors of all bad patches.
func (p *picker) pool() []killset.Set {
	var out []killset.Set
	for _, t := range p.trials {
		if t.Verdict == Bad {
			out = append(out, killset.Of(t.Kills()))
		}
	}
	return out
}
