package badpatch

import (
	"bytes"

	"assay/internal/patch"
)

// hunk is one change without context: the lines [from, to) of base, counted
// from 0, give way to the lines [newFrom, newTo) of gold.
type hunk struct{ from, to, newFrom, newTo int }

// hunksBetween lists the changes between two texts. A file that is new or gone
// is one change.
func hunksBetween(before, after []byte) []hunk {
	p, err := patch.Parse(patch.Between("f", before, after))
	if err != nil || len(p.Files) == 0 {
		return nil
	}
	added, removed := p.Files[0].AddedLines(), p.Files[0].RemovedLines()
	var out []hunk
	shift := 0 // lines of gold before the hunk, less those of base
	for len(added) > 0 || len(removed) > 0 {
		h := nextHunk(added, removed, shift)
		if h.to > h.from {
			removed = removed[1:]
		}
		if h.newTo > h.newFrom {
			added = added[1:]
		}
		shift += (h.newTo - h.newFrom) - (h.to - h.from)
		out = append(out, h)
	}
	return out
}

// nextHunk joins the next removed and the next added run where they stand at
// the same place.
func nextHunk(added, removed []patch.LineRange, shift int) hunk {
	const far = int(^uint(0) >> 2)
	oldAt, newAt := far, far
	if len(removed) > 0 {
		oldAt = removed[0].Start - 1
	}
	if len(added) > 0 {
		newAt = added[0].Start - 1 - shift // in lines of base
	}
	at := min(oldAt, newAt)
	h := hunk{from: at, to: at, newFrom: at + shift, newTo: at + shift}
	if oldAt == at {
		h.to = removed[0].End
	}
	if newAt == at {
		h.newTo = added[0].End
	}
	return h
}

// weave writes base's lines with those hunks of gold that take says; the text
// in between is the same in both.
func weave(before, after []byte, hunks []hunk, take func(i int) bool) []byte {
	old, new := lines(before), lines(after)
	out := make([]byte, 0, len(after)+len(before)/8)
	at := 0
	for i, h := range hunks {
		out = join(out, old[at:h.from])
		if take(i) {
			out = join(out, new[h.newFrom:h.newTo])
		} else {
			out = join(out, old[h.from:h.to])
		}
		at = h.to
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

// lines splits a text into lines with their ends.
func lines(text []byte) [][]byte {
	out := bytes.SplitAfter(text, []byte{'\n'})
	if n := len(out); len(out[n-1]) == 0 {
		out = out[:n-1]
	}
	return out
}
