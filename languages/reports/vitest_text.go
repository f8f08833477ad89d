package reports

import (
	"strings"

	"assay/bench"
)

// readVitestText reads Vitest's reporter verbose. Its own lines have one blank
// before the mark; ids are "file > suite > test".
func readVitestText(c *collector, data []byte) bool {
	p := newPrinted(c)
	for line := range lines(data) {
		text := strings.TrimPrefix(line, " ")
		if strings.HasPrefix(text, "     Tests ") {
			p.vitestCount(strings.TrimSpace(text)[len("Tests "):])
			continue
		}
		status, name := treeMark(text)
		if status == "" || !strings.Contains(name, " > ") || strings.HasPrefix(text, " ") {
			continue
		}
		p.result(vitestName(name), status)
	}
	return p.finish() && p.closed
}

// vitestName cuts "[skipped]" and a running time off the end.
func vitestName(name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), " [skipped]")
	if head, last, ok := cutLast(name, " "); ok && isDuration(last) {
		return head
	}
	return name
}

// vitestCount reads "1 failed | 3 passed | 1 skipped (6)".
func (p *printed) vitestCount(text string) {
	text, _, _ = strings.Cut(text, " (")
	passed, failed := 0, 0
	for item := range strings.SplitSeq(text, "|") {
		number, word, _ := strings.Cut(strings.TrimSpace(item), " ")
		switch word {
		case string(bench.Passed):
			passed = atoi(number)
		case string(bench.Failed):
			failed = atoi(number)
		}
	}
	p.count(passed, failed)
}
