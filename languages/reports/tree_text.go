package reports

import (
	"strings"

	"assay/bench"
)

// treeText reads tests that are listed, with a mark before each, under the
// headings of their suites, which are recognised by indentation.
type treeText struct {
	printed
	heads []treeHead
	name  func(path []string) string
}

type treeHead struct {
	indent int
	text   string
}

// line records a test, or enters a suite. Nothing at the left margin is a
// suite: that is where tests print.
func (t *treeText) line(line string) {
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		return
	}
	indent := len(line) - len(text)
	status, rest := treeMark(text)
	if status == "" {
		t.enter(indent, text)
		return
	}
	var path []string
	for _, h := range t.heads {
		if h.indent < indent {
			path = append(path, h.text)
		}
	}
	t.result(t.name(append(path, withoutDuration(rest))), status)
}

func (t *treeText) enter(indent int, text string) {
	if indent == 0 {
		return
	}
	for len(t.heads) > 0 && t.heads[len(t.heads)-1].indent >= indent {
		t.heads = t.heads[:len(t.heads)-1]
	}
	if len(t.heads) < maxDepth {
		t.heads = append(t.heads, treeHead{indent, strings.TrimSpace(text)})
	}
}

// treeMark splits a mark from a test's title.
func treeMark(text string) (bench.Status, string) {
	mark, title, _ := strings.Cut(text, " ")
	switch mark {
	case "✓", "✔", "√":
		return bench.Passed, title
	case "✕", "✗", "✖", "×", "✘":
		return bench.Failed, title
	case "○", "↓", "↩", "-":
		return bench.Skipped, strings.TrimPrefix(title, "skipped ")
	case "✎":
		return bench.Skipped, strings.TrimPrefix(title, "todo ")
	}
	if number, ok := strings.CutSuffix(mark, ")"); ok && digits(number) {
		return bench.Failed, title
	}
	return "", ""
}

// withoutDuration cuts "(12ms)", "(1.2 s)" and the like from the end.
func withoutDuration(s string) string {
	s = strings.TrimSpace(s)
	head, inner, ok := cutLast(s, "(")
	if inner, closed := strings.CutSuffix(inner, ")"); ok && closed && isDuration(inner) {
		return strings.TrimSpace(head)
	}
	return s
}

// isDuration recognises "12ms", "1.2 s", "3 m" and "1m2s".
func isDuration(s string) bool {
	number, rest := cutNumber(s)
	if number == "" {
		return false
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		_, rest = cutNumber(fraction)
	}
	switch strings.TrimSpace(rest) {
	case "ms", "s", "m", "µs", "ns":
		return true
	}
	minutes, ok := strings.CutPrefix(rest, "m")
	return ok && isDuration(minutes)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// The spellings that published lists have of a test in its suites.

func title(path []string) string { return path[len(path)-1] }

func joined(sep string) func([]string) string {
	return func(path []string) string { return strings.Join(path, sep) }
}

// lastHeading is the innermost suite and the title.
func lastHeading(path []string) string {
	return strings.Join(path[max(0, len(path)-2):], ".")
}

// suiteAndTitle is the outermost suite and the title.
func suiteAndTitle(path []string) string {
	if len(path) == 1 {
		return path[0]
	}
	return path[0] + ": " + path[len(path)-1]
}

func endingInColon(path []string) string { return strings.Join(path, " ") + ":" }
