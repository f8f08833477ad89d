package reports

import (
	"maps"
	"slices"
	"strings"

	"assay/bench"
)

// goTest reads go test -v, of one package or of several. A result is trusted
// only for a test that was announced and has none yet, so that a test cannot
// print one for a test that does not exist.
type goTest struct {
	printed
	open map[string]bool // announced, and without a result
}

func readGoTest(c *collector, data []byte) bool {
	g := goTest{printed: newPrinted(c), open: map[string]bool{}}
	for line := range lines(data) {
		g.line(line)
	}
	g.abandon()
	if !g.closed {
		g.complete = false
		g.note("the last line of go test, of a package, is missing")
	}
	return g.closed || len(g.tests) > 0
}

func (g *goTest) line(line string) {
	if name, ok := strings.CutPrefix(line, "=== RUN"); ok {
		g.open[strings.TrimSpace(name)] = true
		return
	}
	if status, name := goResult(strings.TrimLeft(line, " ")); status != "" && g.open[name] {
		delete(g.open, name)
		g.result(name, status)
		return
	}
	fields := strings.Split(line, "\t")
	switch {
	case len(fields) >= 2 && (fields[0] == "ok  " || fields[0] == "FAIL"):
		g.closed = true
		g.abandon()
	case strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "panic: "):
		g.closed = true
		g.abandon()
	}
}

// goResult reads "--- PASS: TestX/sub (0.00s)".
func goResult(line string) (bench.Status, string) {
	line, ok := strings.CutPrefix(line, "--- ")
	if !ok {
		return "", ""
	}
	word, name, _ := strings.Cut(line, ": ")
	name = withoutDuration(name)
	switch word {
	case "PASS":
		return bench.Passed, name
	case "FAIL":
		return bench.Failed, name
	case "SKIP":
		return bench.Skipped, name
	}
	return "", ""
}

// abandon closes a package: what was announced and has no result ran when the
// process died.
func (g *goTest) abandon() {
	for _, name := range slices.Sorted(maps.Keys(g.open)) {
		g.died(name, "the process ended while this test was running")
		// The other packages ran on: only this test is lost.
		g.complete, g.running = true, ""
	}
	clear(g.open)
}
