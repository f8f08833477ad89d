package linters

import (
	"strings"

	"assay/harness"
)

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// lastLine is the last thing that a job printed, for people.
func lastLine(o harness.Output) string {
	text := strings.TrimSpace(string(o.Tail))
	if text == "" {
		text = strings.TrimSpace(string(o.Head))
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return text[:min(len(text), 300)]
}
