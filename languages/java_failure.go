package languages

import (
	"regexp"
	"strings"

	"assay/bench"
)

var (
	javaAsserted = regexp.MustCompile(`\b(?:AssertionError|AssertionFailedError|ComparisonFailure|MultipleFailuresError|ArrayComparisonFailure|ConditionNotSatisfiedError|ConditionFailedWithExceptionError|WantedButNotInvoked|NeverWantedButInvoked|TooManyActualInvocations|TooFewInvocationsError|ArgumentsAreDifferent|NoInteractionsWanted)\b|^Expected exception:`)
	javaUnlinked = regexp.MustCompile(`\b(?:NoSuchMethodError|NoSuchFieldError|NoClassDefFoundError|ClassNotFoundException|NoSuchMethodException|NoSuchFieldException|IncompatibleClassChangeError)\b`)
	javaThrown   = regexp.MustCompile(`^(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error|Throwable)?\b`)
	javacError   = regexp.MustCompile(`(?m)^(?:\[ERROR\]\s+|\s*\[javac\]\s+)?\S+\.java:(?:\[\d+,\d+\]|\d+:) (?:error: )?(.*)$`)
	javacMissing = regexp.MustCompile(`cannot find symbol|package \S+ does not exist|cannot be applied to given types|no suitable (?:method|constructor) found|is not abstract and does not override|method does not override or implement`)
)

// Failure implements explainer.
func (javaLanguage) Failure(status bench.Status, said string) bench.FailureKind {
	head, _, _ := strings.Cut(said, "\n")
	switch {
	case javaAsserted.MatchString(head):
		return bench.ByAssertion
	case javaUnlinked.MatchString(head):
		return bench.ByMissing
	case javaThrown.MatchString(head) || status == bench.Error:
		return bench.ByException
	case javaAsserted.MatchString(said):
		return bench.ByAssertion // the message comes before its class
	case javaUnlinked.MatchString(said):
		return bench.ByMissing
	case javaThrown.MatchString(secondLine(said)):
		return bench.ByException
	}
	return bench.ByAssertion
}

// BuildFailure implements explainer.
func (javaLanguage) BuildFailure(log string) bench.FailureKind {
	return byErrors(log, javacError, javacMissing, nil)
}

func secondLine(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}
