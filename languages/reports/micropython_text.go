package reports

import (
	"strings"

	"assay/bench"
)

// readMicroPythonText reads MicroPython's run-tests: "pass  basics/x.py", and
// the counts at its end.
func readMicroPythonText(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		if p.microPythonCount(line) {
			continue
		}
		word, name, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		switch word {
		case "pass":
			p.result(name, bench.Passed)
		case "FAIL":
			p.result(name, bench.Failed)
		case "skip", "lrge":
			p.result(name, bench.Skipped)
		}
	}
	return p.finish() && len(p.tests) > 0
}

// microPythonCount reads "5 tests passed" and "1 tests failed: basics_x".
func (p *printed) microPythonCount(line string) bool {
	number, rest := cutNumber(line)
	switch {
	case number == "":
		return false
	case strings.HasPrefix(rest, " tests passed"):
		p.count(atoi(number), 0)
	case strings.HasPrefix(rest, " tests failed"):
		p.count(0, atoi(number))
	default:
		return false
	}
	return true
}
