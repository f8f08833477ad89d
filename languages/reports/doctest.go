package reports

import (
	"strings"

	"assay/bench"
)

// doctestXML reads doctest's reporter xml (2.3 to 2.5). The report gives a
// verdict on cases only; that of a sub-case follows from what is in it.
// Before 2.4.7 the report has no verdicts: they follow from counts and
// decorators.
type doctestXML struct {
	sectionTree
	scan    xmlScanner
	subs    []sectionLevel // closed sub-cases, which the case's verdict may excuse
	success string         // the case's test_case_success
	skipped bool
	allowed doctestAllowed
}

// doctestAllowed are a case's decorators that excuse failures.
type doctestAllowed struct {
	should, may bool
	expected    string
}

// verdict is what doctest thinks of a case with so many failed assertions.
func (a doctestAllowed) verdict(failures string, failed bool) string {
	failed = failed || failures != "0"
	ok := !failed
	switch {
	case a.should:
		ok = failed
	case a.may:
		ok = true
	case a.expected != "" && a.expected != "0":
		ok = failures == a.expected
	}
	return map[bool]string{true: "true", false: "false"}[ok]
}

func readDoctest(c *collector, data []byte) bool {
	if root := xmlRoot(data); root == "testsuites" || root == "testsuite" {
		c.note("doctest's junit reporter counts expected failures as failures; its xml reporter does not")
		return readSectionJUnit(c, data)
	}
	c.quiet = true // sub-cases come again for every leaf
	r := doctestXML{sectionTree: sectionTree{collector: c}, scan: xmlScanner{data: data}}
	found := false
	for {
		tok, ok := r.scan.next()
		if !ok {
			break
		}
		if tok.name == "doctest" {
			found = true
			continue
		}
		if found {
			r.token(tok)
		}
	}
	if r.scan.cut {
		r.subsDone("")
		if len(r.levels) > 0 {
			r.die("the process died while this test was running")
		}
		c.cut("doctest's XML")
	}
	return found
}

func (r *doctestXML) token(tok xmlToken) {
	if tok.kind == xmlEnd && len(r.levels) > 0 {
		switch tok.name {
		case "SubCase":
			r.closeSub()
		case "TestCase":
			r.closeCase()
		}
		return
	}
	if tok.kind != xmlStart {
		return
	}
	switch tok.name {
	case "TestCase":
		r.levels, r.subs, r.success, r.fatal = nil, nil, "", false
		r.skipped = tok.attr("skipped") == "true"
		r.allowed = doctestAllowed{should: tok.attr("should_fail") == "true", may: tok.attr("may_fail") == "true"}
		r.enter(tok.attr("name"), tok.attr("filename"))
	case "SubCase":
		if len(r.levels) > 0 {
			r.enter(tok.attr("name"), tok.attr("filename"))
		}
	case "Expression":
		r.expression(tok)
	case "Message":
		r.message(tok)
	case "Exception":
		r.exception(tok)
	case "OverallResultsAsserts":
		if len(r.levels) > 0 {
			r.overall(tok)
		}
	}
}

// overall takes the case's verdict, or makes it of what was counted.
func (r *doctestXML) overall(tok xmlToken) {
	r.success = tok.attr("test_case_success")
	if failures := tok.attr("failures"); r.success == "" && failures != "" {
		r.allowed.expected = tok.attr("expected_failures")
		r.success = r.allowed.verdict(failures, r.levels[0].failed)
	}
}

// expression reads an assertion. A WARN that does not hold is not a failure.
func (r *doctestXML) expression(tok xmlToken) {
	text := strings.TrimSpace(r.scan.content(textLimit))
	if tok.attr("success") == "false" && !strings.HasPrefix(tok.attr("type"), "WARN") {
		text = strings.Join(strings.Fields(text), " ")
		r.fail(tok.attr("filename") + ":" + tok.attr("line") + ": " + tok.attr("type") + ": " + text)
	}
}

// message reads a MESSAGE (which warns), FAIL_CHECK or FAIL.
func (r *doctestXML) message(tok xmlToken) {
	text := strings.TrimSpace(r.scan.content(textLimit))
	if typ := tok.attr("type"); strings.Contains(typ, "ERROR") {
		r.fail(tok.attr("filename") + ":" + tok.attr("line") + ": " + text)
	}
}

func (r *doctestXML) exception(tok xmlToken) {
	text := strings.TrimSpace(r.scan.content(textLimit))
	if tok.attr("crash") == "true" {
		r.die(text)
		r.note("the process died: %s", text)
		return
	}
	r.fail("exception: " + text)
}

// closeSub keeps a sub-case until the case's verdict is known.
func (r *doctestXML) closeSub() {
	n := len(r.levels) - 1
	if n == 0 {
		return
	}
	l := r.levels[n]
	r.levels = r.levels[:n]
	r.subs = append(r.subs, l)
	if l.failed {
		r.levels[n-1].failed = true
		if r.levels[n-1].text == "" {
			r.levels[n-1].text = l.text
		}
	}
}

func (r *doctestXML) closeCase() {
	l := r.levels[0]
	r.levels = r.levels[:1]
	r.subsDone(r.success)
	status := bench.Passed
	switch {
	case r.skipped:
		status = bench.Skipped
	case r.fatal:
		status = bench.Error
	case r.success == "":
		status = bench.Error
	case r.success == "false":
		status = bench.Failed
	case l.failed:
		status = bench.XFail
	}
	r.leave(status)
}

// subsDone records the sub-cases of a case: where it is a success although
// they failed, their failures were expected.
func (r *doctestXML) subsDone(success string) {
	for _, l := range r.subs {
		t := bench.Test{ID: l.id, Status: bench.Passed, File: l.file}
		if l.failed {
			t.Status, t.Message = bench.Failed, l.text
			if success == "true" {
				t.Status = bench.XFail
			}
		}
		r.add(t)
	}
	r.subs = nil
}
