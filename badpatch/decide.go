package badpatch

import (
	"slices"
	"strings"

	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// Decide describes what the runs of a candidate's hidden tests show, compared
// with a run of the same tests on base. Each run must agree: a test counts as
// failed when it failed in all of them. Without a run nothing is known.
func Decide(inst *bench.Instance, base languages.Outcome, runs []languages.Outcome) Trial {
	if len(runs) == 0 {
		return Trial{Verdict: Rejected, Cause: Unmeasured}
	}
	var t Trial
	reproduces := false
	for i, o := range runs {
		v := look(inst, base, o)
		switch {
		case v.cause != "":
			t.Verdict, t.Cause = Rejected, v.cause
			return t
		case i == 0:
			t.F2P, t.P2P, t.Signature = v.f2p, v.p2p, v.signature
			reproduces = len(v.f2p) > 0
		case len(v.f2p) > 0 != reproduces || v.passes() != (len(t.F2P)+len(t.P2P) == 0):
			t.Verdict, t.Cause = Rejected, Unsteady
			return t
		default:
			t.F2P, t.P2P = both(t.F2P, v.f2p), both(t.P2P, v.p2p)
		}
	}
	switch like := look(inst, base, base); {
	case reproduces && len(t.F2P) == 0: // another fail-to-pass test each time
		t.Verdict, t.Cause = Rejected, Unsteady
	case len(t.F2P) > 0 && like.same(t):
		// Every test that reproduces the issue kills it: it is not an attempt
		// at all. A patch that fails the same tests in another way is a
		// mistake of its own.
		t.Verdict, t.Cause = Rejected, LikeBaseRun
	case len(t.F2P) > 0:
		t.Verdict = Bad
	case len(t.P2P) > 0:
		t.Verdict = Regression
	case slices.ContainsFunc(runs, func(o languages.Outcome) bool { return !look(inst, base, o).passes() }):
		t.Verdict, t.Cause = Rejected, Unsteady
	default:
		t.Verdict = Survivor
	}
	return t
}

// sight is one run: which hidden tests fail, and how.
type sight struct {
	f2p, p2p  []string
	signature string
	cause     Cause // why it is unfit regardless of the rest
}

func (s sight) passes() bool { return len(s.f2p)+len(s.p2p) == 0 }

func (s sight) same(t Trial) bool {
	return slices.Equal(s.f2p, t.F2P) && slices.Equal(s.p2p, t.P2P) && s.signature == t.Signature
}

func look(inst *bench.Instance, base, o languages.Outcome) sight {
	f2p, p2p := tasks.HiddenTests(inst, o)
	failing, alsoFailing := tasks.FailingTests(inst, o)
	failing = append(failing, alsoFailing...)
	s := sight{f2p: f2p.Failed, p2p: p2p.Failed, signature: tasks.Signature(LanguageOf(inst), o.State, failing)}
	switch o.State {
	case bench.RunUnapplied:
		s.cause = Unapplied
	case bench.RunUnbuilt:
		s.cause = Unbuilt
	case bench.RunTimeout, bench.RunLimit:
		s.cause = Endless
	case bench.RunInfra, bench.RunSuspect:
		s.cause = Unmeasured
	default:
		s.cause = collapsed(f2p, p2p, fate{
			began: slices.ContainsFunc(failing, func(t bench.Test) bool { return began(LanguageOf(inst), t) }),
			lost:  lost(base, o),
		})
	}
	if o.State == bench.RunCrashed && s.cause == "" {
		// Of tests that the crash kept from running nothing is known.
		s.f2p, s.p2p = failedPublished(inst, f2p.Failed, failing), failedPublished(inst, p2p.Failed, failing)
		if s.passes() {
			s.cause = Unmeasured
		}
	}
	return s
}

// failedPublished are the published tests that a report names as failed.
func failedPublished(inst *bench.Instance, published []string, failing []bench.Test) []string {
	var named []string
	for _, t := range failing {
		if t.Status.Failing() {
			named = append(named, t.ID)
		}
	}
	meaning := languages.MatchIDs(languages.Default().Named(LanguageOf(inst)), published, named)
	out := []string{}
	for _, id := range published {
		if len(meaning[id]) > 0 {
			out = append(out, id)
		}
	}
	return out
}

// fate is the outcome of the tests that do not pass.
type fate struct {
	began bool // one at least ran, and failed
	lost  bool // a whole file could not be loaded that base can load
}

// collapsed recognises code that hardly runs at all: any test would notice.
func collapsed(f2p, p2p bench.TestSplit, f fate) Cause {
	failed := len(f2p.Failed) + len(p2p.Failed)
	passed := len(f2p.Passed) + len(p2p.Passed)
	switch {
	case failed == 0:
		return ""
	case !f.began && (passed == 0 || f.lost):
		return Unbuilt // a module that does not import fails no test: its tests are errors, or missing
	case len(p2p.Failed) > 0 && passed == 0:
		return FailsAll
	case len(p2p.Failed)+len(p2p.Passed) >= 4 && len(p2p.Failed) > len(p2p.Passed):
		return FailsAll
	}
	return ""
}

// began reports whether a failing test ran. Java's runners call every
// exception but a failed assertion an error; elsewhere an error is of a test
// that was not reached.
func began(language string, t bench.Test) bool {
	switch t.Status {
	case bench.Failed:
		return true
	case bench.Error:
		ran := readingOf(language).errorRan
		return ran != nil && ran(t.Message)
	}
	return false
}

// lost reports whether a report names a whole file as an error that base's
// does not: its tests are missing, and no other test file need notice.
func lost(base, o languages.Outcome) bool {
	return slices.ContainsFunc(o.Tests, func(t bench.Test) bool {
		return uncollected(t) && !slices.ContainsFunc(base.Tests, func(b bench.Test) bool { return b.ID == t.ID && uncollected(b) })
	})
}

func uncollected(t bench.Test) bool {
	return t.Status == bench.Error && strings.HasSuffix(t.ID, ".py")
}

// both are the members of two sorted lists.
func both(a, b []string) []string {
	out := []string{}
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			out = append(out, x)
		}
	}
	return out
}
