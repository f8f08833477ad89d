package reports

import (
	"strings"

	"assay/bench"
)

// unittestText reads the text of python -m unittest -v (3.6 to 3.14) and of
// Django's runner, which prints the same.
type unittestText struct {
	*collector
	names   pythonNames
	heading string // "name (dotted)" whose description or status is to come
	pending string // id whose status is to come
	last    string // last text that the pending test printed
	ruled   bool   // the last line was one of "=": a traceback's heading follows
	section *bench.Test
	body    strings.Builder
	ran     bool
	ended   bool
	begun   int // tests
	counted int // by the closing lines
}

func readUnittest(c *collector, data []byte, names pythonNames) bool {
	return (&unittestText{collector: c, names: names}).read(data)
}

func (u *unittestText) read(data []byte) bool {
	u.quiet = true
	for line := range lines(data) {
		u.line(line)
	}
	u.endSection()
	if !u.ended {
		u.complete = false
		if u.pending != "" {
			u.note("the run ended while %s was running", u.pending)
			u.died(u.pending, "the process died while this test was running")
		}
	}
	return u.ran || len(u.tests) > 0
}

func (u *unittestText) line(line string) {
	switch {
	case u.sectionHead(line):
	case strings.HasPrefix(line, "Ran ") && strings.Contains(line, " test") && strings.Contains(line, " in "):
		u.endSection()
		u.settle()
		u.ran = true
		number, _ := cutNumber(line[len("Ran "):])
		u.counted += atoi(number)
	case u.ran && (line == "OK" || strings.HasPrefix(line, "OK (") || strings.HasPrefix(line, "FAILED (") || line == "NO TESTS RAN"):
		u.ended = true
	case u.section != nil:
		if !strings.HasPrefix(line, "-----") && u.body.Len() < textLimit {
			u.body.WriteString(line + "\n")
		}
	default:
		u.progress(line)
	}
}

// sectionHead reads the headings of the tracebacks, after all tests ran.
func (u *unittestText) sectionHead(line string) bool {
	after := u.ruled
	if u.ruled = len(line) == 70 && strings.Trim(line, "=") == ""; u.ruled {
		u.settle()
		u.endSection()
		return true
	}
	word, rest, ok := strings.Cut(line, ": ")
	if !ok || !after {
		return false
	}
	status := bench.Failed
	switch word {
	case "ERROR":
		status = bench.Error
	case "FAIL", "UNEXPECTED SUCCESS":
	default:
		return false
	}
	id := u.id(rest)
	if id == "" {
		return false
	}
	u.endSection()
	u.section = &bench.Test{ID: id, Status: status}
	return true
}

func (u *unittestText) endSection() {
	if u.section == nil {
		return
	}
	u.section.Message = u.body.String()
	u.body.Reset()
	u.add(*u.section)
	u.section = nil
}

// progress reads the lines while tests run: "name (dotted) ... status", with
// the first line of a docstring before the dots on a line of its own, and
// with anything that the test prints between dots and status.
func (u *unittestText) progress(line string) {
	for again := true; again; {
		line, again = u.step(line)
	}
}

// step reads a line, or of a line that holds several tests the first; it
// returns the rest of such a line.
func (u *unittestText) step(line string) (rest string, again bool) {
	head, status, dots := strings.Cut(line, " ... ")
	if !dots {
		head, dots = strings.CutSuffix(line, " ...")
	}
	if strings.HasPrefix(line, "  ") && u.pending != "" && dots { // a failing sub-test
		if s, ok := unittestStatus(status); ok {
			u.add(bench.Test{ID: u.pending, Status: s})
		}
		return "", false
	}
	id := u.id(head)
	switch {
	case dots && id != "":
		u.begin(id, "")
		// Before 3.11 a test with failing sub-tests has no status, and the
		// next one follows its dots.
		next, _, _ := strings.Cut(status, " ... ")
		if u.id(next) != "" {
			return status, true
		}
		u.output(status)
	case dots && u.heading != "":
		u.begin(u.heading, status)
	case id != "":
		u.settle()
		u.heading = id
	default:
		u.output(line)
	}
	return "", false
}

func (u *unittestText) begin(id, status string) {
	u.settle()
	if strings.Contains(id, "::test") {
		u.begun++
	}
	u.pending = id
	u.output(status)
}

// output looks at text that a pending test printed: a line that is nothing
// but a status ends it.
func (u *unittestText) output(text string) {
	if u.pending == "" {
		return
	}
	if s, ok := unittestStatus(text); ok {
		u.add(bench.Test{ID: u.pending, Status: s})
		u.pending, u.heading, u.last = "", "", ""
		return
	}
	if text != "" {
		u.last = text
	}
}

// settle closes the pending test when the next begins. Its status may follows
// what it printed without a line end; else the tracebacks decide.
func (u *unittestText) settle() {
	id := u.pending
	u.pending, u.heading = "", ""
	if id == "" {
		return
	}
	for _, word := range []string{"unexpected success", "expected failure", "ok", "FAIL", "ERROR"} {
		if strings.HasSuffix(u.last, word) {
			s, _ := unittestStatus(word)
			u.add(bench.Test{ID: id, Status: s})
			break
		}
	}
	u.last = ""
}

func unittestStatus(s string) (bench.Status, bool) {
	switch s {
	case "ok":
		return bench.Passed, true
	case "FAIL", "unexpected success":
		return bench.Failed, true
	case "ERROR":
		return bench.Error, true
	case "expected failure":
		return bench.XFail, true
	}
	if strings.HasPrefix(s, "skipped ") || s == "skipped" {
		return bench.Skipped, true
	}
	return "", false
}

// id reads "test (pkg.mod.Class)", from 3.11 "test (pkg.mod.Class.test)",
// followed by a sub-test's parameters; "" where the text is neither.
func (u *unittestText) id(head string) string {
	name, rest, ok := strings.Cut(head, " (")
	if !ok || name == "" || strings.ContainsAny(name, " \t:=") {
		return ""
	}
	dotted, rest, ok := strings.Cut(rest, ")")
	if !ok || strings.ContainsAny(dotted, " \t,'\"=/") {
		return ""
	}
	if rest != "" && !strings.HasPrefix(rest, " (") && !strings.HasPrefix(rest, " [") {
		return ""
	}
	switch {
	case name == "setUpModule" || name == "tearDownModule":
		return modulePath(strings.Split(dotted, "."))
	case name == "setUpClass" || name == "tearDownClass":
		return u.class(dotted)
	case strings.HasPrefix(dotted, "unittest.loader."):
		return modulePath(strings.Split(name, ".")) // a module that does not import
	case !strings.Contains(dotted, "."):
		return ""
	}
	return nodeID(u.class(strings.TrimSuffix(dotted, "."+name)), name)
}

// class returns the id of a dotted class. Its last part is a class in any
// case.
func (u *unittestText) class(dotted string) string {
	path, classes := u.names.split(dotted)
	if parts := strings.Split(dotted, "."); len(classes) == 0 && len(parts) > 1 {
		n := len(parts) - 1
		path, classes = modulePath(parts[:n]), parts[n:]
	}
	return nodeID(path, classes...)
}
