package badpatch

import (
	"cmp"
	"slices"
	"strings"
)

// RankSurvivors orders the trials that pass every hidden test, those that
// show most about weak tests first: parts of gold, the smallest first, for
// the tests do without the rest; what takes code away on gold's own lines;
// other changes there; patches that start from base; changes around gold's
// lines, which are the likeliest to be equivalent code.
func RankSurvivors(trials []Trial) []Trial {
	var out []Trial
	for _, t := range trials {
		if t.Verdict == Survivor {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(tellingness(a), tellingness(b)), cmp.Compare(len(a.Patch), len(b.Patch)), cmp.Compare(a.Patch, b.Patch))
	})
	return out
}

// partsOfGold is the name of the source that takes parts of gold.
const partsOfGold = "subset"

func tellingness(t Trial) int {
	takesAway := strings.HasPrefix(t.Operator, "drop-") || strings.HasPrefix(t.Operator, "delete-")
	switch {
	case t.Source == partsOfGold:
		return 0
	case t.Tier == Lines && takesAway:
		return 1
	case t.Tier == Lines:
		return 2
	case t.Tier == Whole:
		return 3
	}
	return 4
}
