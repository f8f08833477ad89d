package review

import (
	"regexp"
	"strings"

	"assay/bench"
)

// failure is a short form of a failing test's message.
type failure struct {
	test      string // its name without path, package and parameters
	exception string // type of what was thrown; empty for an assertion
	expected  string
	actual    string
	// unordered says that the message does not show which of the two values
	// is the expected one.
	unordered bool
	// unbuilt says that the test could not even start.
	unbuilt bool
}

// readFailure reads a message of pytest, unittest, JUnit, AssertJ, Hamcrest,
// GoogleTest, Catch2 or doctest. What it does not know gives the name alone.
func readFailure(language string, t bench.Test) failure {
	f := failure{test: writingOf(language).test(t.ID), unbuilt: t.Status == bench.Missing}
	message := strings.ReplaceAll(t.Message, "\r\n", "\n")
	for _, form := range valueForms() {
		if m := form.re.FindStringSubmatch(message); m != nil {
			f.expected, f.actual, f.unordered = clean(m[form.expected]), clean(m[form.actual]), form.unordered
			break
		}
	}
	if m := gtestEqual.FindStringSubmatch(message); m != nil {
		f.expected, f.actual, f.unordered = clean(value(m[1], m[2])), clean(value(m[3], m[4])), true
	}
	f.exception = exceptionOf(message)
	return f
}

// valueForm finds two values in a message by the groups of an expression.
type valueForm struct {
	re               *regexp.Regexp
	expected, actual int
	unordered        bool
}

var (
	junitValues    = regexp.MustCompile(`(?s)expected: ?<(.*?)> but was: ?<(.*?)>(?:\s|$)`)
	assertjValues  = regexp.MustCompile(`(?m)^\s*expected: ?(.+)\n\s*but was: ?(.+)$`)
	hamcrestValues = regexp.MustCompile(`(?m)^\s*Expected: (.+)\n\s*(?:but: was|got:|but:) ?(.+)$`)
	gtestEqual     = regexp.MustCompile(`Expected equality of these values:\n\s+([^\n]+)(?:\n\s+Which is: ([^\n]+))?\n\s+([^\n]+)(?:\n\s+Which is: ([^\n]+))?`)
	gtestBool      = regexp.MustCompile(`Value of: [^\n]+\n\s*Actual: ([^\n]+)\n\s*Expected: ([^\n]+)`)
	expansion      = regexp.MustCompile(`with expansion:\n\s*([^\n]+?) == ([^\n]+)`)
	doctestValues  = regexp.MustCompile(`values: \w+\(\s*(.+?) == (.+?)\s*\)`)
	unittestValues = regexp.MustCompile(`(?m)^AssertionError: (.+?) != (.+?)(?: : .*)?$`)
	pytestValues   = regexp.MustCompile(`(?m)\bassert (.+?) == (.+)$`)
)

func valueForms() []valueForm {
	return []valueForm{
		{junitValues, 1, 2, false},
		{assertjValues, 1, 2, false},
		{hamcrestValues, 1, 2, false},
		{gtestBool, 2, 1, false},
		{expansion, 1, 2, true},
		{doctestValues, 1, 2, true},
		{unittestValues, 1, 2, true},
		{pytestValues, 1, 2, true},
	}
}

// value is what GoogleTest says about an operand: its expression where that
// is the value, else what it "is".
func value(expression, is string) string {
	if is != "" {
		return is
	}
	return expression
}

// clean makes a value fit a sentence: one line, no backticks.
func clean(value string) string {
	value = strings.Join(strings.Fields(strings.ReplaceAll(value, "`", "'")), " ")
	return strings.Trim(value, " ")
}

var exceptions = regexp.MustCompile(`(?m)^(?:E\s+)?(?:[a-z_$][\w$]*\.)*([A-Z][\w$]*(?:Error|Exception|Failure|Exit|Interrupt|Warning|Iteration|Throwable))\b`)

var cppException = regexp.MustCompile(`(?i)(?:C\+\+ exception|THREW exception|unexpected exception)`)

var signals = regexp.MustCompile(`\bSIG(?:SEGV|ABRT|FPE|BUS|ILL)\b|(?i:segfault|segmentation fault)`)

// exceptionOf names what was thrown, unless it is how a failed assertion
// shows.
func exceptionOf(message string) string {
	if m := exceptions.FindStringSubmatch(message); m != nil {
		switch name := m[1]; name {
		case "AssertionError", "AssertionFailedError", "ComparisonFailure", "MultipleFailuresError", "AssertionFailure", "SubTestError":
			return ""
		default:
			return name
		}
	}
	switch {
	case signals.MatchString(message):
		return "a crash of the process"
	case cppException.MatchString(message):
		return "an unexpected exception"
	}
	return ""
}

func cutAny(s, chars string) string {
	if i := strings.IndexAny(s, chars); i > 0 {
		return s[:i]
	}
	return s
}
