package code

import (
	"bytes"

	"assay/internal/patch"
)

// Hunk is one change without context: the lines [From, To) of base, counted
// from 0, give way to the lines [NewFrom, NewTo) of gold.
type Hunk struct{ From, To, NewFrom, NewTo int }

// HunksBetween lists the changes between two texts. A file that is new or gone
// is one change.
func HunksBetween(before, after []byte) []Hunk {
	p, err := patch.Parse(patch.Between("f", before, after))
	if err != nil || len(p.Files) == 0 {
		return nil
	}
	added, removed := p.Files[0].AddedLines(), p.Files[0].RemovedLines()
	var out []Hunk
	shift := 0 // lines of gold before the hunk, less those of base
	for len(added) > 0 || len(removed) > 0 {
		h := nextHunk(added, removed, shift)
		if h.To > h.From {
			removed = removed[1:]
		}
		if h.NewTo > h.NewFrom {
			added = added[1:]
		}
		shift += (h.NewTo - h.NewFrom) - (h.To - h.From)
		out = append(out, h)
	}
	return out
}

// nextHunk joins the next removed and the next added run where they are at
// the same place.
func nextHunk(added, removed []patch.LineRange, shift int) Hunk {
	const far = int(^uint(0) >> 2)
	oldAt, newAt := far, far
	if len(removed) > 0 {
		oldAt = removed[0].Start - 1
	}
	if len(added) > 0 {
		newAt = added[0].Start - 1 - shift // in lines of base
	}
	at := min(oldAt, newAt)
	h := Hunk{From: at, To: at, NewFrom: at + shift, NewTo: at + shift}
	if oldAt == at {
		h.To = removed[0].End
	}
	if newAt == at {
		h.NewTo = added[0].End
	}
	return h
}

// Weave writes base's lines with those hunks of gold that take says; the text
// in between is the same in both.
func Weave(before, after []byte, hunks []Hunk, take func(i int) bool) []byte {
	old, new := Lines(before), Lines(after)
	out := make([]byte, 0, len(after)+len(before)/8)
	at := 0
	for i, h := range hunks {
		out = join(out, old[at:h.From])
		if take(i) {
			out = join(out, new[h.NewFrom:h.NewTo])
		} else {
			out = join(out, old[h.From:h.To])
		}
		at = h.To
	}
	return join(out, old[at:])
}

func join(out []byte, lines [][]byte) []byte {
	for _, l := range lines {
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n') // a last line without its end is not the last any more
		}
		out = append(out, l...)
	}
	return out
}

// Lines splits a text into lines with their ends.
func Lines(text []byte) [][]byte {
	out := bytes.SplitAfter(text, []byte{'\n'})
	if n := len(out); len(out[n-1]) == 0 {
		out = out[:n-1]
	}
	return out
}

// HasContent reports whether lines hold more than blanks and brackets.
func HasContent(lines [][]byte) bool {
	for _, l := range lines {
		if len(bytes.Trim(l, " \t\r\n{}();")) > 0 {
			return true
		}
	}
	return false
}
