package reports

import (
	"strings"

	"assay/bench"
)

// readMavenRuns reads the output of several Maven runs of one test each, with
// the shell's trace of their command lines: "+ mvn test -Dtest=X", and after
// some pages "[INFO] BUILD SUCCESS". Without such command lines it is read as
// one run, by what Surefire prints.
func readMavenRuns(c *collector, data []byte) bool {
	m := mavenRuns{printed: newPrinted(c)}
	for line := range lines(data) {
		m.line(line)
	}
	if m.runs == 0 {
		*c = *newCollector()
		return readMavenText(c, data)
	}
	if m.runs != m.builds {
		m.complete = false
		m.note("%d runs of Maven, %d results", m.runs, m.builds)
	}
	for _, test := range m.waiting {
		m.died(test, "Maven did not come to an end")
	}
	m.count(m.named.passed, m.named.failed)
	return m.finish()
}

type mavenRuns struct {
	printed
	waiting      []string // tests whose run has no result yet
	runs, builds int
	ruled        bool // the line before was a ruler, as Maven has around its result
}

func (m *mavenRuns) line(line string) {
	result, info := strings.CutPrefix(line, "[INFO] BUILD ")
	switch {
	case strings.HasPrefix(line, "+") && strings.Contains(line, "mvn") && strings.Contains(line, " -Dtest="):
		_, rest, _ := strings.Cut(line, " -Dtest=")
		test, _, _ := strings.Cut(rest, " ")
		m.waiting = append(m.waiting, strings.Trim(test, `'"`))
		m.runs++
	case info && m.ruled:
		m.build(result)
	}
	m.ruled = strings.HasPrefix(line, "[INFO] ------------------------")
}

// build gives the oldest run that has none its result.
func (m *mavenRuns) build(result string) {
	m.builds++
	if len(m.waiting) == 0 {
		return
	}
	status := bench.Failed
	if result == "SUCCESS" {
		status = bench.Passed
	}
	m.result(m.waiting[0], status)
	m.waiting = m.waiting[1:]
}
