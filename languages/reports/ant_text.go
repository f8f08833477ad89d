package reports

import (
	"strings"

	"assay/bench"
)

// antText reads Ant's junit task: its formatter plain, and the lines "[PASS]
// name" of projects whose tests print their own.
type antText struct {
	printed
	class, test string
	output      bool // what tests printed
}

func readAntText(c *collector, data []byte) bool {
	a := antText{printed: newPrinted(c)}
	for line := range lines(data) {
		text, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "[junit] ")
		switch {
		case ok:
			a.line(text)
		case line == "BUILD SUCCESSFUL" || line == "BUILD FAILED":
			a.passed()
			a.closed = true
		}
	}
	a.passed()
	if len(a.tests) == 0 {
		return false
	}
	if a.counted == (tally{}) {
		a.counted = a.named
	}
	return a.finish()
}

func (a *antText) line(text string) {
	if strings.HasPrefix(text, "------------- Standard ") {
		a.output = true
		return
	}
	if rest, ok := strings.CutPrefix(text, "------------- ------"); ok && strings.HasPrefix(rest, "---------- ---") {
		a.output = false
		return
	}
	class, isClass := strings.CutPrefix(text, "Testsuite: ")
	test, isTest := strings.CutPrefix(text, "Testcase: ")
	switch {
	case isClass:
		a.passed()
		a.class, a.output = class, false
	case isTest && !a.output:
		a.passed()
		a.test, _, _ = strings.Cut(test, " took ")
	case strings.HasPrefix(text, "Tests run: ") && !a.output:
		a.suite(text)
	case a.test != "" && strings.HasPrefix(text, "\t"):
		a.verdict(strings.TrimSpace(text))
	default:
		a.own(text)
	}
}

// suite reads "Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, ...".
func (a *antText) suite(text string) {
	run, bad, skipped := 0, 0, 0
	for item := range strings.SplitSeq(text, ", ") {
		what, number, _ := strings.Cut(item, ": ")
		switch n := atoi(number); what {
		case "Tests run":
			run = n
		case "Failures", "Errors":
			bad += n
		case "Skipped":
			skipped = n
		}
	}
	a.count(max(run-bad-skipped, 0), bad)
}

// verdict reads the line below a test that did not pass.
func (a *antText) verdict(word string) {
	var status bench.Status
	switch {
	case word == "FAILED":
		status = bench.Failed
	case word == "Caused an ERROR":
		status = bench.Error
	case strings.HasPrefix(word, "SKIPPED"):
		status = bench.Skipped
	default:
		return
	}
	a.result(a.class+"::"+a.test, status)
	a.test = ""
}

// passed records a test without a failure below it.
func (a *antText) passed() {
	if a.test != "" {
		a.result(a.class+"::"+a.test, bench.Passed)
	}
	a.test = ""
}

// own reads what the tests of a project with its own runner print.
func (a *antText) own(text string) {
	mark, name, _ := strings.Cut(text, "] ")
	switch mark {
	case "[PASS":
		a.result(name, bench.Passed)
	case "[FAIL":
		a.result(name, bench.Failed)
	case "[ERR":
		a.result(name, bench.Error)
	}
}
