package reports

import (
	"strconv"
	"strings"

	"assay/bench"
)

// catch2Text reads Catch2's console reporter. Without -s it names only what
// fails; the rest cannot be named and is left out. Failures that the tags
// allow look like any other, so they are taken as such and noted.
type catch2Text struct {
	sectionText
	state   catch2State
	heading []string
	failing map[string]bool // cases that failed
	seen    bool
	ended   bool
}

type catch2State int

const (
	catch2Output  catch2State = iota
	catch2Heading             // between the first two lines of dashes
	catch2Place               // file:line, then a line of dots
	catch2Body
)

// catch2Width is the console's width that Catch2 is built with by default.
const catch2Width = 80

func readCatch2Text(c *collector, data []byte) bool {
	c.quiet = true
	r := catch2Text{sectionText: sectionText{collector: c}, failing: map[string]bool{}}
	for line := range lines(data) {
		r.line(line)
	}
	if !r.ended {
		r.complete = false
		r.note("the log ends before Catch2's totals")
	}
	return r.seen
}

func (r *catch2Text) line(line string) {
	switch {
	case rule(line, '-'):
		r.dashes()
	case r.state == catch2Heading:
		if len(r.heading) < maxDepth {
			r.heading = append(r.heading, line)
		}
	case rule(line, '.') && r.state == catch2Place:
		r.state = catch2Body
	case strings.Contains(line, " host application.") && strings.Contains(line, " is a Catch"):
		r.seen = true
	case strings.HasPrefix(line, "All tests passed ("), strings.HasPrefix(line, "test cases: "), line == "No tests ran":
		r.totals(line)
	case r.state == catch2Body:
		r.body(line)
	}
}

func rule(line string, c byte) bool {
	return len(line) >= catch2Width-1 && strings.Trim(line, string(c)) == ""
}

func (r *catch2Text) dashes() {
	if r.state != catch2Heading {
		r.state, r.heading = catch2Heading, nil
		return
	}
	r.seen = true
	r.state, r.path = catch2Place, catch2Path(r.heading)
}

// catch2Path joins the lines of a heading: the case without indentation, each
// section indented by two. Long names continue in the next line, deeper after
// a name with ": ", and else where the next word did not fit.
func catch2Path(heading []string) []string {
	var path []string
	last := "" // the last physical line
	for _, line := range heading {
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		word, _, _ := strings.Cut(text, " ")
		wrapped := len(path) > 0 && (indent > 2 || indent == 0 ||
			indent == 2 && len(path) > 1 && len(last)+1+len(word) >= catch2Width)
		if wrapped {
			path[len(path)-1] += " " + text
		} else {
			path = append(path, text)
		}
		last = line
	}
	return path
}

// body looks for "file:line: FAILED:" and its like.
func (r *catch2Text) body(line string) {
	switch {
	case strings.HasSuffix(line, ": FAILED:") || strings.HasSuffix(line, "): FAILED:"):
		r.mark(bench.Failed, line)
		r.failing[r.path[0]] = true
	case strings.HasSuffix(line, ": PASSED:"):
		r.mark(bench.Passed, "")
	case strings.HasSuffix(line, ": SKIPPED:"):
		r.mark(bench.Skipped, "")
	case strings.HasPrefix(line, "due to a fatal error condition:"):
		r.mark(bench.Error, line)
	}
}

func (r *catch2Text) totals(line string) {
	r.seen, r.ended = true, true
	r.state = catch2Output
	if strings.Contains(line, "failed as expected") {
		r.note("some of the failures were expected; the console does not say which: %s", line)
	}
	if strings.HasPrefix(line, "test cases: ") {
		r.compare(line)
	}
}

// compare notes where Catch2 counts more failing cases than it names: a case
// tagged [!shouldfail] that passes is a failure without an assertion.
func (r *catch2Text) compare(line string) {
	counted := 0
	for part := range strings.SplitSeq(line, "|") {
		number, word := cutNumber(strings.TrimSpace(part))
		if n, err := strconv.Atoi(number); err == nil && strings.HasPrefix(word, " failed") {
			counted += n
		}
	}
	if named := len(r.failing); counted > named {
		r.complete = false // what is missing may have been read as passed
		r.note("Catch2 counts %d failing cases and names %d", counted, named)
	}
}
