package reports

import (
	"bytes"
	"encoding/json"

	"assay/bench"
)

// pytestEvent is one line of the report that the plugin and the runner write.
type pytestEvent struct {
	Event   string  `json:"ev"` // session, collect, collecterror, title, start, phase, end, unmatched, finish
	ID      string  `json:"id"`
	When    string  `json:"when"`    // setup, call, teardown; ??? for a crashed xdist worker
	Outcome string  `json:"outcome"` // passed, failed, skipped, rerun
	XFail   bool    `json:"xfail"`   // marked as expected to fail
	Sub     bool    `json:"sub"`     // of a sub-test
	Seconds float64 `json:"seconds"`
	Message string  `json:"msg"`
	Exit    int     `json:"exit"`
	Title   string  `json:"title"` // of a title: what unittest prints before a test's result
}

// jsonRun is what is known of the tests of a JSON Lines report so far.
type jsonRun struct {
	*collector
	order    []string
	tests    map[string]*jsonTest
	finished bool
	lines    int
}

type jsonTest struct {
	bench.Test
	started, ended bool
	skipped        string // why a sub-test was skipped
}

func readPytestJSON(c *collector, data []byte) bool {
	c.quiet = true
	run := jsonRun{collector: c, tests: map[string]*jsonTest{}}
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		data = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var ev pytestEvent
		if err := json.Unmarshal(line, &ev); err != nil || ev.Event == "" {
			if whole {
				c.note("line %d of the report is no event", run.lines+1)
			}
			continue
		}
		run.lines++
		run.event(ev)
	}
	if run.lines == 0 {
		return false
	}
	run.close()
	return true
}

func (r *jsonRun) event(ev pytestEvent) {
	switch ev.Event {
	case "collecterror":
		status := bench.Error
		if ev.Outcome == "skipped" {
			status = bench.Skipped
		}
		r.add(bench.Test{ID: ev.ID, Status: status, Message: ev.Message})
	case "title":
		r.test(ev.ID).Alias = ev.Title
	case "start":
		t := r.test(ev.ID)
		t.started, t.ended = true, false
	case "phase":
		r.phase(r.test(ev.ID), ev)
	case "end":
		t := r.test(ev.ID)
		t.ended = true
		t.Seconds += ev.Seconds
	case "shadow":
		r.shadowed = append(r.shadowed, ev.ID)
	case "drift":
		r.drifted = append(r.drifted, ev.ID)
	case "unmatched":
		r.note("selected, and not found: %s", ev.ID)
	case "finish":
		r.finished = true
	}
}

func (r *jsonRun) test(id string) *jsonTest {
	t := r.tests[id]
	if t == nil {
		t = &jsonTest{Test: bench.Test{ID: id}}
		r.tests[id] = t
		r.order = append(r.order, id)
	}
	return t
}

// phase combines a phase's outcome with what is known about its test.
func (r *jsonRun) phase(t *jsonTest, ev pytestEvent) {
	t.Seconds += ev.Seconds
	status := phaseStatus(ev)
	if ev.Sub && ev.Outcome == "skipped" && !ev.XFail {
		t.skipped = "a sub-test was skipped: " + ev.Message
	}
	if ev.When == "???" && ev.Outcome == "failed" {
		t.ended = true
		r.lost(ev.ID, ev.Message)
	}
	if badness(status) > badness(t.Status) {
		t.Status, t.Message = status, ev.Message
	}
}

// phaseStatus is the status that a phase alone would give, "" for none: a
// set-up or tear-down that passes decides nothing, and neither does a
// sub-test that does not fail.
func phaseStatus(ev pytestEvent) bench.Status {
	switch {
	case ev.Outcome == "failed" && ev.When == "call":
		return bench.Failed
	case ev.Outcome == "failed":
		return bench.Error
	case ev.Sub:
		return ""
	case ev.Outcome == "skipped" && ev.XFail:
		return bench.XFail
	case ev.Outcome == "skipped":
		return bench.Skipped
	case ev.Outcome == "passed" && ev.When == "call" && ev.XFail:
		return bench.XPass
	case ev.Outcome == "passed" && ev.When == "call":
		return bench.Passed
	}
	return ""
}

// close turns what is known into tests. A test without an end was running
// when the process died.
func (r *jsonRun) close() {
	for _, id := range r.order {
		t := r.tests[id]
		switch {
		case t.started && !t.ended:
			r.died(id, "the process died while this test was running")
		case t.Status == "" && t.skipped != "":
			// unittest prints nothing further about a test after a sub-test
			// was skipped.
			t.Status, t.Message = bench.Skipped, t.skipped
		case t.Status == "":
			t.Status, t.Message = bench.Error, "no result was reported"
		}
		if t.Status != "" {
			r.add(t.Test)
		}
	}
	if !r.finished {
		r.complete = false
		r.note("the run did not finish")
	}
}
