package reports

import (
	"regexp"
	"strings"

	"assay/bench"
)

// makeResult is a word such as PASS, and the name next to it.
type makeResult struct{ word, name string }

var (
	makeLine = regexp.MustCompile(`^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): (\S.*)$`)
	tapLine  = regexp.MustCompile(`^(ok|not ok)\b(?: +(\d+))?(?: +-)? *([^#]*?)(?: *# *(?i:(skip|todo))\b.*)?$`)
	tapPlan  = regexp.MustCompile(`^(?:TAP version \d+|1\.\.\d+)`)
)

// readMakeText reads what "make check" prints: the lines "PASS: name" of
// Automake's older harness and of many projects' own, and TAP. TAP's lines
// count only between a plan or version and the next line that is a make's.
func readMakeText(c *collector, data []byte) bool {
	found := false
	for _, r := range makeResults(data) {
		found = true
		c.add(bench.Test{ID: r.name, Status: automakeStatus(r.word)})
	}
	return found
}

func makeResults(data []byte) []makeResult {
	var out []makeResult
	tap := tapPlan.Match(data)
	for line := range lines(data) {
		line = strings.TrimRight(line, " \r")
		if tapPlan.MatchString(line) {
			tap = true
		}
		if strings.HasPrefix(line, "make") && strings.Contains(line, ": ") {
			tap = false
		}
		if m := makeLine.FindStringSubmatch(line); m != nil {
			out = append(out, makeResult{m[1], strings.TrimSpace(m[2])})
		}
		if m := tapLine.FindStringSubmatch(line); tap && m != nil {
			out = append(out, tapResult(m))
		}
	}
	return out
}

// tapResult is the outcome of a line of TAP: todo inverts what is expected.
func tapResult(m []string) makeResult {
	name := strings.TrimSpace(m[3])
	if name == "" {
		name = m[2]
	}
	ok := m[1] == "ok"
	switch directive := strings.ToLower(m[4]); {
	case directive == "skip":
		return makeResult{"SKIP", name}
	case directive == "todo" && ok:
		return makeResult{"XPASS", name}
	case directive == "todo":
		return makeResult{"XFAIL", name}
	case ok:
		return makeResult{"PASS", name}
	}
	return makeResult{"FAIL", name}
}
