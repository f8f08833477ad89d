package reports

import (
	"maps"
	"slices"
	"strings"

	"assay/bench"
)

// mavenText reads the console of Surefire and Failsafe, 2.12 to 3.5. A class
// prints "Running x", then the output of its tests, then its totals, then its
// failing methods (with reportFormat plain, all methods). Methods are trusted
// only after totals, and totals only of a class that is running, with the
// prefix that this log's own lines have.
type mavenText struct {
	*collector
	prefixed bool            // [INFO] is before Surefire's lines
	running  map[string]bool // classes without totals
	last     string          // the class that began last
	block    *mavenBlock
	section  mavenSection
	sum, all int // tests by class totals, and by the final line
	results  bool
	tests    bool // "T E S T S" was seen
}

type mavenSection int

const (
	mavenElsewhere mavenSection = iota
	mavenTests
	mavenResults
	mavenCrashed
)

// mavenBlock is what follows a class's totals.
type mavenBlock struct {
	class   string
	total   mavenTotals
	methods []bench.Test
	text    strings.Builder // of the last method
	open    bool            // text still belongs to the last method
}

type mavenTotals struct{ run, failures, errors, skipped int }

func readMavenText(c *collector, data []byte) bool {
	c.quiet = true
	m := mavenText{collector: c, running: map[string]bool{}}
	for line := range lines(data) {
		m.line(line)
	}
	m.endBlock()
	m.finish()
	return m.tests
}

func (m *mavenText) line(line string) {
	text, level := mavenLevel(line)
	switch {
	case strings.TrimSpace(text) == "T E S T S":
		m.tests, m.prefixed = true, level != ""
		m.section, m.results = mavenTests, false
	case !m.tests:
	case m.section == mavenCrashed && (javaClass(text) || strings.HasPrefix(text, "org.apache.")):
		m.crashed(text)
	case strings.HasPrefix(text, "Crashed tests:"):
		m.section = mavenCrashed
	case m.section == mavenTests:
		m.test(line, text, level)
	case m.section == mavenResults:
		if t, ok := parseTotals(text); ok {
			m.all += t.run
		}
	}
}

func mavenLevel(line string) (text, level string) {
	for _, level := range []string{"[INFO] ", "[ERROR] ", "[WARNING] "} {
		if text, ok := strings.CutPrefix(line, level); ok {
			return text, level
		}
	}
	return line, ""
}

func (m *mavenText) test(line, text, level string) {
	if text == "Results:" || text == "Results :" {
		if (level != "") == m.prefixed {
			m.endBlock()
			m.section, m.results = mavenResults, true
		}
		return
	}
	if m.prefixed && level == "" {
		// A test that printed no line end is before the level.
		if i := max(strings.LastIndex(line, "[INFO] "), strings.LastIndex(line, "[ERROR] "), strings.LastIndex(line, "[WARNING] ")); i > 0 {
			text, level = mavenLevel(line[i:])
		}
	}
	if m.prefixed && level == "" {
		m.body(line)
		return
	}
	if class, ok := strings.CutPrefix(text, "Running "); ok && javaClass(class) {
		m.endBlock()
		m.running[class], m.last = true, class
		return
	}
	if t, ok := parseTotals(text); ok {
		m.totals(t, text)
		return
	}
	if m.block == nil || !m.block.method(text) {
		m.body(line)
	}
}

func (m *mavenText) body(line string) {
	if m.block != nil {
		m.block.trace(line)
	}
}

// totals opens a class's block. From 2.19 on the line names the class;
// before, it is the one that runs, and a second line for it replaces what a
// test had printed to look like the first.
func (m *mavenText) totals(t mavenTotals, text string) {
	class := ""
	if i := strings.LastIndex(text, " in "); i >= 0 && javaClass(text[i+4:]) {
		class = text[i+4:]
	}
	switch {
	case class == "" && m.prefixed:
		return
	case class == "" && m.block != nil && len(m.running) == 0:
		class = m.block.class
		m.sum -= m.block.total.run
		t = m.block.total.worse(t)
		m.block = nil
	case class == "" && m.running[m.last]:
		class = m.last
	}
	if class == "" || m.prefixed && !m.running[class] {
		return // totals of a class that never began: printed by a test
	}
	delete(m.running, class)
	m.endBlock()
	m.sum += t.run
	m.block = &mavenBlock{class: class, total: t}
}

func (t mavenTotals) worse(u mavenTotals) mavenTotals {
	return mavenTotals{u.run, max(t.failures, u.failures), max(t.errors, u.errors), max(t.skipped, u.skipped)}
}

// endBlock records a class and its methods.
func (m *mavenText) endBlock() {
	b := m.block
	m.block = nil
	if b == nil {
		return
	}
	b.endText()
	for _, t := range b.methods {
		m.add(t)
	}
	if status := b.total.status(); status != "" {
		m.add(bench.Test{ID: b.class, Status: status})
	}
}

// status of a class by its totals. A class whose tests all are in nested
// classes says 0: nothing is known of it.
func (t mavenTotals) status() bench.Status {
	switch {
	case t.errors > 0:
		return bench.Error
	case t.failures > 0:
		return bench.Failed
	case t.run == 0:
		return ""
	case t.run == t.skipped:
		return bench.Skipped
	}
	return bench.Passed
}

// crashed reads the names after "Crashed tests:".
func (m *mavenText) crashed(class string) {
	if !javaClass(class) || strings.HasPrefix(class, "org.apache.maven.") {
		m.section = mavenResults
		return
	}
	m.died(class, "the forked VM died while this class was running")
	delete(m.running, class)
}

func (m *mavenText) finish() {
	if !m.results {
		m.complete = false
		m.note("the log ends before Maven's results")
		for _, class := range slices.Sorted(maps.Keys(m.running)) {
			m.died(class, "the log ends while this class was running")
		}
		return
	}
	for _, class := range slices.Sorted(maps.Keys(m.running)) {
		m.note("%s began and has no totals", class)
	}
	if m.all > 0 && m.all != m.sum {
		m.note("classes add up to %d tests, Maven counts %d: output is interleaved or forged", m.sum, m.all)
	}
}
