package reports

import (
	"strconv"
	"strings"

	"assay/bench"
)

// ctestText reads ctest's console, with or without -V, --output-on-failure
// and -j. Names come from the "Start" lines, which hold them whole; result
// lines are matched to them by number. Tests can print such lines as well, so
// nothing that was read is taken back by what follows, and the end is trusted
// only when every test that began has a result.
type ctestText struct {
	*collector
	runs  map[string]*ctestRun // by number, of this run of ctest
	order []string             // numbers in the order of starting
	total string               // "26" of " 3/26", from the first result
	seen  bool
	ended bool
}

// ctestRun is one test of a run of ctest.
type ctestRun struct {
	bench.Test
	listed  bool // among the failures at the end
	retried bool // a later attempt under --repeat passed
}

func readCTestText(c *collector, data []byte) bool {
	c.quiet = true
	t := ctestText{collector: c, runs: map[string]*ctestRun{}}
	for line := range lines(data) {
		t.line(line)
	}
	t.finish()
	return t.seen
}

func (t *ctestText) line(line string) {
	switch trimmed := strings.TrimLeft(line, " "); {
	case strings.HasPrefix(line, "Test project /"):
		t.finish()
		t.seen, t.ended = true, false
		t.runs, t.order, t.total = map[string]*ctestRun{}, nil, ""
	case !t.seen:
	case line == "No tests were found!!!":
		t.ended = true
	case strings.Contains(line, "% tests passed, ") && strings.Contains(line, " failed out of "):
		t.ended = true
	case t.ended && strings.HasPrefix(line, "\t"):
		t.closing(line)
	case strings.HasPrefix(trimmed, "Start "):
		t.start(trimmed[len("Start "):])
	default:
		t.result(trimmed)
	}
}

// start reads "  3: name".
func (t *ctestText) start(s string) {
	number, name, ok := strings.Cut(strings.TrimLeft(s, " "), ": ")
	if !ok || !digits(number) || t.runs[number] != nil {
		return
	}
	t.runs[number] = &ctestRun{Test: bench.Test{ID: name}}
	t.order = append(t.order, number)
}

// result reads " 3/26 Test  #3: name ....***Failed    0.01 sec". Further
// attempts under --repeat lack the "3/26".
func (t *ctestText) result(s string) {
	number, rest, total, ok := ctestNumber(s)
	run := t.runs[number]
	if !ok || run == nil {
		return
	}
	again := total == ""
	if t.total == "" {
		t.total = total
	} else if !again && total != t.total {
		return // of another run of ctest, or printed to look like one
	}
	rest, ok = strings.CutPrefix(rest, run.ID)
	if !ok {
		return // another test's name after this number: printed by a test
	}
	status, reason, took, ok := ctestVerdict(rest)
	if !ok {
		return
	}
	run.retried = again && status == bench.Passed
	if badness(status) > badness(run.Status) {
		run.Status, run.Message = status, reason
	}
	run.Seconds += took
}

// ctestNumber splits "3/26 Test #3: rest"; total is "" where there is none.
func ctestNumber(s string) (number, rest, total string, ok bool) {
	at, tail := cutNumber(s)
	if at != "" {
		if tail, ok = strings.CutPrefix(tail, "/"); !ok {
			return "", "", "", false
		}
		total, tail = cutNumber(tail)
		tail = strings.TrimPrefix(tail, " ")
	}
	if tail, ok = strings.CutPrefix(tail, "Test "); !ok {
		return "", "", "", false
	}
	if tail, ok = strings.CutPrefix(strings.TrimLeft(tail, " "), "#"); !ok {
		return "", "", "", false
	}
	number, tail = cutNumber(tail)
	rest, ok = strings.CutPrefix(tail, ": ")
	return number, rest, total, ok
}

// ctestVerdict reads what follows the name: dots, the status in one of its
// forms, the time. The reason of a regular expression may run over the line's
// end, and the time with it.
func ctestVerdict(s string) (status bench.Status, reason string, took float64, ok bool) {
	body := strings.TrimRight(strings.TrimLeft(s, " ."), " ")
	if timed, found := strings.CutSuffix(body, " sec"); found {
		i := strings.LastIndexByte(timed, ' ')
		took, body = seconds(timed[i+1:]), strings.TrimSpace(timed[:max(i, 0)])
		if body == "Passed" {
			return bench.Passed, "", took, true
		}
	}
	before, after, starred := strings.Cut(body, "***")
	if !starred {
		return "", "", 0, false
	}
	reason = strings.TrimSpace(strings.Trim(before+" "+after, " :"))
	switch {
	case after == "Skipped", after == "Not Run (Disabled)":
		return bench.Skipped, reason, took, true
	case strings.HasPrefix(after, "Not Run"):
		return bench.Error, reason, took, true
	}
	return ctestFailure(reason), reason, took, true
}

// closing reads a line of the closing lists, "	  2 - name (Failed)": they
// confirm failures whose own line was lost in what a test printed.
func (t *ctestText) closing(line string) {
	number, rest := cutNumber(strings.TrimLeft(line, "\t "))
	rest, ok := strings.CutPrefix(rest, " - ")
	run := t.runs[number]
	if !ok || run == nil {
		return
	}
	reason, ok := strings.CutPrefix(rest, run.ID+" (")
	if !ok {
		return
	}
	status := ctestFailure(strings.TrimSuffix(reason, ")"))
	if strings.HasPrefix(reason, "Skipped") || strings.HasPrefix(reason, "Disabled") {
		status = bench.Skipped
	}
	run.listed = run.listed || status != bench.Skipped
	if badness(status) > badness(run.Status) {
		run.Status, run.Message = status, strings.TrimSuffix(reason, ")")
	}
}

// finish records the tests of a run of ctest.
func (t *ctestText) finish() {
	if !t.seen {
		return
	}
	if !t.ended {
		t.complete = false
		t.note("the log ends before CTest's totals")
	}
	for _, number := range t.order {
		run := t.runs[number]
		switch {
		case run.Status == "" && t.ended && t.total != "" && len(t.order) > t.count():
			t.note("no result for %q, and more tests began than there are: printed by a test", run.ID)
			continue
		case run.Status == "":
			t.died(run.ID, "the log ends while this test was running")
			continue
		case run.retried && t.ended && !run.listed:
			run.Status, run.Message = bench.Passed, ""
		}
		t.add(run.Test)
	}
}

// count is the number of tests that this run of ctest has.
func (t *ctestText) count() int {
	n, err := strconv.Atoi(t.total)
	if err != nil {
		return 0
	}
	return n
}
