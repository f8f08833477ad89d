package reports

import (
	"strings"

	"assay/bench"
)

// readAutomakeText reads the lines of Automake's test harness, as jq has them:
// "PASS: tests/jqtest", and the counts "# PASS:  5".
func readAutomakeText(c *collector, data []byte) bool {
	p := newPrinted(c)
	counts := map[string]int{}
	for line := range lines(data) {
		word, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		if counted, ok := strings.CutPrefix(word, "# "); ok {
			counts[counted] += atoi(strings.TrimSpace(rest))
			p.closed = p.closed || counted == "TOTAL"
			continue
		}
		if status := automakeStatus(word); status != "" {
			p.result(rest, status)
		}
	}
	p.counted = tally{counts["PASS"], counts["FAIL"] + counts["ERROR"] + counts["XPASS"]}
	return p.finish() && len(p.tests) > 0
}

func automakeStatus(word string) bench.Status {
	switch word {
	case "PASS":
		return bench.Passed
	case "FAIL", "XPASS":
		return bench.Failed
	case "ERROR":
		return bench.Error
	case "SKIP":
		return bench.Skipped
	case "XFAIL":
		return bench.XFail
	}
	return ""
}
