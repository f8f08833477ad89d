package reports

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	complains = regexp.MustCompile(`(?i)\b(?:fail(?:ed|ure|ures|s)?|errors?|assert(?:ion|ed)?|expected|mismatch(?:es)?|not ok|wrong|differs?|exception|abort(?:ed)?|terminate|panic)\b`)
	contented = regexp.MustCompile(`(?i)\b(?:pass(?:ed|es)?|succe(?:eded|ss)|0 (?:tests? )?(?:fail(?:ed|ures?)|errors?))\b|^\W*ok\b`)
)

const (
	belowComplaint = 2                // lines that may hold what was expected and what came
	lastLines      = 4                // of a long output
	programLines   = messageLines - 2 // what heads a message needs room
	programLine    = 300              // bytes of a line
)

// programMessage is what a test said that is a program as a whole. A short
// output is kept. Of a long one, whose beginning is about what passed as a rule,
// it is the lines that complain with those below them, and the last lines.
func programMessage(output string) string {
	output = strings.TrimSpace(output)
	lines := strings.Split(output, "\n")
	if len(lines) <= programLines && len(output) <= messageBytes {
		return output
	}
	end := max(len(lines)-lastLines, 0)
	kept := map[int]bool{}
	for i := 0; i < end && len(kept) < programLines-lastLines; i++ {
		if !complains.MatchString(lines[i]) || contented.MatchString(lines[i]) {
			continue
		}
		for j := i; j <= min(i+belowComplaint, end-1) && len(kept) < programLines-lastLines; j++ {
			kept[j] = true
		}
	}
	if len(kept) == 0 {
		return output
	}
	for i := end; i < len(lines); i++ {
		kept[i] = true
	}
	var b strings.Builder
	for _, i := range slices.Sorted(maps.Keys(kept)) {
		line := strings.TrimRight(lines[i], "\r")
		b.WriteString(line[:min(len(line), programLine)] + "\n")
	}
	return strings.TrimSpace(b.String())
}
