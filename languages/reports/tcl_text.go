package reports

import (
	"strings"

	"assay/bench"
)

// readTclText reads the test suite of Redis and Valkey: "[ok]: name (3 ms)".
func readTclText(c *collector, data []byte) bool {
	p := newPrinted(c)
	failed := 0
	for line := range lines(data) {
		mark, name, _ := strings.Cut(line, "]: ")
		switch {
		case strings.Contains(line, "All tests passed without errors!"):
			p.count(0, 0)
		case strings.HasPrefix(line, "!!! WARNING The following tests failed:"):
			p.closed = true
		case mark == "[ok":
			p.result(withoutDuration(name), bench.Passed)
		case mark == "[err":
			failed++
			p.result(withoutFile(name), bench.Failed)
		case mark == "[skip" || mark == "[ignore":
			p.result(withoutDuration(name), bench.Skipped)
		}
	}
	p.counted = tally{p.named.passed, failed}
	return p.finish() && len(p.tests) > 0
}

// withoutFile cuts " in tests/unit/x.tcl" and what follows off a failing name.
func withoutFile(name string) string {
	head, file, ok := cutLast(name, " in ")
	if !ok || strings.Contains(file, " ") {
		return withoutDuration(name)
	}
	return head
}
