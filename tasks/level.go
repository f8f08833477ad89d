package tasks

import (
	"assay/bench"
	"assay/languages"
)

// LevelOf says what a bad patch does, from its run of the hidden tests and the
// run of the same tests on base.
func LevelOf(inst *bench.Instance, bad, base languages.Outcome) bench.Level {
	switch bad.State {
	case bench.RunUnapplied:
		return bench.LevelUnapplied
	case bench.RunUnbuilt:
		return bench.LevelUnbuilt
	case bench.RunInfra, bench.RunSuspect:
		return bench.LevelUndecided
	}
	f2p, p2p := HiddenTests(inst, bad)
	baseF2P, baseP2P := HiddenTests(inst, base)
	switch {
	case len(f2p.Failed) == 0 && len(p2p.Failed) == 0:
		return bench.LevelPassesAll
	case base.State == bad.State && equal(f2p.Failed, baseF2P.Failed) && equal(p2p.Failed, baseP2P.Failed):
		return bench.LevelLikeBase
	case len(f2p.Failed) == 0:
		return bench.LevelBreaksP2P
	}
	return bench.LevelFailsF2P
}

// Eligible says whether a bad patch may judge generated tests: it applies,
// builds, and fails at least one fail-to-pass test. One that behaves like base
// does so too: it contradicts the issue.
func Eligible(l bench.Level) bool { return l == bench.LevelFailsF2P || l == bench.LevelLikeBase }

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
