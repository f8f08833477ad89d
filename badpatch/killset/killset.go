// Package killset compares bad patches by what kills them.
package killset

import "slices"

// Set is a row of the kill matrix: the tests and stored suites that kill a
// bad patch.
type Set map[string]bool

// Of is the set with these kills.
func Of(kills []string) Set {
	s := Set{}
	for _, k := range kills {
		s[k] = true
	}
	return s
}

// Within reports whether all of s is in other.
func (s Set) Within(other Set) bool {
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

// Equal reports whether two sets hold the same.
func (s Set) Equal(other Set) bool { return len(s) == len(other) && s.Within(other) }

// Distance is Jaccard's: 0 for equal sets, 1 for such that share nothing.
func (s Set) Distance(other Set) float64 {
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

// Distinct leaves out sets that are equal to an earlier one.
func Distinct(sets []Set) []Set {
	var out []Set
	for _, s := range sets {
		if !slices.ContainsFunc(out, func(o Set) bool { return s.Equal(o) }) {
			out = append(out, s)
		}
	}
	return out
}
