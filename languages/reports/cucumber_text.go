package reports

import (
	"strings"

	"assay/bench"
)

// readCucumber reads a progress formatter of Cucumber that opens each line
// with a name: "features/x.feature ....F-". A feature is a test.
func readCucumber(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		if p.scenarioCount(line) {
			continue
		}
		name, marks, ok := cutLast(strings.TrimRight(line, " "), " ")
		if !ok || marks == "" || strings.Trim(marks, ".F-UP") != "" || !strings.HasPrefix(marks, ".") {
			continue
		}
		if strings.Contains(marks, "F") {
			p.result(name, bench.Failed)
		} else {
			p.result(name, bench.Passed)
		}
	}
	// Scenarios are counted and features named: only failures compare.
	p.counted.passed, p.counted.failed = p.named.passed, min(p.counted.failed, 1)
	return p.finish() && p.closed
}

// scenarioCount reads "3 scenarios (1 failed, 1 undefined, 1 passed)".
func (p *printed) scenarioCount(line string) bool {
	number, rest := cutNumber(line)
	if number == "" || !strings.HasPrefix(rest, " scenario") {
		return false
	}
	_, rest, _ = strings.Cut(rest, "(")
	failed := 0
	for item := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		if n, word, _ := strings.Cut(item, " "); word == "failed" {
			failed = atoi(n)
		}
	}
	p.count(0, failed)
	return true
}

// readRspecLines reads the lines "name - passed" that published commands make
// of RSpec's JSON. They have no closing counts.
func readRspecLines(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		name, word, ok := cutLast(line, " - ")
		if !ok {
			continue
		}
		switch word {
		case "passed":
			p.result(name, bench.Passed)
		case "failed":
			p.result(name, bench.Failed)
		case "pending":
			p.result(name, bench.Skipped)
		}
	}
	p.count(p.named.passed, p.named.failed)
	p.finish()
	return len(p.tests) > 0
}
