package measure

import (
	"math"
	"slices"

	"assay/badpatch"
	"assay/badpatch/killset"
)

// Diversity describes how different the bad patches of a set are from one
// another.
type Diversity struct {
	Patches int `json:"patches"`
	// Vectors are the different sets of tests that kill a patch.
	Vectors int `json:"vectors"`
	// Dominators are the vectors that contain no other vector: tests that
	// kill these patches kill all.
	Dominators int `json:"dominators"`
	// Rank of the kill matrix over a prime field: the number of independent
	// ways of being wrong, after TC-Bench.
	Rank int `json:"rank"`
	// Distance is the mean Jaccard distance of two patches' vectors; 0 where
	// there are not two.
	Distance float64 `json:"mean_jaccard_distance"`
	// Entropy of the categories, in bits: at most log2(6).
	Entropy float64 `json:"category_entropy_bits"`
}

// DiversityOf describes a set of trials.
func DiversityOf(trials []badpatch.Trial) Diversity {
	sets := make([]killset.Set, len(trials))
	categories := map[badpatch.Category]int{}
	for i, t := range trials {
		sets[i] = killset.Of(t.Kills())
		categories[t.Category]++
	}
	d := Diversity{Patches: len(trials), Entropy: entropy(categories, len(trials))}
	unique := killset.Distinct(sets)
	d.Vectors, d.Rank = len(unique), rank(unique)
	for i := range unique {
		if dominates(unique, i) {
			d.Dominators++
		}
	}
	pairs := 0
	for i := range sets {
		for j := range i {
			d.Distance += sets[i].Distance(sets[j])
			pairs++
		}
	}
	if pairs > 0 {
		d.Distance /= float64(pairs)
	}
	return d
}

// dominates reports whether no other set is a proper subset of the i-th.
func dominates(sets []killset.Set, i int) bool {
	for j, s := range sets {
		if j != i && len(s) < len(sets[i]) && s.Within(sets[i]) {
			return false
		}
	}
	return true
}

func entropy(counts map[badpatch.Category]int, all int) float64 {
	shares := make([]float64, 0, len(counts))
	for _, n := range counts {
		shares = append(shares, float64(n)/float64(all))
	}
	slices.Sort(shares) // sums of floats depend on their order
	e := 0.0
	for _, p := range shares {
		e -= p * math.Log2(p)
	}
	return math.Abs(e)
}
