package reports

import (
	"strings"

	"assay/bench"
)

// readDenoText reads deno test: "name ... ok (12ms)". Names of temporary files
// differ from run to run and are numbered in their order.
func readDenoText(c *collector, data []byte) bool {
	p := newPrinted(c)
	temporary := map[string]string{}
	for line := range lines(data) {
		if strings.HasPrefix(line, " ERRORS") || strings.HasPrefix(line, "failures:") {
			continue
		}
		if p.denoCount(line) {
			continue
		}
		name, word, ok := cutLast(line, " ... ")
		if !ok {
			continue
		}
		name = numberTemporary(name, temporary)
		switch word, _, _ = strings.Cut(word, " "); word {
		case "ok":
			p.result(name, bench.Passed)
		case "FAILED":
			p.result(name, bench.Failed)
		case "ignored":
			p.result(name, bench.Skipped)
		}
	}
	return p.finish() && len(p.tests) > 0
}

// denoCount reads "ok | 5 passed | 0 failed (2s)" and "test result: FAILED. 5
// passed; 1 failed; ...".
func (p *printed) denoCount(line string) bool {
	line = strings.TrimPrefix(line, "test result: ")
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok {
		rest, ok = strings.CutPrefix(line, "FAILED")
	}
	if !ok || !strings.HasPrefix(rest, " | ") && !strings.HasPrefix(rest, ". ") {
		return false
	}
	passed, failed := -1, -1
	for item := range strings.FieldsFuncSeq(rest[2:], func(r rune) bool { return r == '|' || r == ';' }) {
		number, word, _ := strings.Cut(strings.TrimSpace(item), " ")
		switch word, _, _ = strings.Cut(word, " "); word {
		case "passed":
			passed = atoi(number)
		case "failed":
			failed = atoi(number)
		}
	}
	if passed < 0 || failed < 0 {
		return false
	}
	p.count(passed, failed)
	return true
}

func numberTemporary(name string, known map[string]string) string {
	i := strings.Index(name, "/tmp/")
	if i < 0 {
		return name
	}
	rest := name[i+len("/tmp/"):]
	end := strings.IndexFunc(rest, func(r rune) bool { return r == '/' || r == '.' || r == ' ' })
	if end <= 0 || rest[end] == ' ' {
		return name
	}
	number, ok := known[rest[:end]]
	if !ok {
		number = itoa(len(known))
		known[rest[:end]] = number
	}
	tail := strings.TrimPrefix(strings.TrimPrefix(rest[end:], ".qmd"), "/")
	return name[:i] + "/tmp/" + number + tail
}
