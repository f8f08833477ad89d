package badpatch

import (
	"maps"
	"math"
	"slices"
)

// killSet is a row of the kill matrix: the tests and stored suites that kill a
// bad patch.
type killSet map[string]bool

func killSetOf(kills []string) killSet {
	s := killSet{}
	for _, k := range kills {
		s[k] = true
	}
	return s
}

// within reports whether all of s is in other.
func (s killSet) within(other killSet) bool {
	if len(s) > len(other) {
		return false
	}
	for k := range s {
		if !other[k] {
			return false
		}
	}
	return true
}

func (s killSet) equal(other killSet) bool { return len(s) == len(other) && s.within(other) }

// distance is Jaccard's: 0 for equal sets, 1 for such that share nothing.
func (s killSet) distance(other killSet) float64 {
	shared := 0
	for k := range s {
		if other[k] {
			shared++
		}
	}
	all := len(s) + len(other) - shared
	if all == 0 {
		return 0
	}
	return 1 - float64(shared)/float64(all)
}

// Diversity says how different the bad patches of a set are from one another.
type Diversity struct {
	Patches int `json:"patches"`
	// Vectors are the different sets of tests that kill a patch.
	Vectors int `json:"vectors"`
	// Dominators are the vectors that hold no other vector: whatever kills
	// these patches, kills all.
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

// Measure describes a set of trials.
func Measure(trials []Trial) Diversity {
	sets := make([]killSet, len(trials))
	categories := map[Category]int{}
	for i, t := range trials {
		sets[i] = killSetOf(t.Kills())
		categories[t.Category]++
	}
	d := Diversity{Patches: len(trials), Entropy: entropy(categories, len(trials))}
	unique := distinctSets(sets)
	d.Vectors, d.Rank = len(unique), rank(unique)
	for i := range unique {
		if dominates(unique, i) {
			d.Dominators++
		}
	}
	pairs := 0
	for i := range sets {
		for j := range i {
			d.Distance += sets[i].distance(sets[j])
			pairs++
		}
	}
	if pairs > 0 {
		d.Distance /= float64(pairs)
	}
	return d
}

// distinctSets leaves out sets that are equal to an earlier one.
func distinctSets(sets []killSet) []killSet {
	var out []killSet
	for _, s := range sets {
		if !slices.ContainsFunc(out, func(o killSet) bool { return s.equal(o) }) {
			out = append(out, s)
		}
	}
	return out
}

// dominates reports whether no other set lies properly within the i-th.
func dominates(sets []killSet, i int) bool {
	for j, s := range sets {
		if j != i && len(s) < len(sets[i]) && s.within(sets[i]) {
			return false
		}
	}
	return true
}

func entropy(counts map[Category]int, all int) float64 {
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

// field is a prime. A rank over it is that over the rationals, unless it
// divides a minor: then it is smaller.
const field = 1_000_000_007

func rank(sets []killSet) int {
	columns := map[string]int{}
	for _, s := range sets {
		for _, k := range slices.Sorted(maps.Keys(s)) {
			if _, ok := columns[k]; !ok {
				columns[k] = len(columns)
			}
		}
	}
	rows := make([][]int64, len(sets))
	for i, s := range sets {
		rows[i] = make([]int64, len(columns))
		for k := range s {
			rows[i][columns[k]] = 1
		}
	}
	found := 0
	for c := 0; c < len(columns) && found < len(rows); c++ {
		p := found
		for p < len(rows) && rows[p][c] == 0 {
			p++
		}
		if p == len(rows) {
			continue
		}
		rows[found], rows[p] = rows[p], rows[found]
		eliminate(rows, found, c)
		found++
	}
	return found
}

// eliminate clears a column below a row that has something in it.
func eliminate(rows [][]int64, at, c int) {
	inverse := power(rows[at][c], field-2)
	for r := at + 1; r < len(rows); r++ {
		factor := rows[r][c] * inverse % field
		for k := c; factor != 0 && k < len(rows[r]); k++ {
			rows[r][k] = (rows[r][k] - factor*rows[at][k]%field + field) % field
		}
	}
}

func power(base int64, exponent int) int64 {
	out := int64(1)
	for base %= field; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			out = out * base % field
		}
		base = base * base % field
	}
	return out
}
