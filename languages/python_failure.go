package languages

import (
	"regexp"
	"strings"

	"assay/bench"
)

var (
	pythonRaised    = regexp.MustCompile(`(?m)^(?:E\s+)?((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (.*))?$`)
	pythonAsserted  = regexp.MustCompile(`^(?:[\w.]*\.)?(?:AssertionError|Failed)\b|^(?:assert |DID NOT (?:RAISE|WARN)\b)`)
	pythonUnknown   = regexp.MustCompile(`^(?:ImportError|ModuleNotFoundError|NameError)\b`)
	pythonLacking   = regexp.MustCompile(`^AttributeError: (?:'(\w+)' object|module '.*'|type object '\w+'|.*) (?:has no attribute|does not have the attribute)`)
	pythonArguments = regexp.MustCompile(`^TypeError: .*(?:unexpected keyword argument|positional arguments? but|required (?:positional|keyword-only) argument|takes no arguments|takes exactly|takes at (?:most|least))`)
	pythonBuiltin   = regexp.MustCompile(`^(?:NoneType|str|bytes|int|float|complex|bool|list|tuple|dict|set|frozenset|function|generator|method|type|range|ellipsis)$`)
	pythonFrame     = regexp.MustCompile(`(?m)^  File "`)
)

// Failure implements explainer. A name or an argument that is not there counts
// as missing only where the test itself asks for it: deeper in the code it may
// be the very fault that the test shows.
func (pythonLanguage) Failure(status bench.Status, said string) bench.FailureKind {
	raised := pythonError(said)
	switch {
	case raised == "" && status == bench.Failed, pythonAsserted.MatchString(raised):
		return bench.ByAssertion
	case pythonUnknown.MatchString(raised):
		return bench.ByMissing
	}
	lacking := pythonLacking.FindStringSubmatch(raised)
	named := lacking != nil && !pythonBuiltin.MatchString(lacking[1]) || pythonArguments.MatchString(raised)
	if named && raisedInTest(said) {
		return bench.ByMissing
	}
	return bench.ByException
}

// BuildFailure implements explainer: what is built there is not the tests.
func (pythonLanguage) BuildFailure(string) bench.FailureKind { return bench.ByBuild }

// pythonError is the exception of a message: its first line, which pytest heads
// it with, or the last line of a traceback that names one.
func pythonError(said string) string {
	head, _, _ := strings.Cut(said, "\n")
	if pythonAsserted.MatchString(head) || pythonRaised.MatchString(head) && strings.Contains(head, ": ") {
		return head
	}
	found := pythonRaised.FindAllStringSubmatch(said, -1)
	for i := len(found) - 1; i >= 0; i-- {
		if m := found[i]; strings.HasSuffix(m[1], "Error") || strings.HasSuffix(m[1], "Exception") || m[2] != "" {
			return strings.TrimSuffix(m[1]+": "+m[2], ": ")
		}
	}
	return ""
}

// raisedInTest reports whether an exception came from the test's own lines: one
// frame of a traceback, or pytest's excerpt before that of a next function.
func raisedInTest(said string) bool {
	if frames := len(pythonFrame.FindAllString(said, -1)); frames > 0 {
		return frames == 1
	}
	shown, next := strings.Index(said, "\nE  "), strings.Index(said, "\n_ _ _")
	return shown >= 0 && (next < 0 || shown < next)
}
