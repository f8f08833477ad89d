package reports

import (
	"strings"

	"assay/bench"
)

// readDjangoText reads the output of Django's runner, which is unittest's. Of a
// test with a docstring unittest prints the docstring's first line before the
// result, and published lists have that line: it is the alias.
func readDjangoText(c *collector, data []byte) bool {
	u := unittestText{collector: c}
	if !u.read(data) {
		return false
	}
	if skipped := countStatus(c, bench.Skipped); u.ran && u.begun-skipped > u.counted {
		c.complete = false
		c.note("the text names %d tests, the runner counts %d: something else printed results", u.begun, u.counted)
	}
	heading := ""
	for line := range lines(data) {
		head, _, dots := strings.Cut(line, " ... ")
		switch id := u.id(head); {
		case id != "" && !dots:
			heading = id
		case id == "" && dots && heading != "":
			if i, ok := c.index[heading]; ok && c.tests[i].Alias == "" {
				c.tests[i].Alias = strings.TrimSpace(head)
			}
			heading = ""
		default:
			heading = ""
		}
	}
	return true
}

func countStatus(c *collector, status bench.Status) int {
	n := 0
	for _, t := range c.tests {
		if t.Status == status {
			n++
		}
	}
	return n
}
