package tasks

import (
	"regexp"
	"strconv"
	"strings"

	"assay/internal/patch"
	"assay/languages"
)

// changedLine is a line that a patch removes or adds.
type changedLine struct {
	path  string // before, of a removed line; after, of an added one
	line  int    // in that file, from 1
	added bool
	text  string
}

var hunkStart = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// changedLines lists what a patch of the dataset changes; none where it is not a
// diff.
func changedLines(text string) []changedLine {
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return nil
	}
	var out []changedLine
	for _, f := range p.Files {
		out = append(out, linesOf(f.OldPath, f.NewPath, string((&patch.Patch{Files: []*patch.File{f}}).Bytes()))...)
	}
	return out
}

// linesOf are the changed lines of a diff of one file.
func linesOf(before, after, diff string) []changedLine {
	var out []changedLine
	old, fresh, inside := 0, 0, false
	for l := range strings.Lines(diff) {
		if m := hunkStart.FindStringSubmatch(l); m != nil {
			old, fresh, inside = number(m[1]), number(m[2]), true
			continue
		}
		switch text := strings.TrimRight(l, "\r\n"); {
		case !inside || text == "":
		case text[0] == '-':
			out = append(out, changedLine{before, old, false, text[1:]})
			old++
		case text[0] == '+':
			out = append(out, changedLine{after, fresh, true, text[1:]})
			fresh++
		case text[0] == ' ':
			old, fresh = old+1, fresh+1
		}
	}
	return out
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// measurable are the changed lines of one side whose execution can be seen, by
// path; nil where there are none.
func measurable(l languages.Language, lines []changedLine, added bool) map[string][]int {
	var out map[string][]int
	for _, c := range lines {
		if c.added != added || !languages.Measurable(l, c.path) {
			continue
		}
		if out == nil {
			out = map[string][]int{}
		}
		out[c.path] = append(out[c.path], c.line)
	}
	return out
}
