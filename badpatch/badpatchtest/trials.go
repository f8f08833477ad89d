package badpatchtest

import (
	"fmt"

	"pgregory.net/rapid"

	"assay/badpatch"
)

// Bad is a trial that the tests kill.
func Bad(name, category string, kills ...string) badpatch.Trial {
	return badpatch.Trial{Candidate: badpatch.Candidate{Patch: name, Source: "operator", Category: badpatch.Category(category)}, Verdict: badpatch.Bad, F2P: kills, Signature: name}
}

// DrawTrials draws bad patches, each killed by some of six tests.
func DrawTrials(t *rapid.T) []badpatch.Trial {
	n := rapid.IntRange(1, 8).Draw(t, "trials")
	var out []badpatch.Trial
	for i := range n {
		mask := rapid.IntRange(1, 63).Draw(t, "kills")
		var kills []string
		for c := range 6 {
			if mask>>c&1 == 1 {
				kills = append(kills, fmt.Sprint(c))
			}
		}
		out = append(out, Bad(fmt.Sprintf("patch %d", i), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "category"))), kills...))
	}
	return out
}
