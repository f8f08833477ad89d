package languages

import (
	"regexp"
	"strings"

	"assay/bench"
)

// explainer is a language of which assay can read by what tests failed.
type explainer interface {
	// Failure reads what a runner says about a failing test.
	Failure(status bench.Status, said string) bench.FailureKind
	// BuildFailure reads what a build printed that failed.
	BuildFailure(log string) bench.FailureKind
}

// Failure is by what a contributed test failed in a run: what the runner says
// about it, or about the file or class around it, decides; else how the run
// ended. In a language that says nothing of it, every failing test failed by an
// exception.
func (o Outcome) Failure(id string, status bench.Status) bench.FailureKind {
	l, _ := o.Language.(explainer)
	if said := o.saidOf(id); said != "" && l != nil {
		return l.Failure(status, said)
	}
	switch {
	case status.Failing() && l != nil:
		return l.Failure(status, "")
	case o.State == bench.RunUnbuilt && l != nil:
		return l.BuildFailure(string(o.Log))
	case o.State == bench.RunUnbuilt:
		return bench.ByBuild
	case o.State == bench.RunCrashed:
		return bench.ByCrash
	case o.State == bench.RunTimeout:
		return bench.ByTimeout
	}
	return bench.ByException
}

// saidOf is what the runner says about a test, or about what is around it.
func (o Outcome) saidOf(id string) string {
	longest, found := "", ""
	for other, said := range o.Said {
		rest, ok := strings.CutPrefix(id, other)
		around := rest == "" || strings.ContainsAny(rest[:1], "[(/:$")
		if ok && around && len(other) > len(longest) {
			longest, found = other, said
		}
	}
	return found
}

// byErrors is the kind of a failed build: that of a missing symbol where each
// error of the compiler is about one, or follows from such a one.
func byErrors(log string, failed, missing, follows *regexp.Regexp) bench.FailureKind {
	about := 0
	for _, m := range failed.FindAllStringSubmatch(log, -1) {
		said := strings.Join(m[1:], "")
		switch {
		case missing.MatchString(said):
			about++
		case follows != nil && follows.MatchString(said):
		default:
			return bench.ByBuild
		}
	}
	if about > 0 {
		return bench.ByMissing
	}
	return bench.ByBuild
}
