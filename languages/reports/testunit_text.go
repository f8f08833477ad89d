package reports

import (
	"strings"

	"assay/bench"
)

// readTestUnit reads Ruby's Test::Unit with -v: under the line of each class
// "  test_x:<tab>.: (0.01)". Published ids are the tests' names alone.
func readTestUnit(c *collector, data []byte) bool {
	p := newPrinted(c)
	message, pending := false, "" // a test that printed before its result
	for line := range lines(data) {
		if strings.HasPrefix(line, "=====") {
			message = !message
			continue
		}
		if message || p.rubyCount(line) {
			continue
		}
		name, mark, ok := strings.Cut(line, ":\t")
		switch {
		case ok && strings.HasPrefix(line, " "):
			pending = strings.TrimPrefix(strings.TrimSpace(name), "test: ")
		case pending != "" && strings.Contains(line, ": ("):
			mark = line
		default:
			continue
		}
		if status := rubyMark(strings.TrimLeft(mark, "\t ")); status != "" {
			p.result(pending, status)
			pending = ""
		}
	}
	return p.finish() && p.closed
}

func rubyMark(mark string) bench.Status {
	mark, _, _ = strings.Cut(mark, ":")
	switch mark {
	case ".":
		return bench.Passed
	case "F":
		return bench.Failed
	case "E":
		return bench.Error
	case "O", "P", "N":
		return bench.Skipped
	}
	return ""
}
