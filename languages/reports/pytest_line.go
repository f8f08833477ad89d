package reports

import (
	"strings"

	"assay/bench"
)

// pytestStatus maps a word of pytest's console to a status.
func pytestStatus(word string) (bench.Status, bool) {
	switch word {
	case "PASSED":
		return bench.Passed, true
	case "FAILED", "SUBFAILED", "SUBFAIL":
		return bench.Failed, true
	case "ERROR":
		return bench.Error, true
	case "SKIPPED":
		return bench.Skipped, true
	case "XFAIL":
		return bench.XFail, true
	case "XPASS":
		return bench.XPass, true
	}
	return "", false
}

// isNodeID reports whether s looks like path::test.
func isNodeID(s string) bool {
	path, _, ok := strings.Cut(s, "::")
	return ok && path != "" && !strings.HasPrefix(s, " ") && !strings.ContainsAny(path, "\"'()<>,=")
}

// leadingID returns the id with which pytest -v opens a test's line.
func leadingID(line string) string {
	first := firstBlank(line)
	if !isNodeID(line[:first]) {
		return ""
	}
	if i := strings.IndexByte(line, '['); i >= 0 && i < first {
		if end := paramsEnd(line, i, " "); end > 0 {
			return line[:end]
		}
	}
	return line[:first]
}

func firstBlank(s string) int {
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return i
	}
	return len(s)
}

// trimPercent removes "[ 42%]" or a running time from the end.
func trimPercent(line string) string {
	line = strings.TrimRight(line, " ")
	if !strings.HasSuffix(line, "]") {
		return line
	}
	i := strings.LastIndexByte(line, '[')
	if i < 0 {
		return line
	}
	inner := strings.TrimSpace(line[i+1 : len(line)-1])
	number, rest := cutNumber(inner)
	if number != "" && (rest == "%" || strings.HasPrefix(rest, "/")) {
		return strings.TrimRight(line[:i], " ")
	}
	return line
}

// trailingStatus splits "id STATUS" or "id STATUS (reason)".
func trailingStatus(line string) (id, word string, ok bool) {
	if i := strings.LastIndexByte(line, ' '); i >= 0 {
		if _, known := pytestStatus(line[i+1:]); known {
			return strings.TrimRight(line[:i], " "), line[i+1:], true
		}
	}
	if !strings.HasSuffix(line, ")") {
		return "", "", false
	}
	for _, word := range []string{"SKIPPED", "XFAIL", "XPASS", "SUBFAILED", "SUBFAIL"} {
		for _, open := range []string{" (", "("} {
			if i := strings.Index(line, " "+word+open); i >= 0 {
				return strings.TrimRight(line[:i], " "), word, true
			}
		}
	}
	return "", "", false
}

// splitReason splits "id - reason" of a summary line. Ids may hold blanks
// and " - " themselves within their brackets.
func splitReason(s string) (id, reason string) {
	dash := strings.Index(s, " - ")
	open := strings.IndexByte(s, '[')
	if open < 0 || dash >= 0 && dash < open {
		if dash < 0 {
			return s, ""
		}
		return s[:dash], s[dash+3:]
	}
	end := paramsEnd(s, open, " - ")
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimPrefix(s[end:], " - ")
}

// paramsEnd finds the end of the parameters that open at s[open]: the first
// closing bracket that balances and is followed by stop or nothing, else the
// first one that is so followed; -1 where there is none.
func paramsEnd(s string, open int, stop string) int {
	depth, fallback := 0, -1
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
			if rest := s[i+1:]; rest != "" && !strings.HasPrefix(rest, stop) {
				continue
			}
			if depth == 0 {
				return i + 1
			}
			if fallback < 0 {
				fallback = i + 1
			}
		}
	}
	return fallback
}

// subFailure returns what follows the description of a failed sub-test: in
// "SUBFAILED(i=1) id" and "SUBFAILED[msg] id" (pytest 9), "(i=1) SUBFAIL id"
// and "[msg] (i=1) SUBFAIL id" (pytest-subtests), "SUBFAIL id".
func subFailure(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	if s[0] == '(' || s[0] == '[' {
		_, rest, ok := strings.Cut(s, " SUBFAIL ")
		return rest, ok
	}
	if !strings.HasPrefix(s, "SUBFAIL") {
		return "", false
	}
	i := strings.Index(s, ".py::")
	if i < 0 {
		return "", false
	}
	return s[strings.LastIndexByte(s[:i], ' ')+1:], true
}
