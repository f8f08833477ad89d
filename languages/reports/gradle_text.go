package reports

import (
	"strings"

	"assay/bench"
)

// readGradleText reads the lines that Gradle's testLogging prints,
// "x.C > method() PASSED", as the last resort where no XML is there. Only
// lines of that shape are tests: neither tasks (":compileJava UP-TO-DATE")
// nor totals ("3 tests completed, 1 failed").
func readGradleText(c *collector, data []byte) bool {
	c.quiet = true
	g := gradleText{collector: c}
	for line := range lines(data) {
		g.line(line)
	}
	g.flush()
	if !g.ended {
		g.complete = false
		g.note("the log ends before Gradle's result")
		if g.running != "" {
			g.died(g.running, "the log ends while this test was running")
		}
	}
	return len(c.tests) > 0 || g.task
}

type gradleText struct {
	*collector
	last    *bench.Test
	text    strings.Builder
	running string
	task    bool // a test task began
	ended   bool
}

func (g *gradleText) line(line string) {
	switch {
	case strings.HasPrefix(line, "BUILD SUCCESSFUL"), strings.HasPrefix(line, "BUILD FAILED"):
		g.ended = true
	case strings.HasPrefix(line, "> Task :"), strings.HasPrefix(line, ":") && !strings.Contains(line, " > "):
		g.task = g.task || strings.Contains(strings.ToLower(line), "test")
		g.flush()
	case g.test(line):
	case g.last != nil && strings.HasPrefix(line, " "):
		if g.text.Len() < textLimit {
			g.text.WriteString(line + "\n")
		}
	}
}

// test reads a line of a test. Text that the JVM prints may be glued to its
// end ("PASSEDPicked up JAVA_TOOL_OPTIONS").
func (g *gradleText) test(line string) bool {
	class, rest, ok := strings.Cut(line, " > ")
	if !ok || !javaClass(class) {
		return false
	}
	name, status, ok := gradleStatus(rest)
	if !ok {
		return false
	}
	g.flush()
	id := gradleID(class, name)
	if status == "" {
		g.running = id
		return true
	}
	if g.running == id {
		g.running = ""
	}
	if id == class && status == bench.Failed {
		status = bench.Error
	}
	g.last = &bench.Test{ID: id, Status: status}
	return true
}

func gradleStatus(rest string) (name string, status bench.Status, ok bool) {
	words := []struct {
		text   string
		status bench.Status
	}{{" PASSED", bench.Passed}, {" FAILED", bench.Failed}, {" SKIPPED", bench.Skipped}, {" STARTED", ""}}
	for _, w := range words {
		if i := strings.LastIndex(rest, w.text); i > 0 && gluedTail(rest[i+len(w.text):]) {
			return rest[:i], w.status, true
		}
	}
	return "", "", false
}

// gluedTail reports whether s may follow a status: nothing, a time, or what
// the JVM reports when it starts.
func gluedTail(s string) bool {
	return s == "" || strings.HasPrefix(s, " (") && strings.HasSuffix(s, ")") ||
		strings.HasPrefix(s, "Picked up ") || strings.HasPrefix(s, "OpenJDK ")
}

// gradleID is the id of "method()", of "method(int) > [1] 1" (parameterized,
// from Gradle 5 on), or of "Inner > method()" with display names.
func gradleID(class, name string) string {
	if classLevel(class, name) {
		return class
	}
	parts := strings.Split(name, " > ")
	last := parts[len(parts)-1]
	if len(parts) > 1 && strings.HasPrefix(last, "[") {
		index, _, _ := strings.Cut(last, "]")
		last = javaMethod(parts[len(parts)-2]) + index + "]"
		parts = parts[:len(parts)-1]
	}
	parts[len(parts)-1] = ""
	return javaID(strings.TrimSuffix(class+"$"+strings.Join(parts, "$"), "$"), last)
}

func (g *gradleText) flush() {
	if g.last != nil {
		g.last.Message = g.text.String()
		g.add(*g.last)
		g.last = nil
	}
	g.text.Reset()
}
