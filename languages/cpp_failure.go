package languages

import (
	"regexp"

	"assay/bench"
)

var (
	cppThrown   = regexp.MustCompile(`C\+\+ exception|^exception: |unexpected exception`)
	cppSignal   = regexp.MustCompile(`\bSIG(?:SEGV|ABRT|FPE|ILL|BUS)\b|[Ss]egmentation fault|\b(?:the process|it) died`)
	cppAsserted = regexp.MustCompile(`^\S+:\d+(?::\d+)?(?::|\s|$)|(?m)^\S+:\d+: Failure$|Assertion .* failed|[Ff]ailure\b|not ok \d`)
	cppError    = regexp.MustCompile(`(?m)^\S+:\d+(?::\d+)?: (?:fatal )?error: (.*)$|(?m)^(?:\S*ld: .*|.*): (undefined reference to .*)$`)
	cppMissing  = regexp.MustCompile(`has no member named|no member named|was not declared|use of undeclared|undeclared identifier|is not a member of|does not name a type|no matching (?:member )?function|no matching constructor|No such file or directory|file not found|has not been declared|unknown type name|undefined reference|cannot be overloaded|too (?:many|few) arguments`)
	cppFollows  = regexp.MustCompile(`^expected |^invalid use of incomplete|^unable to deduce|template argument \d+ is invalid|^cannot deduce|^type/value mismatch`)
)

// Failure implements explainer.
func (cppLanguage) Failure(status bench.Status, said string) bench.FailureKind {
	switch {
	case cppSignal.MatchString(said):
		return bench.ByCrash
	case cppThrown.MatchString(said):
		return bench.ByException
	case cppAsserted.MatchString(said) || status == bench.Failed:
		return bench.ByAssertion
	}
	return bench.ByException
}

// BuildFailure implements explainer.
func (cppLanguage) BuildFailure(log string) bench.FailureKind {
	return byErrors(log, cppError, cppMissing, cppFollows)
}
