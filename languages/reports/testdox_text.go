package reports

import (
	"strings"

	"assay/bench"
)

// readTestdox reads PHPUnit's --testdox: ids are "Class > sentence". What did
// not succeed is in it twice; the first time counts.
func readTestdox(c *collector, data []byte) bool {
	p := newPrinted(c)
	class, repeated := "", false
	for line := range lines(data) {
		status, sentence := testdoxMark(line)
		switch {
		case p.testdoxCount(line):
			repeated = false
		case strings.HasPrefix(line, "Summary of non-successful tests:"):
			repeated = true
		case repeated:
		case status != "" && class != "":
			p.result(class+" > "+sentence, status)
		case line != "" && line[0] != ' ':
			class, _, _ = strings.Cut(line, " (")
		}
	}
	return p.finish() && len(p.tests) > 0
}

func testdoxMark(line string) (bench.Status, string) {
	mark, sentence, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	sentence = strings.TrimSpace(sentence)
	if head, last, ok := cutLast(sentence, " ["); ok && strings.HasSuffix(last, " ms]") {
		sentence = head
	}
	switch mark {
	case "✔", "⚠":
		return bench.Passed, sentence
	case "✘":
		return bench.Failed, sentence
	case "↩", "∅", "☢":
		return bench.Skipped, sentence
	}
	return "", ""
}

// testdoxCount reads "OK (3 tests, 5 assertions)" and "Tests: 8, Assertions:
// 5, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1.".
func (p *printed) testdoxCount(line string) bool {
	if rest, ok := strings.CutPrefix(line, "OK ("); ok {
		number, _ := cutNumber(rest)
		p.count(atoi(number), 0)
		return true
	}
	rest, ok := strings.CutPrefix(line, "Tests: ")
	if !ok {
		return false
	}
	number, rest := cutNumber(rest)
	passed, failed := atoi(number), 0
	for item := range strings.SplitSeq(strings.TrimSuffix(rest, "."), ", ") {
		what, number, _ := strings.Cut(item, ": ")
		switch n := atoi(number); what {
		case "Errors", "Failures":
			passed, failed = passed-n, failed+n
		case "Skipped", "Incomplete":
			passed -= n
		}
	}
	p.count(passed, failed)
	return true
}
