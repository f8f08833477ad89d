package otter

import (
	"strings"

	"assay/bench"
	"assay/methods"
)

// Group is how a candidate ends on the code as it is.
type Group int

// The groups, the best first (Otter, section 4.2).
const (
	// AssertionFailure is a test that failed by an assertion.
	AssertionFailure Group = iota
	// OtherFailure is a test that ran and failed otherwise: by an exception, or
	// by a crash (C++).
	OtherFailure
	// Error is a test that did not run properly.
	Error
	// Discarded is a candidate that holds no test, or only tests that pass.
	Discarded
)

// String names the group.
func (g Group) String() string {
	return [...]string{"assertion failure", "other failure", "error", "discarded"}[g]
}

// GroupOf sorts a run of a candidate's tests on the code as it is: that of its
// best failure counts.
func GroupOf(run methods.Run) Group {
	if run.Passing() || run.State == bench.RunDone && len(run.Tests) == 0 {
		return Discarded
	}
	best := Discarded
	for _, t := range run.Tests {
		best = min(best, groupOfTest(t))
	}
	passed := run.State == bench.RunSuspect && len(run.Tests) > 0
	if best == Discarded && run.State != bench.RunDone && !passed {
		best = Error // it could not be applied or built, or did not finish
	}
	return best
}

func groupOfTest(t methods.TestRun) Group {
	switch {
	case t.Status == bench.Failed && t.FailsBy == bench.ByAssertion:
		return AssertionFailure
	case t.Status == bench.Failed, t.Status == bench.Error && (threw(t) || t.FailsBy == bench.ByCrash):
		return OtherFailure
	case t.Status.Failing(), t.Status == bench.Missing:
		return Error
	}
	return Discarded
}

// threw reports whether the trace of an exception goes through the test itself:
// JUnit calls that an error, as it does an exception before the test.
func threw(t methods.TestRun) bool {
	_, method, ok := strings.Cut(t.ID, "::")
	if at := strings.IndexAny(method, "[("); at >= 0 {
		method = method[:at]
	}
	return ok && method != "" && t.FailsBy == bench.ByException && strings.Contains(t.Said, "."+method+"(")
}

// Best is the index of the first candidate of the best group; -1 where all are
// discarded. The order of the candidates is what breaks a tie.
func Best(groups []Group) int {
	best := -1
	for i, g := range groups {
		if g != Discarded && (best < 0 || g < groups[best]) {
			best = i
		}
	}
	return best
}
