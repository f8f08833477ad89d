package reports

import (
	"strings"

	"assay/bench"
)

// readKarmaTree reads Karma's reporter mocha: a tree of tests between the
// start of the browser and the summary.
func readKarmaTree(name func([]string) string) func(*collector, []byte) bool {
	return func(c *collector, data []byte) bool {
		t := treeText{printed: newPrinted(c), name: name}
		started, summary := false, false
		for line := range lines(data) {
			switch {
			case strings.Contains(line, "Starting browser"):
				started, summary, t.heads = true, false, nil
			case !started:
			case strings.HasPrefix(line, "SUMMARY:") || strings.HasPrefix(line, "TOTAL"):
				summary = true
			case summary:
				t.karmaSummary(line)
			default:
				t.line(line)
			}
		}
		return started && t.finish()
	}
}

// karmaSummary reads "✔ 12 tests completed" and "✖ 1 test failed".
func (p *printed) karmaSummary(line string) {
	status, rest := treeMark(strings.TrimSpace(line))
	number, what, _ := strings.Cut(rest, " ")
	if !digits(number) {
		return
	}
	switch {
	case status == bench.Passed && strings.HasSuffix(what, "completed"):
		p.count(atoi(number), 0)
	case status == bench.Failed && strings.HasSuffix(what, "failed"):
		p.count(0, atoi(number))
	}
}

// readKarmaFailures reads the lines that Karma's reporters progress and dots
// print of failures, for runs that name nothing else:
//
//	Chrome 90.0 (Linux 0.0.0) suite test FAILED
func readKarmaFailures(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		if p.karmaCount(line) {
			continue
		}
		if name, ok := strings.CutSuffix(line, "FAILED"); ok {
			p.result(karmaName(name), bench.Failed)
		}
	}
	p.counted.passed, p.counted.failed = p.named.passed, min(p.counted.failed, 1) // browsers repeat their counts
	return p.finish() && p.closed
}

// karmaName cuts the browser off: its name, version, and system in brackets.
func karmaName(line string) string {
	open := strings.Index(line, " (")
	if open < 0 || !strings.Contains(line[:open], "Chrome") && !strings.Contains(line[:open], "Firefox") && !strings.Contains(line[:open], "PhantomJS") {
		return ""
	}
	_, name, _ := strings.Cut(line[open:], ") ")
	return name
}

// karmaCount reads the last state of "Executed 5 of 6 (1 FAILED) (0.1 secs)",
// which is overwritten while tests run. A browser that did not get to the last
// test leaves the text without its closing line.
func (p *printed) karmaCount(line string) bool {
	_, rest, ok := strings.Cut(line, ": Executed ")
	if !ok {
		return false
	}
	done, rest, _ := strings.Cut(rest, " of ")
	all, rest := cutNumber(rest)
	p.closed = digits(done) && atoi(done) > 0 && !strings.Contains(rest, "DISCONNECTED") &&
		(done == all || strings.Contains(rest, "skipped"))
	if i := strings.Index(rest, " FAILED)"); i >= 0 {
		if _, number, ok := cutLast(rest[:i], "("); ok {
			p.counted.failed = atoi(number)
		}
	}
	return true
}
