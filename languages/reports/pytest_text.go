package reports

import (
	"strings"

	"assay/bench"
)

// pytestText reads pytest's console output: the lines of -v while tests run
// and the short test summary that -rA completes.
type pytestText struct {
	*collector
	part    pytestPart
	pending string         // id whose -v line has no status yet
	blocks  [][]bench.Test // of each summary of this session, what ended well
	width   int            // of the lines of "=" in this session; 0 unknown
	nested  int            // sessions within a test's output
	ended   bool
	noted   map[string]bool
}

type pytestPart int

const (
	pytestProgress pytestPart = iota // tests run; -v lines
	pytestDetails                    // tracebacks and captured output
	pytestSummary                    // short test summary info
	pytestAfter                      // after the closing count
)

func readPytestText(c *collector, data []byte) bool {
	c.quiet = true
	p := pytestText{collector: c, noted: map[string]bool{}}
	for line := range lines(data) {
		p.line(line)
	}
	found := len(p.blocks) > 0
	p.flush()
	if !p.ended {
		p.complete = false
		if p.pending != "" {
			p.note("the run ended while %s was running", p.pending)
			p.died(p.pending, "the process died while this test was running")
		}
	}
	return found || p.ended || len(p.tests) > 0
}

// flush records what the summary calls good. Where printed text forged a
// second one, before or after the true one, only what all agree on counts.
func (p *pytestText) flush() {
	agree := map[string]int{}
	for _, block := range p.blocks {
		seen := map[string]bool{}
		for _, t := range block {
			if !seen[t.ID] {
				seen[t.ID] = true
				agree[t.ID]++
			}
		}
	}
	if len(p.blocks) > 1 {
		p.note("%d summaries in one session: output is forged; only what all of them say passed counts", len(p.blocks))
	}
	for _, block := range p.blocks {
		for _, t := range block {
			if agree[t.ID] == len(p.blocks) {
				p.add(t)
			}
		}
	}
	p.blocks = nil
}

func (p *pytestText) line(line string) {
	if title, ok := ruled(line); ok && p.heading(title, len(line)) {
		return
	}
	if p.nested > 0 {
		return
	}
	switch p.part {
	case pytestProgress:
		p.progress(line)
	case pytestSummary:
		p.summary(line)
	}
	if p.part != pytestAfter && closingCount(line) {
		p.closed()
	}
}

// heading enters the part that a line of "=" announces and reports whether it
// does. All of pytest's are as wide as the first; what a test prints, a whole
// session of pytest perhaps, is recognised by its width and its place.
func (p *pytestText) heading(title string, width int) bool {
	if title == "test session starts" {
		p.session(width)
		return true
	}
	if closingCount(title) {
		p.closed()
		return true
	}
	if p.width != 0 && width != p.width {
		return false
	}
	switch title {
	case "short test summary info":
		if p.nested == 0 {
			p.part = pytestSummary
			p.blocks = append(p.blocks, nil)
		}
	case "ERRORS", "FAILURES", "PASSES", "XPASSES", "XFAILURES", "warnings summary":
		if p.nested == 0 {
			p.part = pytestDetails
		}
	default:
		return false
	}
	return true
}

// session begins a session, or one within a test's output where the last
// has not ended.
func (p *pytestText) session(width int) {
	if p.width != 0 && !p.ended {
		p.nested++
		return
	}
	p.flush()
	p.part, p.ended, p.width = pytestProgress, false, width
}

func (p *pytestText) closed() {
	if p.nested > 0 {
		p.nested--
		return
	}
	p.part, p.ended = pytestAfter, true
}

// ruled returns the title of a line such as "=== title ===".
func ruled(line string) (string, bool) {
	if !strings.HasPrefix(line, "= ") && !strings.HasPrefix(line, "==") {
		return "", false
	}
	title := strings.Trim(line, "=")
	trimmed := strings.TrimSpace(title)
	return trimmed, trimmed != "" && len(title) > len(trimmed)+1
}

// closingCount recognises "8 failed, 18 passed in 1.05s", with or without
// the time of day in brackets.
func closingCount(s string) bool {
	i := strings.LastIndex(s, " in ")
	if i < 0 {
		return false
	}
	number, rest := cutNumber(s[i+4:])
	if number == "" || !strings.HasPrefix(rest, ".") {
		return false
	}
	_, rest = cutNumber(rest[1:])
	if !strings.HasPrefix(rest, "s") && !strings.HasPrefix(rest, " seconds") {
		return false
	}
	return strings.HasPrefix(s, "no tests ran") || countList(s[:i])
}

// countList recognises "8 failed, 18 passed".
func countList(s string) bool {
	for item := range strings.SplitSeq(s, ", ") {
		number, word, ok := strings.Cut(item, " ")
		if !ok || !digits(number) {
			return false
		}
		switch strings.TrimSuffix(word, "s") {
		case "failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "warning", "error", "rerun",
			"subtest passed", "subtests passed", "subtests failed", "subtest failed", "subtests skipped":
		default:
			return false
		}
	}
	return true
}

// progress reads a line of -v: "id STATUS [ 3%]" or, from xdist,
// "[gw0] [ 3%] STATUS id".
func (p *pytestText) progress(line string) {
	if strings.HasPrefix(line, "Fatal Python error") {
		p.complete = false
		p.note("%s", line)
	}
	if strings.HasPrefix(line, "[gw") {
		p.worker(line)
		return
	}
	text := trimPercent(line)
	if id, word, ok := trailingStatus(text); ok {
		p.verbose(id, word)
		return
	}
	if status, known := pytestStatus(strings.TrimSpace(text)); known && p.pending != "" {
		p.result(p.pending, status, "")
		p.pending = ""
		return
	}
	if id := leadingID(line); id != "" {
		p.pending = id
	}
}

// worker reads xdist's form; a line without a status announces a test.
func (p *pytestText) worker(line string) {
	_, rest, ok := strings.Cut(line, "] ")
	if !ok {
		return
	}
	if strings.HasPrefix(rest, "[") {
		if _, rest, ok = strings.Cut(rest, "] "); !ok {
			return
		}
	}
	word, id, _ := strings.Cut(rest, " ")
	if sub, ok := subFailure(rest); ok {
		word, id = "SUBFAILED", sub
	}
	if status, known := pytestStatus(word); known && isNodeID(id) {
		p.result(strings.TrimRight(id, " "), status, "")
	}
}

func (p *pytestText) verbose(id, word string) {
	status, _ := pytestStatus(word)
	if strings.HasPrefix(word, "SUBFAIL") {
		id = leadingID(id) // "id (i=1) SUBFAIL", of pytest-subtests
	}
	if p.pending != "" && !isNodeID(id) {
		id = p.pending // what the test printed is before its status
	} else if p.pending != "" && strings.HasPrefix(id, p.pending+" ") {
		id = p.pending
	}
	if !isNodeID(id) {
		return
	}
	p.pending = ""
	p.result(id, status, "")
}

func (p *pytestText) result(id string, status bench.Status, text string) {
	p.add(bench.Test{ID: id, Status: status, Message: text})
}

// summary reads a line of the short test summary.
func (p *pytestText) summary(line string) {
	word, rest, ok := strings.Cut(line, " ")
	if strings.HasPrefix(line, "!!!") {
		p.stopped(strings.Trim(line, "! "))
		return
	}
	if sub, failed := subFailure(line); failed {
		word, rest, ok = "SUBFAILED", sub, true
	}
	status, known := pytestStatus(word)
	if !ok || !known {
		return
	}
	if status == bench.Skipped {
		p.folded()
		return
	}
	id, text := rest, ""
	if status != bench.Passed { // which never has a reason
		id, text = splitReason(rest)
	}
	for _, when := range []string{"at setup of ", "at teardown of "} {
		id = strings.TrimPrefix(id, when)
	}
	id = strings.TrimRight(id, " ")
	t := bench.Test{ID: id, Status: status, Message: text}
	if workerCrash(text) {
		p.lost(id, text)
	}
	if status.OK() {
		p.blocks[len(p.blocks)-1] = append(p.blocks[len(p.blocks)-1], t)
		return
	}
	p.add(t)
}

func (p *pytestText) folded() {
	if !p.noted["skip"] {
		p.noted["skip"] = true
		p.note("the summary folds skipped tests by their place and does not name them")
	}
}

func (p *pytestText) stopped(why string) {
	p.note("pytest stopped: %s", why)
	if strings.Contains(why, "KeyboardInterrupt") || strings.Contains(why, "Exit") {
		p.complete = false
	}
}
