package reports

import (
	"strings"
)

// readMochaText reads Mocha's reporter spec: a tree of tests, the counts, and
// the failures again with their messages.
func readMochaText(name func([]string) string) func(*collector, []byte) bool {
	return func(c *collector, data []byte) bool {
		t := treeText{printed: newPrinted(c), name: name}
		epilogue := false
		for line := range lines(data) {
			switch {
			case t.mochaCount(line):
				epilogue = true
			case !epilogue || strings.HasPrefix(strings.TrimLeft(line, " "), "✔ ") || strings.HasPrefix(strings.TrimLeft(line, " "), "✓ "):
				epilogue = false // another run of Mocha
				t.line(line)
			}
		}
		return t.finish() && t.closed
	}
}

// mochaCount reads "  5 passing (91ms)" and the like.
func (p *printed) mochaCount(line string) bool {
	text := strings.TrimLeft(line, " ")
	number, rest := cutNumber(text)
	if number == "" || len(number) > 7 || text == line {
		return false
	}
	word, rest, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	n := atoi(number)
	switch {
	case word == "passing" && strings.HasPrefix(rest, "("):
		p.count(n, 0)
	case word == "failing" && rest == "" && p.closed:
		p.count(0, n)
	case word == "pending" && rest == "" && p.closed:
	default:
		return false
	}
	return true
}

// readMochaFailures reads only the failures that Mocha lists after its
// counts, for runs whose reporter does not name what passes:
//
//  1. suite
//     test:
//     message
func readMochaFailures(name func([]string) string) func(*collector, []byte) bool {
	return func(c *collector, data []byte) bool {
		f := mochaFailures{printed: newPrinted(c), name: name}
		for line := range lines(data) {
			f.line(line)
		}
		f.counted.passed = f.named.passed // which are not named
		return f.finish() && f.closed
	}
}

type mochaFailures struct {
	printed
	name   func([]string) string
	path   []string // of the failure whose heading is not at its end
	indent int
}

func (f *mochaFailures) line(line string) {
	if f.mochaCount(line) || !f.closed {
		return
	}
	text := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	number, rest, ok := strings.Cut(text, ") ")
	switch {
	case ok && digits(number) && indent > 0 && indent < 4:
		f.path, f.indent, text = nil, indent, rest
	case f.path == nil || text == "" || indent <= f.indent || len(f.path) >= maxDepth:
		f.path = nil
		return
	}
	f.indent = indent
	if last, ends := strings.CutSuffix(text, ":"); ends {
		f.failed(append(f.path, last))
		f.path = nil
		return
	}
	f.path = append(f.path, text)
}

func (f *mochaFailures) failed(path []string) { f.result(f.name(path), "failed") }
