package reports

import (
	"strings"

	"assay/bench"
)

// readMinitest reads Minitest with -v: "Class#test = 0.01 s = .".
func readMinitest(c *collector, data []byte) bool {
	p := newPrinted(c)
	pending := "" // a test that printed before its result
	for line := range lines(data) {
		if p.rubyCount(line) {
			continue
		}
		head, mark, ok := cutLast(line, " = ")
		name, seconds, timed := cutLast(head, " = ")
		if ok && !timed {
			name, seconds = pending, head
		}
		if !ok || !strings.HasSuffix(seconds, " s") {
			continue
		}
		name, pending = minitestName(name)
		switch mark {
		case ".":
			p.result(name, bench.Passed)
		case "F":
			p.result(name, bench.Failed)
		case "E":
			p.result(name, bench.Error)
		case "S":
			p.result(name, bench.Skipped)
		}
	}
	return p.finish() && p.closed
}

// minitestName separates a test's name from what it printed after it, if that
// looks like a result. Names made of sentences end in a full stop, which
// published lists leave out.
func minitestName(text string) (name, pending string) {
	if i := strings.Index(text, " = "); i >= 0 && strings.Contains(text[i:], "#") {
		return text[:i], text[:i]
	}
	return strings.TrimSuffix(text, "."), ""
}

// rubyCount reads the closing lines of Minitest ("6 runs, 4 assertions, 1
// failures, 1 errors, 1 skips") and Test::Unit ("9 tests, 6 assertions, ...").
func (p *printed) rubyCount(line string) bool {
	total, rest := cutNumber(line)
	if total == "" || !strings.HasPrefix(rest, " runs, ") && !strings.HasPrefix(rest, " tests, ") {
		return false
	}
	passed, failed := atoi(total), 0
	for item := range strings.SplitSeq(rest, ", ") {
		number, what, _ := strings.Cut(item, " ")
		switch n := atoi(number); what {
		case "failures", "errors":
			passed, failed = passed-n, failed+n
		case "skips", "pendings", "omissions":
			passed -= n
		}
	}
	p.count(max(passed, 0), failed)
	return true
}
