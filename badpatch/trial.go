package badpatch

import "assay/bench"

// TrialVerdict is what running a candidate showed.
type TrialVerdict string

// The verdicts. Only a Bad candidate is chosen to judge generated tests: it
// contradicts what the issue says. Regression belongs to review tasks only. A
// Survivor passes all hidden tests: it shows that they are weak, or that it
// is not a mistake at all.
const (
	Bad        TrialVerdict = "bad"        // fails a fail-to-pass test, every time
	Regression TrialVerdict = "regression" // fails pass-to-pass tests only, every time
	Survivor   TrialVerdict = "survivor"   // passes every hidden test
	Rejected   TrialVerdict = "rejected"   // unfit, for a cause
)

// The causes that only running can find, after those of the static filter.
const (
	Unbuilt     Cause = "does not build or import"
	Endless     Cause = "does not end in time, or takes too much memory"
	FailsAll    Cause = "fails nearly everything"
	LikeBaseRun Cause = "fails just as base does"
	Unsteady    Cause = "does not fail every time"
	Unmeasured  Cause = "its runs could not be judged"
)

// Trial is a candidate and what its runs showed.
type Trial struct {
	Candidate
	Verdict TrialVerdict `json:"verdict"`
	Cause   Cause        `json:"cause,omitempty"` // why it is rejected
	// F2P and P2P are the hidden tests that failed in every run, sorted.
	F2P []string `json:"f2p_failed,omitempty"`
	P2P []string `json:"p2p_failed,omitempty"`
	// Signature distinguishes ways of failing the same tests: a digest of
	// what the failing tests said, without addresses, times and places.
	Signature string `json:"signature,omitempty"`
	// Suites are the stored test suites that exposed it, by name, sorted; of
	// those that were run at all.
	Suites  []string `json:"suites,omitempty"`
	Runs    int      `json:"runs"`
	Seconds float64  `json:"seconds"` // that the runs took
	// Screened says that the patch itself was not run: what is known of it comes
	// from a build that it shared with others.
	Screened bool `json:"screened,omitempty"`
}

// Kills are all columns of the kill matrix that kill the trial: hidden tests
// and stored suites that distinguish it from gold.
func (t Trial) Kills() []string {
	out := make([]string, 0, len(t.F2P)+len(t.P2P)+len(t.Suites))
	out = append(append(out, t.F2P...), t.P2P...)
	for _, s := range t.Suites {
		out = append(out, "suite:"+s)
	}
	return out
}

// Level is what bench calls the trial's verdict.
func (t Trial) Level() bench.Level {
	switch t.Verdict {
	case Bad:
		return bench.LevelFailsF2P
	case Regression:
		return bench.LevelBreaksP2P
	case Survivor:
		return bench.LevelPassesAll
	}
	switch t.Cause {
	case Unparsed, Unapplied:
		return bench.LevelUnapplied
	case Unbuilt, NoSyntax, Dangling:
		return bench.LevelUnbuilt
	case LikeBase, LikeBaseRun:
		return bench.LevelLikeBase
	}
	return bench.LevelUndecided
}
