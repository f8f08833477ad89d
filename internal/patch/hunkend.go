package patch

import "regexp"

// Where a hunk ends is decided here. The header gives the length, but models
// miscount, so the lines themselves decide, and the header only where they
// are ambiguous.

// left returns how many lines the header promises beyond those read.
func (h *hunk) left() (old, new int) { return h.oldCount - h.old, h.newCount - h.new }

// blanks deals with lines that are quite empty. Before more lines of the hunk
// they are blank lines of the file that lost their mark; at its end only if the
// header's counts come out even with them.
func (s *scanner) blanks(sec *section, h *hunk) (done bool) {
	run := 0
	for s.pos+run < len(s.lines) && isBlank(s.lines[s.pos+run]) {
		run++
	}
	take := run
	if !s.continues(run) {
		take, done = h.missing(sec), true
		if take > run {
			take = 0
		}
	}
	for range take {
		h.add(blankOp(sec), sec.content(s.lines[s.pos]), s.pos)
		s.pos++
	}
	return done
}

// continues reports whether the line n lines ahead can belong to a hunk.
func (s *scanner) continues(n int) bool {
	ahead := &scanner{lines: s.lines, pos: s.pos + n}
	if !ahead.more() || ahead.atHeader() || ahead.atSignature() {
		return false
	}
	return ahead.has(0, " ") || ahead.has(0, "+") || ahead.has(0, "-") || ahead.has(0, `\ `)
}

// missing is the number of unmarked blank lines that would complete the hunk.
func (h *hunk) missing(sec *section) int {
	old, new := h.left()
	switch {
	case sec.isNew && old == 0:
		return max(new, 0)
	case sec.isDeleted && new == 0:
		return max(old, 0)
	case old == new:
		return max(old, 0)
	}
	return 0
}

// blankOp is the mark that an unmarked blank line must have had.
func blankOp(sec *section) byte {
	switch {
	case sec.isNew:
		return '+'
	case sec.isDeleted:
		return '-'
	}
	return ' '
}

// endsHunk reports whether a line that looks like one of the hunk starts the
// next file, or the signature of a mail.
func (s *scanner) endsHunk(h *hunk) bool {
	old, new := h.left()
	switch {
	case s.atSignature():
		return old <= 0
	case !s.atPlainHeader():
		return false
	case old == 0 && new == 0:
		return true
	case !s.has(2, "@@ -"):
		return false
	}
	// A removed "-- x" and an added "++ y" that complete the hunk exactly are
	// lines of it; otherwise this is the header of the next file.
	return old != 1 || new != 1
}

// atSignature sees the end of a mail by git format-patch: "-- " and a version.
func (s *scanner) atSignature() bool {
	return s.has(0, "--") && (s.at(0) == "-- " || s.at(0) == "--") && version.MatchString(s.at(1)) && s.at(2) == ""
}

var version = regexp.MustCompile(`^\d+\.\d+(\.\d+)*\S*$`)

// checkRest decides, at a line that is not a line of a hunk, whether the hunk
// is over. It must not end in its middle, with changes after the damage lost.
func (s *scanner) checkRest(h *hunk) error {
	if old, new := h.left(); old == 0 && new == 0 {
		return nil
	}
	for n := 0; s.pos+n < len(s.lines) && !s.atBreak(n); n++ {
		if s.has(n, "+") || s.has(n, "-") {
			return s.errorf("corrupt hunk: " + clip(s.at(0)))
		}
	}
	return nil
}

// atBreak reports whether the line n lines ahead certainly is outside of a
// hunk.
func (s *scanner) atBreak(n int) bool {
	for _, start := range []string{"diff ", "@@", "Index: ", "====", "```", "~~~", "commit ", "From ", "Only in ", "Binary files "} {
		if s.has(n, start) {
			return true
		}
	}
	return s.has(n, "--- ") && s.has(n+1, "+++ ")
}
