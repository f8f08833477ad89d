package reports

import (
	"strings"

	"assay/bench"
)

// doctestText reads doctest's console reporter. Without -s it names only
// what fails.
type doctestText struct {
	sectionText
	heading bool // sub-cases may follow
	seen    bool
	ended   bool
}

func readDoctestText(c *collector, data []byte) bool {
	c.quiet = true
	r := doctestText{sectionText: sectionText{collector: c}}
	for line := range lines(data) {
		r.line(line)
	}
	if !r.ended {
		r.complete = false
		r.note("the log ends before doctest's status")
	}
	return r.seen
}

func (r *doctestText) line(line string) {
	switch {
	case strings.HasPrefix(line, "[doctest] "):
		r.seen = true
		r.ended = r.ended || strings.HasPrefix(line, "[doctest] Status: ")
	case rule(line, '='):
		r.path, r.heading = nil, false
	case strings.HasPrefix(line, "TEST CASE:  ") && r.path == nil:
		r.path, r.heading, r.seen = []string{strings.TrimSpace(line[12:])}, true, true
	case r.heading && strings.HasPrefix(line, "  ") && len(r.path) < maxDepth:
		r.path = append(r.path, strings.TrimSpace(line))
	case len(r.path) > 0:
		r.heading = false
		r.body(line)
	}
}

// body reads assertions and doctest's word on the whole case.
func (r *doctestText) body(line string) {
	switch {
	case strings.Contains(line, " ERROR: test case CRASHED: "):
		r.mark(bench.Error, line)
	case strings.Contains(line, ": ERROR: "), strings.Contains(line, ": FATAL ERROR: "):
		r.mark(bench.Failed, line)
	case strings.Contains(line, ": SUCCESS: "):
		r.mark(bench.Passed, "")
	case strings.HasPrefix(line, "Failed as expected so marking it as not failed"),
		strings.HasPrefix(line, "Allowed to fail so marking it as not failed"),
		strings.HasPrefix(line, "Failed exactly "):
		r.excuse()
	case strings.HasPrefix(line, "Should have failed but didn't!"), strings.HasPrefix(line, "Didn't fail exactly "),
		strings.HasPrefix(line, "Test case exceeded time limit"):
		r.path = r.path[:1]
		r.mark(bench.Failed, line)
	}
}
