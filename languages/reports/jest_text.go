package reports

import (
	"strings"

	"assay/bench"
)

// readJestTests reads Jest's output with --verbose: under the line of each
// file a tree of its tests. What tests print is outside of these trees.
func readJestTests(name func([]string) string) func(*collector, []byte) bool {
	return func(c *collector, data []byte) bool {
		t := treeText{printed: newPrinted(c), name: name}
		inTree := false
		for line := range lines(data) {
			switch {
			case jestFile(line) != "":
				inTree, t.heads = true, nil
			case t.jestCount(line, "Tests:"):
			case strings.HasPrefix(line, "  ● "), line != "" && line[0] != ' ', strings.HasPrefix(line, "  console."):
				inTree = false
			case inTree:
				t.line(line)
			}
		}
		return t.finish() && t.closed
	}
}

// readJestFiles reads the lines that Jest prints of whole test files: a file
// is a test. One that does not load fails.
func readJestFiles(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		if p.jestCount(line, "Test Suites:") {
			continue
		}
		switch file := jestFile(line); {
		case file == "":
		case strings.HasPrefix(line, "PASS "):
			p.result(file, bench.Passed)
		default:
			p.result(file, bench.Failed)
		}
	}
	return p.finish() && p.closed
}

// jestFile returns the file of a line such as "PASS src/a.test.js (5.2 s)".
func jestFile(line string) string {
	rest, ok := strings.CutPrefix(line, "PASS ")
	if !ok {
		rest, ok = strings.CutPrefix(line, "FAIL ")
	}
	if !ok {
		return ""
	}
	return withoutDuration(rest)
}

// jestCount reads "Tests:       1 failed, 1 skipped, 4 passed, 6 total".
func (p *printed) jestCount(line, label string) bool {
	rest, ok := strings.CutPrefix(line, label)
	if !ok {
		return false
	}
	passed, failed, total := 0, 0, false
	for item := range strings.SplitSeq(rest, ",") {
		number, word, _ := strings.Cut(strings.TrimSpace(item), " ")
		switch n := atoi(number); word {
		case "passed":
			passed = n
		case "failed":
			failed = n
		case "total":
			total = true
		}
	}
	if total {
		p.count(passed, failed)
	}
	return total
}

// readJestLines reads the lines "[PASSED] name" that published commands make
// of Jest's JSON. They have no closing counts.
func readJestLines(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		mark, name, _ := strings.Cut(line, "] ")
		switch mark {
		case "[PASSED":
			p.result(name, bench.Passed)
		case "[FAILED":
			p.result(name, bench.Failed)
		}
	}
	p.count(p.named.passed, p.named.failed)
	p.finish()
	return len(p.tests) > 0
}
