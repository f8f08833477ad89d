package patch

import (
	"fmt"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// maxFuzz is how many lines of context may be dropped at either end of a hunk,
// as with patch --fuzz=2.
const maxFuzz = 2

// placement is where a hunk goes in the old file.
type placement struct {
	at          int // index of the first line that it covers
	lead, trail int // lines of context that it leaves out
	method      Method
}

// patchText applies hunks to a file. Lines must match with their ends; failing
// that, without them, and then the file's line ends are kept, so that a diff
// that lost its carriage returns applies.
func patchText(old []byte, hunks []*gitdiff.TextFragment) (out []byte, method Method, err *ApplyError) {
	out, method, err = patchLines(newText(old, false), hunks)
	if err == nil && method < Fuzz {
		return out, method, nil
	}
	looseOut, looseMethod, looseErr := patchLines(newText(old, true), hunks)
	if err != nil {
		return looseOut, looseMethod, looseErr
	}
	if looseErr == nil && looseMethod < method {
		return looseOut, looseMethod, nil
	}
	return out, method, nil
}

// patchLines places the hunks in their order, each after the one before.
func patchLines(t *text, hunks []*gitdiff.TextFragment) ([]byte, Method, *ApplyError) {
	var out [][]byte
	worst, next, shift, end := Strict, 0, 0, t.end()
	for n, hunk := range hunks {
		wanted := hunkIndex(hunk)
		place, ok := t.place(hunk, wanted+shift, next)
		if !ok {
			return nil, 0, &ApplyError{Hunk: n + 1, Reason: t.mismatch(hunk, wanted+shift)}
		}
		start := place.at - place.lead
		if place.method == Strict && start != wanted {
			place.method = Offset
		}
		shift = start - wanted
		worst = max(worst, place.method)
		out = append(out, t.lines[next:place.at]...)
		out, next = t.replace(out, hunk, place, end)
	}
	out = append(out, t.lines[next:]...)
	return join(out, end), worst, nil
}

// hunkIndex is the zero-based line where a hunk says that it starts; without
// old lines, it names the line before.
func hunkIndex(hunk *gitdiff.TextFragment) int {
	if hunk.OldLines == 0 {
		return int(hunk.OldPosition)
	}
	return max(int(hunk.OldPosition)-1, 0)
}

// place finds a place for the hunk at or after first: the nearest with all of
// its old lines, or else with ever less context. A hunk without old lines has
// nothing to search by and goes where it says.
func (t *text) place(hunk *gitdiff.TextFragment, expected, first int) (placement, bool) {
	old := oldLines(hunk)
	if len(old) == 0 {
		return placement{at: expected}, expected >= first && expected <= len(t.lines)
	}
	run := t.numbers(old)
	if at, ok := t.nearest(run, expected, first); ok {
		return placement{at: at}, true
	}
	lead, trail := int(hunk.LeadingContext), int(hunk.TrailingContext)
	var last placement
	for fuzz := 1; fuzz <= maxFuzz; fuzz++ {
		p := placement{lead: drop(lead, trail, fuzz), trail: drop(trail, lead, fuzz), method: Fuzz}
		if p == last || p.lead+p.trail == 0 || p.lead+p.trail >= len(run) {
			continue
		}
		last = p
		at, ok := t.nearest(run[p.lead:len(run)-p.trail], expected+p.lead, first)
		if ok {
			p.at = at
			return p, true
		}
	}
	return placement{}, false
}

// drop is the number of lines of context to leave out at one end. As in
// patch(1), the longer end is shortened first.
func drop(here, there, fuzz int) int {
	return min(max(fuzz-max(there-here, 0), 0), here)
}

func oldLines(hunk *gitdiff.TextFragment) [][]byte {
	var lines [][]byte
	for _, line := range hunk.Lines {
		if line.Old() {
			lines = append(lines, []byte(line.Line))
		}
	}
	return lines
}

// replace appends the lines that take the hunk's place and gives the index of
// the first line after it. Lines of context are taken from the file.
func (t *text) replace(out [][]byte, hunk *gitdiff.TextFragment, p placement, end []byte) ([][]byte, int) {
	at := p.at
	lines := hunk.Lines[p.lead : len(hunk.Lines)-p.trail]
	for _, line := range lines {
		switch line.Op {
		case gitdiff.OpContext:
			out = append(out, t.lines[at])
			at++
		case gitdiff.OpDelete:
			at++
		case gitdiff.OpAdd:
			out = append(out, t.added(line, p.at, at, end))
		}
	}
	return out, at
}

// added is an added line; in loose matching, with the line end that the file
// has there.
func (t *text) added(line gitdiff.Line, start, at int, end []byte) []byte {
	content := []byte(line.Line)
	if !t.loose || line.NoEOL() {
		return content
	}
	near := at
	if at > start {
		near = at - 1
	}
	if near < len(t.lines) && t.lines[near][len(t.lines[near])-1] == '\n' {
		end = lineEnd(t.lines[near])
	}
	return append(withoutEnd(content), end...)
}

// mismatch describes what is at the expected place instead.
func (t *text) mismatch(hunk *gitdiff.TextFragment, expected int) string {
	if t.budget < 0 {
		return "search given up: too many like lines"
	}
	old := oldLines(hunk)
	run := t.numbers(old)
	for i, line := range old {
		at := expected + i
		switch {
		case at >= len(t.lines):
			return fmt.Sprintf("does not match: the file ends before line %d", at+1)
		case at >= 0 && run[i] != t.keys[at]:
			return fmt.Sprintf("does not match: line %d is %s, not %s", at+1,
				clip(string(t.lines[at])), clip(string(line)))
		}
	}
	return "overlaps the hunk before, or is outside of the file"
}
