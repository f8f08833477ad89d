package tasks

import (
	"slices"

	"assay/bench"
	"assay/languages"
)

// trust is what gold's run shows of how far runs of an instance can be held to
// their word. The zero value knows nothing.
type trust struct {
	known bool
	// doubts are reasons to suspect a run that gold's has too.
	doubts []string
	// guarded says that nonce tests ran beside the hidden tests.
	guarded  bool
	settings languages.Settings
}

func trustOf(o languages.Outcome) trust {
	return trust{known: true, doubts: o.Doubts, guarded: !o.Unguarded && !slices.Contains(o.Doubts, languages.DoubtNonce), settings: o.Settings}
}

// believe compares a run of the hidden tests with gold's. What gold does too
// does not speak against a submission; that nonce tests ran beside gold and
// not beside the submission, and that the submission's build is configured in
// another way, does.
func (c trust) believe(o languages.Outcome) languages.Outcome {
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
		o.State, o.Detail = bench.RunSuspect, "the tests of ours that run beside gold cannot run beside the submission"
	}
	return o
}
