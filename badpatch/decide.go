package badpatch

import (
	"slices"

	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// Decide says what the runs of a candidate's hidden tests show, held against a
// run of the same tests on base. Each run must agree: a test counts as failed
// when it failed in all of them.
func Decide(inst *bench.Instance, base languages.Outcome, runs []languages.Outcome) Trial {
	var t Trial
	for i, o := range runs {
		v := look(inst, o)
		switch {
		case v.cause != "":
			t.Verdict, t.Cause = Rejected, v.cause
			return t
		case i == 0:
			t.F2P, t.P2P, t.Signature = v.f2p, v.p2p, v.signature
		case len(v.f2p) > 0 != (len(t.F2P) > 0) || v.passes() != (len(t.F2P)+len(t.P2P) == 0):
			t.Verdict, t.Cause = Rejected, Unsteady
			return t
		default:
			t.F2P, t.P2P = both(t.F2P, v.f2p), both(t.P2P, v.p2p)
		}
	}
	switch like := look(inst, base); {
	case len(t.F2P) > 0 && like.same(t):
		// Whatever reproduces the issue kills it: it is no attempt at all. One
		// that fails the same tests in another way is a mistake of its own.
		t.Verdict, t.Cause = Rejected, LikeBaseRun
	case len(t.F2P) > 0:
		t.Verdict = Bad
	case len(t.P2P) > 0:
		t.Verdict = Regression
	case slices.ContainsFunc(runs, func(o languages.Outcome) bool { return !look(inst, o).passes() }):
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
	cause     Cause // why it is unfit whatever else holds
}

func (s sight) passes() bool { return len(s.f2p)+len(s.p2p) == 0 }

func (s sight) same(t Trial) bool {
	return slices.Equal(s.f2p, t.F2P) && slices.Equal(s.p2p, t.P2P) && s.signature == t.Signature
}

func look(inst *bench.Instance, o languages.Outcome) sight {
	f2p, p2p := tasks.HiddenTests(inst, o)
	failing, alsoFailing := tasks.FailingTests(inst, o)
	s := sight{f2p: f2p.Failed, p2p: p2p.Failed, signature: signature(o.State, append(failing, alsoFailing...))}
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
		s.cause = collapsed(f2p, p2p, append(failing, alsoFailing...))
	}
	return s
}

// collapsed tells code that hardly runs at all: any test would notice.
func collapsed(f2p, p2p bench.TestSplit, failing []bench.Test) Cause {
	if len(failing) == 0 {
		return ""
	}
	started := slices.ContainsFunc(failing, func(t bench.Test) bool { return t.Status == bench.Failed })
	passed := len(f2p.Passed) + len(p2p.Passed)
	switch {
	case passed == 0 && !started:
		return Unbuilt // a module that does not import fails no test: its tests are errors, or missing
	case len(p2p.Failed) > 0 && len(p2p.Passed) == 0 && passed == 0:
		return FailsAll
	case len(p2p.Failed)+len(p2p.Passed) >= 4 && len(p2p.Failed) > len(p2p.Passed):
		return FailsAll
	}
	return ""
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
