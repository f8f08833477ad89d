package reports

import (
	"strings"

	"assay/bench"
)

// readCTest reads ctest --output-junit (CMake 3.21 and later).
func readCTest(c *collector, data []byte) bool {
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	found := scan.each(func(tc junitCase) {
		status, text := ctestOutcome(tc)
		c.add(bench.Test{ID: tc.name, Status: status, Message: text, Seconds: tc.seconds})
		if tc.cut {
			c.died(tc.name, "the report ends within this test")
		}
	})
	if scan.cut {
		c.cut("CTest's JUnit XML")
	}
	return found
}

// ctestOutcome reads the outcome of a case. CTest writes "notrun" with a
// skipped element both for tests that chose to skip and for those that could
// not run; only the message distinguishes them, and an unknown message is an
// error.
func ctestOutcome(tc junitCase) (bench.Status, string) {
	if o, ok := tc.first("failure", "error"); ok {
		return ctestFailure(o.message), strings.TrimSpace(o.describe() + "\n" + programMessage(tc.output))
	}
	o, skipped := tc.first("skipped")
	switch tc.status {
	case "fail":
		return bench.Failed, programMessage(tc.output)
	case "disabled":
		return bench.Skipped, "Disabled"
	case "notrun":
		if ctestChose(o.message) {
			return bench.Skipped, o.message
		}
		return bench.Error, strings.TrimSpace(o.message + "\n" + programMessage(tc.output))
	}
	if skipped {
		return bench.Skipped, o.message
	}
	return bench.Passed, ""
}

// ctestChose reports whether a test was skipped by its own choice.
func ctestChose(message string) bool {
	return strings.HasPrefix(message, "SKIP_RETURN_CODE") || strings.HasPrefix(message, "SKIP_REGULAR_EXPRESSION") ||
		message == "Disabled"
}

// ctestFailure distinguishes a crash from a failure: "SegFault", "Subprocess
// aborted", "Exception: ...", "Bus error" and the like.
func ctestFailure(reason string) bench.Status {
	reason = strings.ToLower(reason)
	switch {
	case reason == "", strings.HasPrefix(reason, "failed"), strings.HasPrefix(reason, "timeout"),
		strings.Contains(reason, "regular expression"):
		return bench.Failed
	}
	for _, word := range []string{"exception", "segfault", "abort", "illegal", "interrupt", "numerical", "other fault", "bus error", "not run", "not_run", "bad command"} {
		if strings.Contains(reason, word) {
			return bench.Error
		}
	}
	return bench.Failed
}
