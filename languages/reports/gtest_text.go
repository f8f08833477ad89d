package reports

import (
	"slices"
	"strings"

	"assay/bench"
)

// gtestText reads GoogleTest's console output, of one binary or of several in
// turn. A result is trusted only for the test that runs, so that a test
// cannot print one for another; a failure is trusted for any that ran.
type gtestText struct {
	*collector
	running string
	ran     map[string]bool
	broken  map[string]string // suites whose set-up or tear-down failed
	text    strings.Builder   // what the running test printed
	open    int               // programs that began and did not end
	seen    bool
}

func readGTestText(c *collector, data []byte) bool {
	c.quiet = true
	g := gtestText{collector: c, ran: map[string]bool{}, broken: map[string]string{}}
	for line := range lines(data) {
		g.line(line)
	}
	g.abandon()
	g.fixtures()
	if g.open > 0 {
		g.complete = false
		g.note("the program did not reach its end")
	}
	return g.seen
}

func (g *gtestText) line(line string) {
	if rest, ok := strings.CutPrefix(line, "[==========] "); ok {
		g.program(rest)
		return
	}
	if rest, ok := strings.CutPrefix(line, "[ RUN      ] "); ok {
		g.abandon()
		g.seen = true
		g.running = gtestName(rest)
		g.ran[g.running] = true
		return
	}
	for _, mark := range gtestMarks() {
		i := strings.Index(line, mark.text)
		if i < 0 {
			continue
		}
		if g.result(mark.status, line[i+len(mark.text):], line[:i]) {
			return
		}
	}
	if g.running != "" && g.text.Len() < textLimit {
		g.text.WriteString(line + "\n")
	}
}

type gtestMark struct {
	text   string
	status bench.Status
}

func gtestMarks() [4]gtestMark {
	return [4]gtestMark{
		{"[       OK ] ", bench.Passed},
		{"[  FAILED  ] ", bench.Failed},
		{"[  SKIPPED ] ", bench.Skipped},
		{"[ DISABLED ] ", bench.Missing},
	}
}

// program counts beginnings and ends of test programs. One that begins while
// another has not ended follows one that died.
func (g *gtestText) program(rest string) {
	g.seen = true
	switch {
	case strings.HasPrefix(rest, "Running "):
		g.abandon()
		g.open++
	case strings.Contains(rest, " ran."):
		g.abandon()
		g.open = max(0, g.open-1)
	}
}

// result reads what follows a mark and reports whether it was a test's end.
func (g *gtestText) result(status bench.Status, rest, before string) bool {
	if suite, ok := strings.CutSuffix(rest, ": SetUpTestSuite or TearDownTestSuite"); ok && status == bench.Failed && before == "" {
		g.broken[suite] = rest
		return true
	}
	name := gtestName(rest)
	switch {
	case status == bench.Missing: // disabled tests are listed, never run
		if before == "" && strings.Contains(name, "DISABLED_") {
			g.add(bench.Test{ID: name, Status: bench.Skipped})
			return true
		}
		return false
	case name == g.running && name != "":
		g.text.WriteString(before)
		t := bench.Test{ID: name, Status: status}
		if status != bench.Passed {
			t.Message = g.text.String()
		}
		g.add(t)
		g.running = ""
		g.text.Reset()
		return true
	case status == bench.Failed && g.ran[name]:
		g.add(bench.Test{ID: name, Status: status})
		return true
	}
	return false
}

// fixtures records the suites whose set-up or tear-down failed. From 1.12 on
// GoogleTest says about the tests that it then does not run that they
// skipped.
func (g *gtestText) fixtures() {
	for _, t := range slices.Clone(g.tests) {
		suite, _, _ := strings.Cut(t.ID, ".")
		if why, ok := g.broken[suite]; ok && t.Status == bench.Skipped && g.ran[t.ID] {
			g.add(bench.Test{ID: t.ID, Status: bench.Error, Message: why})
		}
	}
	for suite, why := range g.broken { // the order is lost in sorting by id
		g.add(bench.Test{ID: suite, Status: bench.Error, Message: why})
	}
}

// abandon closes a test that ran and has no end: the process died in it.
func (g *gtestText) abandon() {
	if g.running != "" {
		g.note("the process died while %s was running", g.running)
		g.died(g.running, "the process died while this test was running\n"+g.text.String())
	}
	g.running = ""
	g.text.Reset()
}

// gtestName cuts "(3 ms)" and ", where GetParam() = 2" off: names hold
// neither blanks nor commas.
func gtestName(s string) string {
	if i := strings.IndexAny(s, " ,"); i >= 0 {
		s = s[:i]
	}
	return s
}
