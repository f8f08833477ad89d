package reports

import (
	"strings"

	"assay/bench"
)

// cargoText reads cargo test: for every program a line of how many tests it
// runs, a line per test, and its result.
type cargoText struct {
	printed
	inTests bool
	open    int // programs that began and did not end
}

func readCargo(c *collector, data []byte) bool {
	t := cargoText{printed: newPrinted(c)}
	for line := range lines(data) {
		t.line(line)
	}
	if t.open != 0 {
		t.complete = false
		t.note("a test program did not reach its end")
	}
	return t.finish()
}

func (t *cargoText) line(line string) {
	number, running := strings.CutPrefix(line, "running ")
	number, _, tests := strings.Cut(number, " test")
	switch {
	case running && tests && digits(number):
		t.inTests = true
		t.open++
	case line == "failures:":
		t.inTests = false // what follows is what tests printed
	case strings.HasPrefix(line, "test result: ") && t.denoCount(line):
		t.inTests = false
		t.open--
	case t.inTests:
		t.test(line)
	}
}

// test reads "test path::name ... ok".
func (t *cargoText) test(line string) {
	rest, ok := strings.CutPrefix(line, "test ")
	name, word, split := cutLast(rest, " ... ")
	if !ok || !split {
		return
	}
	word, _, _ = strings.Cut(word, " ")
	switch strings.TrimSuffix(word, ",") {
	case "ok":
		t.result(name, bench.Passed)
	case "FAILED":
		t.result(name, bench.Failed)
	case "ignored":
		t.result(name, bench.Skipped)
	}
}
