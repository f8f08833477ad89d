package tasks

import (
	"slices"

	"assay/bench"
	"assay/languages"
)

// trust is what gold's run shows about how far the runs of an instance can be
// trusted. The zero value knows nothing.
type trust struct {
	known bool
	// doubts are reasons to suspect a run that gold's has too.
	doubts []string
	// guarded says that nonce tests ran along with the hidden tests.
	guarded  bool
	settings languages.Settings
}

func trustOf(o languages.Outcome) trust {
	return trust{known: true, doubts: o.Doubts, guarded: !o.Unguarded && !slices.Contains(o.Doubts, languages.DoubtNonce), settings: o.Settings}
}

// assess compares a run of the hidden tests with gold's. What gold does too
// does not count against a submission. It counts against a submission if
// nonce tests ran with gold and not with the submission, or if its build is
// configured differently.
func (c trust) assess(o languages.Outcome) languages.Outcome {
	if !c.known {
		return o
	}
	o = o.Cleared(c.doubts)
	if o.State != bench.RunDone {
		return o
	}
	if odd := o.Settings.Unlike(c.settings); odd != "" {
		o.State, o.Detail = bench.RunSuspect, odd
	} else if c.guarded && o.Unguarded {
		o.State, o.Detail = bench.RunSuspect, "the nonce tests that run with gold cannot run with the submission"
	}
	return o
}
