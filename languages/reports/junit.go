package reports

import (
	"strings"

	"assay/bench"
)

// junitCase is one testcase element of the JUnit XML family.
type junitCase struct {
	suite     string // name of the innermost suite
	class     string
	name      string
	file      string
	status    string // GoogleTest, CTest
	result    string // GoogleTest
	timestamp string
	seconds   float64
	outcomes  []junitOutcome // failure, error, skipped, in order
	output    string         // system-out, the beginning of it
	cut       bool           // the data ended within this case
}

// junitOutcome is a failure, error or skipped element, or one of Surefire's
// for reruns.
type junitOutcome struct {
	kind    string
	message string // the attribute
	typ     string
	text    string
}

// textLimit bounds what is decoded of one element's text, and outputLimit what a
// test printed; message cuts them further.
const (
	textLimit   = 16 << 10
	outputLimit = 256 << 10
)

// junitScan reads a JUnit-like report case by case.
type junitScan struct {
	xmlScanner
	suites []string
	suite  xmlToken // the outermost element with attributes worth a look
	root   bool     // a testsuite or testsuites element was seen
}

// each calls found for every testcase and reports whether the data is a
// JUnit-like report at all.
func (s *junitScan) each(found func(junitCase)) bool {
	for {
		tok, ok := s.next()
		if !ok {
			return s.root
		}
		switch {
		case tok.kind == xmlStart && tok.name == "testsuites":
			s.root, s.suite = true, tok
		case tok.kind == xmlStart && tok.name == "testsuite":
			if !s.root {
				s.suite = tok
			}
			s.root = true
			s.suites = append(s.suites, tok.attr("name"))
		case tok.kind == xmlEnd && tok.name == "testsuite" && len(s.suites) > 0:
			s.suites = s.suites[:len(s.suites)-1]
		case tok.kind == xmlStart && tok.name == "testcase" && s.root:
			found(s.testcase(tok))
		}
	}
}

func (s *junitScan) testcase(tok xmlToken) junitCase {
	tc := junitCase{
		class: tok.attr("classname"), name: tok.attr("name"), file: tok.attr("file"),
		status: tok.attr("status"), result: tok.attr("result"), timestamp: tok.attr("timestamp"),
		seconds: seconds(tok.attr("time")),
	}
	if len(s.suites) > 0 {
		tc.suite = s.suites[len(s.suites)-1]
	}
	depth := len(s.open)
	for len(s.open) >= depth {
		tok, ok := s.next()
		if !ok {
			tc.cut = true
			return tc
		}
		if tok.kind == xmlStart {
			s.child(&tc, tok)
		}
	}
	return tc
}

// child reads an element within a testcase; those of no interest are skipped
// by the caller's loop.
func (s *junitScan) child(tc *junitCase, tok xmlToken) {
	switch tok.name {
	case "failure", "error", "skipped", "flakyFailure", "flakyError", "rerunFailure", "rerunError":
		tc.outcomes = append(tc.outcomes, junitOutcome{
			kind: tok.name, message: tok.attr("message"), typ: tok.attr("type"), text: s.content(textLimit),
		})
	case "system-out":
		tc.output = s.content(outputLimit)
	}
}

// content returns the beginning of the text within the element that was just
// opened, at most limit bytes, and moves past its end.
func (s *xmlScanner) content(limit int) string {
	var out strings.Builder
	depth := len(s.open)
	for len(s.open) >= depth {
		tok, ok := s.next()
		if !ok {
			break
		}
		if tok.kind == xmlText && out.Len() < limit {
			out.WriteString(tok.string(limit - out.Len()))
		}
	}
	return out.String()
}

// first returns the first outcome of one of the kinds.
func (tc junitCase) first(kinds ...string) (junitOutcome, bool) {
	for _, kind := range kinds {
		for _, o := range tc.outcomes {
			if o.kind == kind {
				return o, true
			}
		}
	}
	return junitOutcome{}, false
}

// outcome reads the outcome of a case. Surefire's flaky elements stand for
// runs before one that passed.
func (tc junitCase) outcome() (bench.Status, string) {
	if o, ok := tc.first("error"); ok {
		return bench.Error, o.describe()
	}
	if o, ok := tc.first("failure"); ok {
		return bench.Failed, o.describe()
	}
	if o, ok := tc.first("skipped"); ok {
		return bench.Skipped, o.describe()
	}
	return bench.Passed, ""
}

// describe returns the text of an outcome, headed by its message where the
// text does not begin with or hold it.
func (o junitOutcome) describe() string {
	text := strings.TrimSpace(o.text)
	if text == "" {
		return o.message
	}
	head := text[:min(len(text), messageBytes)]
	if o.message == "" || strings.Contains(head, strings.TrimSpace(o.message)) {
		return text
	}
	return o.message + "\n" + text
}
