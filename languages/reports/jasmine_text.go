package reports

import (
	"strings"

	"assay/bench"
)

// readJasmineFailures reads Jasmine's own reporter, which names failures only.
func readJasmineFailures(c *collector, data []byte) bool {
	p := newPrinted(c)
	failures := false
	for line := range lines(data) {
		number, name, numbered := strings.Cut(line, ") ")
		switch {
		case line == "Failures:":
			failures = true
		case strings.HasPrefix(line, "Pending:"):
			failures = false
		case failures && numbered && digits(number):
			p.result(name, bench.Failed)
		default:
			p.jasmineCount(line)
		}
	}
	return p.finish() && p.closed
}

// jasmineCount reads "3 specs, 1 failure, 1 pending spec".
func (p *printed) jasmineCount(line string) {
	specs, rest, ok := strings.Cut(line, " spec")
	if !ok || !digits(specs) || atoi(specs) == 0 {
		return
	}
	_, rest, _ = strings.Cut(rest, ", ")
	if number, what, _ := strings.Cut(rest, " "); digits(number) && strings.HasPrefix(what, "failure") {
		p.count(0, atoi(number))
	}
}
