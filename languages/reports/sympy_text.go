package reports

import (
	"strings"

	"assay/bench"
)

// sympyText reads SymPy's own runner with -v: under the line of each file,
// "sympy/core/tests/test_x.py[12]", a line "test_y ok" per test; then the
// failures with a heading each.
type sympyText struct {
	printed
	file    string
	pending string // id of a test that printed before its result
	closing string // the closing lines, which are wrapped
}

func readSympyText(c *collector, data []byte) bool {
	s := sympyText{printed: newPrinted(c)}
	for line := range lines(data) {
		s.line(line)
	}
	return s.finish() && (s.closed || s.file != "")
}

func (s *sympyText) line(line string) {
	if s.ends(line) {
		return
	}
	if name, ok := strings.CutPrefix(line, "____"); ok {
		s.heading(strings.Trim(name, "_ "))
		return
	}
	if file, rest, ok := strings.Cut(line, ".py["); ok && !strings.ContainsAny(file, " \t") {
		if number, rest := cutNumber(rest); number != "" && strings.HasPrefix(rest, "]") {
			s.file, s.pending = file+".py", ""
			return
		}
	}
	name, rest, ok := strings.Cut(line, " ")
	switch {
	case s.file == "":
	case ok && strings.HasPrefix(name, "test_"):
		s.pending = s.file + "::" + name
		s.test(rest)
	case s.pending != "":
		s.test(line)
	}
}

// test reads what follows a test's name or what it printed: a letter or word,
// perhaps before the file's own verdict, "[OK]" or "[FAIL]".
func (s *sympyText) test(text string) {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(text, "[FAIL]"), "[OK]"))
	_, word, _ := cutLast(" "+text, " ")
	var status bench.Status
	switch word {
	case "ok":
		status = bench.Passed
	case "F":
		status = bench.Failed
	case "E":
		status = bench.Error
	case "f":
		status = bench.XFail
	case "X":
		status = bench.XPass
	case "s", "w", "T", "K":
		status = bench.Skipped
	default:
		return
	}
	s.result(s.pending, status)
	s.pending = ""
}

// heading reads "____ sympy/core/tests/test_x.py:test_y ____".
func (s *sympyText) heading(name string) {
	file, test, ok := cutLast(name, ".py:")
	if !ok || strings.ContainsAny(name, " \t") {
		return
	}
	id := file + ".py::" + test
	if s.status(id) == "" {
		s.result(id, bench.Failed)
	}
	s.called(id, name)
}

// ends reads the closing lines: "tests finished: 3 passed, 1 failed, 1
// exceptions, in 0.12 seconds", wrapped, and perhaps among "=".
func (s *sympyText) ends(line string) bool {
	line = strings.Trim(line, "= ")
	if strings.HasPrefix(line, "tests finished: ") {
		s.closing = line
	} else if s.closing != "" {
		s.closing += " " + line
	}
	if s.closing == "" {
		return false
	}
	if strings.HasSuffix(line, " seconds") || len(s.closing) > 1000 {
		s.sympyCount(strings.TrimPrefix(s.closing, "tests finished: "))
		s.closing, s.file = "", ""
	}
	return true
}

func (s *sympyText) sympyCount(text string) {
	passed, failed := 0, 0
	for item := range strings.SplitSeq(text, ", ") {
		number, word, _ := strings.Cut(strings.TrimSpace(item), " ")
		switch word {
		case "passed":
			passed = atoi(number)
		case "failed", "exceptions":
			failed += atoi(number)
		}
	}
	s.count(passed, failed)
}
