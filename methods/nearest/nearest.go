// Package nearest finds the existing name that a model most likely meant.
package nearest

import "github.com/agnivade/levenshtein"

// To returns the candidate with the least edit distance to name, counted in
// characters; the first of those that are even. False where there is none to
// choose from.
func To(name string, candidates []string) (string, bool) {
	best, least := "", -1
	for _, c := range candidates {
		if c == name {
			return c, true
		}
		if least >= 0 && differs(name, c) >= least {
			continue // no distance is less than the difference in length
		}
		if d := levenshtein.ComputeDistance(name, c); least < 0 || d < least {
			best, least = c, d
		}
	}
	return best, least >= 0
}

// Close is To for names that may stand for nothing at all: the distance must
// not be more than a third of the longer name.
func Close(name string, candidates []string) (string, bool) {
	best, ok := To(name, candidates)
	if !ok || 3*levenshtein.ComputeDistance(name, best) > max(length(name), length(best)) {
		return "", false
	}
	return best, true
}

// Distance is the edit distance of two names, in characters.
func Distance(a, b string) int { return levenshtein.ComputeDistance(a, b) }

// differs is by how many characters the lengths of two names differ.
func differs(a, b string) int {
	d := length(a) - length(b)
	return max(d, -d)
}

func length(s string) int { return len([]rune(s)) }
