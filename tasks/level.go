package tasks

import (
	"slices"

	"assay/bench"
	"assay/languages"
)

// LevelOf describes what a bad patch does, from its run of the hidden tests
// and the run of the same tests on base.
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
	switch {
	case len(f2p.Failed) == 0 && len(p2p.Failed) == 0:
		return bench.LevelPassesAll
	case base.State == bad.State && likewise(inst, bad, base):
		return bench.LevelLikeBase
	case len(f2p.Failed) == 0:
		return bench.LevelBreaksP2P
	}
	return bench.LevelFailsF2P
}

// Eligible reports whether a bad patch may judge generated tests: it applies,
// builds, and fails at least one fail-to-pass test. One that behaves like
// base does so too: it contradicts the issue.
func Eligible(l bench.Level) bool { return l == bench.LevelFailsF2P || l == bench.LevelLikeBase }

// likewise reports whether the same hidden tests fail in two runs, and say the
// same: one that fails them otherwise is a mistake of its own.
func likewise(inst *bench.Instance, a, b languages.Outcome) bool {
	f2p, p2p := HiddenTests(inst, a)
	otherF2P, otherP2P := HiddenTests(inst, b)
	said := func(o languages.Outcome) string {
		failing, also := FailingTests(inst, o)
		return Signature(inst.Language, o.State, append(failing, also...))
	}
	return slices.Equal(f2p.Failed, otherF2P.Failed) && slices.Equal(p2p.Failed, otherP2P.Failed) && said(a) == said(b)
}
