package reports

import (
	"path"
	"strings"

	"assay/bench"
)

// What is given to the reader of Automake's results are .trs files. AutomakeTest
// begins that of a test, with its path without the ending. AutomakePart begins
// what make printed of a part of it: its result and its text. AutomakeLog begins
// each line that a test printed which did not pass.
const (
	AutomakeTest = ":assay-test: "
	AutomakePart = ":assay-part: "
	AutomakeLog  = ":assay-log: "
)

// readAutomake reads the .trs files of Automake's tests, each after a line
// with its name. A test that prints TAP has its parts next to it, as Automake
// prints them: "test 1 - part".
func readAutomake(c *collector, data []byte) bool {
	var tests []*automakeTest
	for line := range lines(data) {
		if name, ok := strings.CutPrefix(line, AutomakeTest); ok {
			tests = append(tests, &automakeTest{name: path.Clean(strings.TrimSpace(name))})
			continue
		}
		if len(tests) > 0 {
			tests[len(tests)-1].line(line)
		}
	}
	for _, t := range tests {
		t.record(c)
	}
	return len(tests) > 0
}

// automakeTest is one .trs file.
type automakeTest struct {
	name, global string
	results      []makeResult
	log          strings.Builder
}

func (t *automakeTest) line(line string) {
	if said, ok := strings.CutPrefix(line, AutomakeLog); ok {
		t.log.WriteString(said + "\n")
		return
	}
	for _, global := range []string{":global-test-result:", ":test-global-result:"} { // what is written, what is documented
		if r, ok := strings.CutPrefix(line, global); ok {
			t.global = strings.TrimSpace(r)
		}
	}
	for _, one := range []string{":test-result:", AutomakePart} {
		if r, ok := strings.CutPrefix(line, one); ok {
			word, rest, _ := strings.Cut(strings.TrimSpace(r), " ")
			t.results = append(t.results, makeResult{word, strings.TrimSpace(rest)})
		}
	}
}

// record adds the test and its parts. One without any result did not run to
// its end.
func (t *automakeTest) record(c *collector) {
	worst := automakeStatus(t.global)
	for _, r := range t.results {
		status := automakeStatus(r.word)
		if status == "" {
			status = bench.Error
		}
		if badness(status) > badness(worst) && t.global == "" {
			worst = status
		}
		if r.name != "" {
			c.add(bench.Test{ID: t.name + " " + r.name, Status: status})
		}
	}
	if worst == "" {
		worst = bench.Error
	}
	c.add(bench.Test{ID: t.name, Status: worst, Message: automakeMessage(worst, t.global, t.log.String())})
}

func automakeMessage(s bench.Status, global, log string) string {
	if s.OK() || s == bench.Skipped {
		return ""
	}
	return strings.TrimSpace("Automake's result: " + global + "\n" + programMessage(log))
}
