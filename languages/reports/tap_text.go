package reports

import (
	"strings"

	"assay/bench"
)

// readTAP reads the Test Anything Protocol. Ids are descriptions without
// directives and without the dash before them; the alias has both.
func readTAP(c *collector, data []byte) bool {
	p := newPrinted(c)
	top, planned := 0, -1
	for line := range lines(data) {
		if last, ok := strings.CutPrefix(line, "1.."); ok && digits(last) {
			planned = max(planned, 0) + atoi(last)
			continue
		}
		if strings.HasPrefix(line, "Bail out!") {
			p.complete = false
			p.note("%s", line)
		}
		if p.tapLine(strings.TrimLeft(line, " ")) && !strings.HasPrefix(line, " ") {
			top++
		}
	}
	p.count(p.named.passed, p.named.failed)
	if planned != top {
		p.complete = false
		p.note("the plan is of %d tests, the text names %d", planned, top)
	}
	p.finish()
	return len(p.tests) > 0
}

// tapLine reads "ok 1 - name # TODO why".
func (p *printed) tapLine(line string) bool {
	rest, ok := strings.CutPrefix(line, "ok ")
	status := bench.Passed
	if !ok {
		if rest, ok = strings.CutPrefix(line, "not ok "); !ok {
			return false
		}
		status = bench.Failed
	}
	number, text := cutNumber(rest)
	text, spaced := strings.CutPrefix(text, " ")
	if number == "" || !spaced || text == "" {
		return false
	}
	name, directive, _ := strings.Cut(text, " # ")
	switch directive = strings.ToUpper(directive); {
	case strings.HasPrefix(directive, "SKIP"):
		status = bench.Skipped
	case strings.HasPrefix(directive, "TODO") && status == bench.Failed:
		status = bench.XFail
	case strings.HasPrefix(directive, "TODO"):
		status = bench.XPass
	}
	id := strings.TrimSpace(strings.TrimPrefix(name, "- "))
	p.result(id, status)
	p.called(id, text)
	return true
}
