package reports

import (
	"slices"
	"strconv"
	"strings"

	"assay/bench"
)

// sectionTree collects a test case of Catch2 or doctest: the case and the
// sections that are open within it.
type sectionTree struct {
	*collector
	levels []sectionLevel // the case first; empty between cases
	fatal  bool           // a signal was reported: what follows is wreckage
}

type sectionLevel struct {
	id     string
	file   string
	failed bool
	text   string
	status bench.Status // as the report gives it, where it does
}

// maxDepth bounds the depth of sections; ids grow with depth, so that
// nonsense could take all memory. What is deeper counts for its parent.
const maxDepth = 100

func (s *sectionTree) enter(name, file string) {
	id := strings.TrimSpace(name)
	if n := len(s.levels); n >= maxDepth {
		id = s.levels[n-1].id
	} else if n > 0 {
		id = s.levels[n-1].id + "/" + id
	}
	s.levels = append(s.levels, sectionLevel{id: id, file: file})
}

// fail marks the innermost open level.
func (s *sectionTree) fail(text string) {
	if n := len(s.levels); n > 0 {
		s.levels[n-1].failed = true
		if s.levels[n-1].text == "" {
			s.levels[n-1].text = text
		}
	}
}

// die marks all open levels: the process was killed within them.
func (s *sectionTree) die(why string) {
	n := len(s.levels)
	if n == 0 {
		s.complete = false
		return
	}
	s.fatal = true
	s.died(s.levels[n-1].id, why)
	for _, l := range s.levels {
		s.add(bench.Test{ID: l.id, Status: bench.Error, Message: why, File: l.file})
	}
}

// leave records the innermost level. Its failure is its parent's, too.
func (s *sectionTree) leave(status bench.Status) {
	n := len(s.levels) - 1
	l := s.levels[n]
	s.levels = s.levels[:n]
	if n > 0 && l.failed {
		s.levels[n-1].failed = true
		if s.levels[n-1].text == "" {
			s.levels[n-1].text = l.text
		}
	}
	if status == bench.Passed {
		l.text = ""
	}
	s.add(bench.Test{ID: l.id, Status: status, Message: l.text, File: l.file})
}

// catch2 reads the reporter xml of Catch2 2 (root Catch) and 3 (root
// Catch2TestRun).
type catch2 struct {
	sectionTree
	scan xmlScanner
	tags string
}

func readCatch2(c *collector, data []byte) bool {
	if root := xmlRoot(data); root == "testsuites" || root == "testsuite" {
		return readSectionJUnit(c, data)
	}
	c.quiet = true // sections come again for every leaf and generator
	r := catch2{sectionTree: sectionTree{collector: c}, scan: xmlScanner{data: data}}
	found := false
	for {
		tok, ok := r.scan.next()
		if !ok {
			break
		}
		if tok.name == "Catch" || tok.name == "Catch2TestRun" {
			found = true
			continue
		}
		if found {
			r.token(tok)
		}
	}
	if r.scan.cut && !r.fatal {
		if len(r.levels) > 0 {
			r.die("the process died while this test was running")
		}
		c.cut("Catch2's XML")
	}
	return found
}

func (r *catch2) token(tok xmlToken) {
	if tok.kind == xmlEnd && (tok.name == "Section" || tok.name == "TestCase") && len(r.levels) > 0 {
		r.close()
		return
	}
	if tok.kind != xmlStart {
		return
	}
	switch tok.name {
	case "TestCase":
		r.levels = nil
		r.tags = tok.attr("tags")
		r.enter(tok.attr("name"), tok.attr("filename"))
	case "Section":
		if len(r.levels) > 0 {
			r.enter(tok.attr("name"), tok.attr("filename"))
		}
	case "Expression":
		r.expression(tok)
	case "Exception", "Failure":
		r.fail(strings.TrimSpace(r.scan.content(textLimit)))
	case "FatalErrorCondition":
		r.die(strings.TrimSpace(r.scan.content(textLimit)))
	case "OverallResults", "OverallResult":
		r.overall(tok)
	}
}

// expression reads a failed assertion up to its end; one may hold the
// exception or the signal that ended it.
func (r *catch2) expression(tok xmlToken) {
	if tok.attr("success") != "false" {
		return
	}
	text := tok.attr("filename") + ":" + tok.attr("line") + ": " + tok.attr("type")
	depth := len(r.scan.open)
	for len(r.scan.open) >= depth {
		child, ok := r.scan.next()
		if !ok {
			break
		}
		if child.kind != xmlStart {
			continue
		}
		content := strings.TrimSpace(r.scan.content(textLimit))
		if child.name == "FatalErrorCondition" {
			r.die(content)
			continue
		}
		text += "\n" + strings.ToLower(child.name) + ": " + content
	}
	if !strings.HasSuffix(tok.attr("type"), "_NOFAIL") {
		r.fail(text)
	}
}

// overall takes a level's own verdict. After a signal the counts are the
// whole program's.
func (r *catch2) overall(tok xmlToken) {
	n := len(r.levels)
	if n == 0 || r.fatal {
		return
	}
	l := &r.levels[n-1]
	number := func(name string) int { v, _ := strconv.Atoi(tok.attr(name)); return v }
	l.status = bench.Passed
	if tok.name == "OverallResult" {
		switch {
		case tok.attr("success") == "false":
			l.status, l.failed = bench.Failed, true
		case l.failed: // fails, and its tags allow it
			l.status = bench.XFail
		case number("skips") > 0:
			l.status = bench.Skipped
		}
		return
	}
	switch {
	case number("failures") > 0:
		l.status, l.failed = bench.Failed, true
	case number("expectedFailures") > 0:
		l.status, l.failed = bench.XFail, true
	case tok.attr("skipped") == "true":
		l.status = bench.Skipped
	}
}

func (r *catch2) close() {
	status := r.levels[len(r.levels)-1].status
	switch {
	case r.fatal:
		r.levels = r.levels[:len(r.levels)-1]
		return
	case status == "":
		status = bench.Error // no verdict: the reporter did not get that far
	}
	r.leave(status)
}

// xmlRoot returns the name of the first element.
func xmlRoot(data []byte) string {
	s := xmlScanner{data: data}
	for {
		tok, ok := s.next()
		if !ok || tok.kind == xmlStart {
			return tok.name
		}
	}
}

// readSectionJUnit reads the junit reporters of Catch2 and doctest. They
// write leaf sections as case/section; a case whose assertions are all in
// sections has no entry, and no entry is made up.
func readSectionJUnit(c *collector, data []byte) bool {
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	c.quiet = true
	found := scan.each(func(tc junitCase) {
		tc.outcomes = slices.DeleteFunc(tc.outcomes, func(o junitOutcome) bool { return strings.HasPrefix(o.typ, "WARN") })
		t := bench.Test{ID: tc.name, Status: bench.Passed, Seconds: tc.seconds, File: tc.file}
		o, failed := tc.first("error", "failure")
		skip, skipped := tc.first("skipped")
		switch {
		case failed && skipped && strings.Contains(skip.message, "mayfail"):
			t.Status, t.Message = bench.XFail, o.describe()
		case failed:
			t.Status, t.Message = bench.Failed, o.describe()
		case skipped && !strings.Contains(skip.message, "mayfail"):
			t.Status, t.Message = bench.Skipped, skip.describe()
		}
		c.add(t)
		if tc.cut {
			c.died(t.ID, "the report ends within this test")
		}
	})
	if scan.cut {
		c.cut("the JUnit XML")
	}
	failParents(c)
	return found
}

// failParents hands the failures of sections on to those of their parents
// that have an entry for the assertions outside of sections.
func failParents(c *collector) {
	for _, t := range slices.Clone(c.tests) {
		if !t.Status.Failing() {
			continue
		}
		parent := t.ID
		for range maxDepth {
			i := strings.LastIndexByte(parent, '/')
			if i < 0 {
				break
			}
			if parent = parent[:i]; c.has(parent) {
				c.add(bench.Test{ID: parent, Status: bench.Failed, Message: t.Message})
			}
		}
	}
}
