package reports

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// collector gathers the tests of one report, each id once.
type collector struct {
	tests    []bench.Test
	index    map[string]int
	notes    []string
	complete bool
	running  string
	quiet    bool // an id that comes again is nothing odd
	twice    []string
	shadowed []string
	drifted  []string
}

func newCollector() *collector { return &collector{index: map[string]int{}, complete: true} }

// add records a test. Of an id that comes again the worst status counts, with
// the message that goes with it.
func (c *collector) add(t bench.Test) {
	t.ID = strings.ToValidUTF8(t.ID, "\uFFFD")
	t.Message = message(t.Message)
	i, seen := c.index[t.ID]
	if !seen {
		c.index[t.ID] = len(c.tests)
		c.tests = append(c.tests, t)
		return
	}
	if !c.quiet && !slices.Contains(c.twice[:min(len(c.twice), 3)], t.ID) {
		c.twice = append(c.twice, t.ID)
	}
	old := &c.tests[i]
	if badness(t.Status) > badness(old.Status) {
		old.Status, old.Message = t.Status, t.Message
	} else if old.Message == "" && old.Status == t.Status {
		old.Message = t.Message
	}
	old.Seconds += t.Seconds
	if old.File == "" {
		old.File = t.File
	}
}

func (c *collector) has(id string) bool { _, ok := c.index[id]; return ok }

// status returns what is known of an id so far, or "".
func (c *collector) status(id string) bench.Status {
	if i, ok := c.index[id]; ok {
		return c.tests[i].Status
	}
	return ""
}

// died records that the run ended while id was running.
func (c *collector) died(id, why string) {
	c.complete = false
	if id == "" {
		return
	}
	if c.running == "" {
		c.running = id
	}
	quiet := c.quiet
	c.quiet = true
	c.add(bench.Test{ID: id, Status: bench.Error, Message: why})
	c.quiet = quiet
}

// lost records that a worker process died while running id. The runner
// continued, so the report is still complete.
func (c *collector) lost(id, why string) {
	complete := c.complete
	c.note("a worker process died while running %s", id)
	c.died(id, why)
	c.complete = complete
}

func (c *collector) note(format string, args ...any) {
	c.notes = append(c.notes, strings.ToValidUTF8(fmt.Sprintf(format, args...), "\uFFFD"))
}

func (c *collector) cut(what string) {
	c.complete = false
	c.note("%s is cut: the process was killed or the disk was full", what)
}

func (c *collector) report() Report {
	if n := len(c.twice); n > 0 {
		c.note("%d results for ids already seen, the worst counts: %s", n, strings.Join(c.twice[:min(n, 3)], ", "))
	}
	tests := c.tests
	slices.SortFunc(tests, func(a, b bench.Test) int { return strings.Compare(a.ID, b.ID) })
	return Report{Tests: tests, Notes: c.notes, Complete: c.complete, Running: c.running, Shadowed: c.shadowed, Drifted: c.drifted}
}

// badness orders statuses: the higher, the worse.
func badness(s bench.Status) int {
	switch s {
	case bench.Passed:
		return 1
	case bench.XFail:
		return 2
	case bench.XPass:
		return 3
	case bench.Skipped:
		return 4
	case bench.Missing:
		return 5
	case bench.Failed:
		return 6
	case bench.Error:
		return 7
	}
	return 0
}

// Limits of a message: enough to see what failed, little enough to keep for
// every test of every run.
const (
	messageLines = 20
	messageBytes = 2048
)

// message cuts a failure's text to its first lines and cleans it of colours
// and of bytes that JSON cannot hold.
func message(s string) string {
	if len(s) > 8*messageBytes {
		s = s[:8*messageBytes]
	}
	s = strings.ToValidUTF8(string(stripANSI([]byte(s))), "\uFFFD")
	s = strings.Map(printable, strings.Trim(s, " \t\r\n"))
	lines := strings.SplitAfterN(s, "\n", messageLines+1)
	if len(lines) > messageLines {
		s = strings.Join(lines[:messageLines], "")
	}
	if len(s) > messageBytes {
		s = strings.ToValidUTF8(s[:messageBytes], "")
	}
	return strings.TrimRight(s, " \t\r\n")
}

func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' {
		return -1
	}
	return r
}
