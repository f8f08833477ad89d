package patch

import (
	"bytes"
	"fmt"
)

// writer builds the canonical form and remembers which line of the input each
// of its lines came from.
type writer struct {
	bytes.Buffer
	origin []int
}

func (w *writer) line(origin int, format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
	w.origin = append(w.origin, origin)
}

// canonical writes sections as git would have, for go-gitdiff to parse: names
// always quoted, counts right, new positions following from the old ones.
func canonical(sections []*section) (text []byte, origin []int) {
	w := new(writer)
	for _, sec := range sections {
		w.header(sec)
		if sec.binary {
			w.binary(sec)
			continue
		}
		w.hunks(sec)
	}
	return w.Bytes(), w.origin
}

func (w *writer) header(sec *section) {
	old, new := sec.old, sec.new
	if old == "" {
		old = new
	}
	if new == "" {
		new = old
	}
	w.line(sec.line, "diff --git %s %s", quote("a/"+old), quote("b/"+new))
	w.modes(sec)
	if sec.similarity != "" {
		w.line(sec.line, "%s", sec.similarity)
	}
	if sec.isRename || sec.isCopy {
		kind := "rename"
		if sec.isCopy {
			kind = "copy"
		}
		w.line(sec.line, "%s from %s", kind, quote(old))
		w.line(sec.line, "%s to %s", kind, quote(new))
	}
	switch {
	case sec.object == "":
	case sec.oldMode != 0 && sec.newMode == 0 && !sec.isDeleted:
		w.line(sec.line, "%s %o", sec.object, sec.oldMode)
	default:
		w.line(sec.line, "%s", sec.object)
	}
}

func (w *writer) modes(sec *section) {
	switch {
	case sec.isNew:
		w.line(sec.line, "new file mode %o", sec.newMode)
	case sec.isDeleted:
		w.line(sec.line, "deleted file mode %o", sec.oldMode)
	case sec.newMode != 0 && sec.oldMode != 0:
		w.line(sec.line, "old mode %o", sec.oldMode)
		w.line(sec.line, "new mode %o", sec.newMode)
	}
}

func (w *writer) binary(sec *section) {
	if len(sec.data) == 0 {
		w.line(sec.line, "Binary files a and b differ")
	}
	for _, data := range sec.data {
		w.line(data.line, "%s", data.text)
	}
}

func (w *writer) hunks(sec *section) {
	if len(sec.hunks) == 0 {
		return
	}
	old, new := devNull, devNull
	if sec.old != "" {
		old = quote("a/" + sec.old)
	}
	if sec.new != "" {
		new = quote("b/" + sec.new)
	}
	w.line(sec.line, "--- %s", old)
	w.line(sec.line, "+++ %s", new)
	sortHunks(sec.hunks)
	delta := 0
	for _, h := range sec.hunks {
		w.hunk(h, h.index(), max(h.index()+delta, 0))
		delta += h.new - h.old
	}
}

// hunk writes a hunk that starts at the given zero-based lines.
func (w *writer) hunk(h *hunk, old, new int) {
	if h.old > 0 {
		old++
	}
	if h.new > 0 {
		new++
	}
	w.line(h.line, "@@ -%d,%d +%d,%d @@ %s", old, h.old, new, h.new, h.comment)
	for _, line := range h.body {
		w.WriteByte(line.op)
		w.Write(line.text)
		w.WriteByte('\n')
		w.origin = append(w.origin, line.line)
		if line.noEOL {
			w.line(line.line, `\ No newline at end of file`)
		}
	}
}
