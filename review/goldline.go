package review

import (
	"regexp"
	"slices"
	"strconv"

	"assay/internal/patch"
)

// nearby is how far from a changed line a line number may lie and still name
// that place; it is the context of a diff.
const nearby = 3

// goldLines are line numbers in the sense of the check: those of lines that
// gold adds, and those that the agent's own files have at the same places.
// A number in both names a place that the agent can see.
type goldLines struct {
	gold    []patch.LineRange
	visible []patch.LineRange
}

func (s *Subject) readGoldLines() goldLines {
	var out goldLines
	for _, f := range s.files {
		if f.gold == nil || f.base == nil {
			continue // a new file: no number of it means anything yet
		}
		out.gold = append(out.gold, addedLines(f.path, f.base, f.gold)...)
		for _, from := range []*version{f.base, f.bad} {
			if from != nil {
				out.visible = append(out.visible, counterparts(f.path, from, f.gold)...)
			}
		}
		if f.bad != nil {
			out.visible = append(out.visible, addedLines(f.path, f.base, f.bad)...)
		}
	}
	return out
}

// counterparts are the places in from at which to differs, in from's numbers:
// removed lines, and where lines are added.
func counterparts(path string, from, to *version) []patch.LineRange {
	added, removed := addedLines(path, from, to), addedLines(path, to, from)
	out := slices.Clone(removed)
	shift, next := 0, 0 // lines of from minus lines of to, before a place
	for _, a := range added {
		at := a.Start + shift
		for next < len(removed) && removed[next].Start <= at {
			shift += removed[next].End - removed[next].Start + 1
			at = a.Start + shift
			next++
		}
		out = append(out, patch.LineRange{Start: at, End: at})
		shift -= a.End - a.Start + 1
	}
	return out
}

// leaks reports whether a line number only makes sense in gold's files.
func (g goldLines) leaks(n int) bool {
	in := func(ranges []patch.LineRange, slack int) bool {
		return slices.ContainsFunc(ranges, func(r patch.LineRange) bool { return n >= r.Start-slack && n <= r.End+slack })
	}
	return in(g.gold, 0) && !in(g.visible, nearby)
}

var lineNumbers = regexp.MustCompile(`(?i)(?:\blines?\s+(?:numbers?\s+)?|\bL|\.\w{1,4}:)(\d{1,7})(?:\s*(?:-|–|to|and|through)\s*L?(\d{1,7}))?`)

// lineLeaks finds line numbers that come from gold.
func (s *Subject) lineLeaks(p prose) []Leak {
	var out []Leak
	for _, m := range lineNumbers.FindAllStringSubmatchIndex(p.text, -1) {
		for i := 2; i+1 < len(m) && m[i] >= 0; i += 2 {
			n, err := strconv.Atoi(p.text[m[i]:m[i+1]])
			if err == nil && s.lines.leaks(n) {
				out = append(out, p.leak(LeakLine, m[i], "line "+p.text[m[i]:m[i+1]]))
			}
		}
	}
	return out
}
