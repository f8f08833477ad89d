package reports

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// logParser reads the text that one test command prints. Its name is the one
// that published instances carry in log_parser.
type logParser struct {
	name string
	read func(*collector, []byte) bool
	// alias gives an id the spelling that published lists have, where that
	// is another one; nil where it is the same.
	alias func(string) string
}

// LogParsers lists the names that ReadPrinted knows, sorted: those of
// SWE-bench 5, and the text formats of this package.
func LogParsers() []string {
	var names []string
	for _, p := range logParsers() {
		names = append(names, p.name)
	}
	slices.Sort(names)
	return names
}

// CheckLogParser returns an error that lists the known names for any other
// name. The prefix parse_log_ may be left out.
func CheckLogParser(name string) error {
	if _, ok := findLogParser(name); ok {
		return nil
	}
	return fmt.Errorf("log_parser %q is not known (known: %s)", name, strings.Join(LogParsers(), ", "))
}

func findLogParser(name string) (logParser, bool) {
	for _, p := range logParsers() {
		if p.name == name || p.name == logParserPrefix+name {
			return p, true
		}
	}
	return logParser{}, false
}

// ReadPrinted reads what a test command printed, by the name of a log parser.
// Ids have the spelling of published lists; where this package has a canonical
// id for such a test, that is the id and the published spelling its Alias.
func ReadPrinted(parser string, data []byte) (Report, error) {
	p, ok := findLogParser(parser)
	if !ok {
		return Report{}, CheckLogParser(parser)
	}
	c := newCollector()
	if !p.read(c, data) {
		return Report{}, fmt.Errorf("reading %d bytes as %s: %w", len(data), parser, ErrNoReport)
	}
	r := c.report()
	for i, t := range r.Tests {
		if t.Alias == "" {
			r.Tests[i].Alias = PublishedAlias(parser, t.ID)
		}
	}
	return r, nil
}

// PublishedAlias is the spelling that published lists have of a test's id
// where the given log parser made them; "" where that is the id itself.
func PublishedAlias(parser, id string) string {
	p, ok := findLogParser(parser)
	if !ok || p.alias == nil {
		return ""
	}
	if a := p.alias(id); a != id {
		return a
	}
	return ""
}

// printed gathers the tests that a text names, and what the runner's own
// closing lines count. Where these disagree something else than the runner
// wrote results, or the text is cut.
type printed struct {
	*collector
	named, counted tally
	closed         bool // the runner's closing lines were there
}

type tally struct{ passed, failed int }

// called gives a test the spelling that published lists have of it.
func (p *printed) called(id, alias string) {
	if i, ok := p.index[id]; ok && alias != id {
		p.tests[i].Alias = alias
	}
}

func newPrinted(c *collector) printed {
	c.quiet = true // printed names need not be unique: the worst counts
	return printed{collector: c}
}

// result records what the text says about a test.
func (p *printed) result(id string, status bench.Status) {
	id = strings.TrimSpace(id)
	if id == "" {
		return
	}
	switch {
	case status == bench.Passed:
		p.named.passed++
	case status.Failing():
		p.named.failed++
	}
	p.add(bench.Test{ID: id, Status: status})
}

// count adds what a closing line says.
func (p *printed) count(passed, failed int) {
	p.closed = true
	p.counted.passed += passed
	p.counted.failed += failed
}

// finish compares names and counts, and reports whether the text is of the
// format at all.
func (p *printed) finish() bool {
	switch {
	case !p.closed:
		p.complete = false
		p.note("the runner's closing lines are missing")
	case p.named.passed > p.counted.passed:
		p.complete = false
		p.note("the text names %d passed tests, the runner counts %d: something else printed results", p.named.passed, p.counted.passed)
	case p.named.failed < p.counted.failed:
		p.complete = false
		p.note("the runner counts %d failures, the text names %d", p.counted.failed, p.named.failed)
	}
	return p.closed || len(p.tests) > 0
}
