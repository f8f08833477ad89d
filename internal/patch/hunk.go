package patch

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
)

// hunk is one hunk as written, with counts taken from its lines.
type hunk struct {
	line               int // of its header
	start              int // as published
	oldCount, newCount int // as published
	comment            string
	body               []bodyLine
	old, new, changes  int // lines of either side, and changed lines, as counted
}

type bodyLine struct {
	op    byte // ' ', '+' or '-'
	text  []byte
	noEOL bool
	line  int
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$`)

// parseHunkHeader reads "@@ -start,old +start,new @@ comment".
func parseHunkHeader(line string) (start, old, new int, comment string, ok bool) {
	parts := hunkHeader.FindStringSubmatch(line)
	if parts == nil {
		return 0, 0, 0, "", false
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s) // at most nine digits, by the expression
		return n
	}
	return number(parts[1]), number(parts[2]), number(parts[4]), parts[5], true
}

// hunk reads one hunk. A hunk without changes says nothing and is dropped.
func (s *scanner) hunk(sec *section) error {
	h := &hunk{line: s.pos + 1}
	var ok bool
	if h.start, h.oldCount, h.newCount, h.comment, ok = parseHunkHeader(s.at(0)); !ok {
		return s.errorf("malformed hunk header: " + clip(s.at(0)))
	}
	s.pos++
	for s.more() && !s.endsHunk(h) {
		done, err := s.hunkLine(sec, h)
		if err != nil {
			return err
		}
		if done {
			break
		}
	}
	if h.changes > 0 {
		sec.hunks = append(sec.hunks, h)
	}
	return nil
}

// hunkLine takes the next line into the hunk, or finds that the hunk is over.
func (s *scanner) hunkLine(sec *section, h *hunk) (done bool, err error) {
	line := s.lines[s.pos]
	switch {
	case isBlank(line):
		return s.blanks(sec, h), nil
	case bytes.HasPrefix(line, []byte(`\ `)):
		h.markNoEOL()
	case line[0] == ' ' || line[0] == '+' || line[0] == '-':
		h.add(line[0], sec.content(line[1:]), s.pos)
	default:
		return true, s.checkRest(h)
	}
	s.pos++
	return false, nil
}

func isBlank(line []byte) bool { return len(line) == 0 || string(line) == "\r" }

// content takes off the carriage return that the transport added.
func (s *section) content(text []byte) []byte {
	if s.carriage {
		return bytes.TrimSuffix(text, []byte{'\r'})
	}
	return text
}

func (h *hunk) add(op byte, text []byte, pos int) {
	h.body = append(h.body, bodyLine{op: op, text: text, line: pos + 1})
	if op != '+' {
		h.old++
	}
	if op != '-' {
		h.new++
	}
	if op != ' ' {
		h.changes++
	}
}

func (h *hunk) markNoEOL() {
	if n := len(h.body); n > 0 {
		h.body[n-1].noEOL = true
	}
}

// index is the zero-based line of the old file where the hunk starts. A header
// without old lines names the line before.
func (h *hunk) index() int {
	if h.old == 0 && h.oldCount == 0 {
		return h.start
	}
	return max(h.start-1, 0)
}

// sortHunks puts hunks into the order of their lines, as go-gitdiff and patch
// apply them.
func sortHunks(hunks []*hunk) {
	slices.SortStableFunc(hunks, func(a, b *hunk) int { return cmp.Compare(a.index(), b.index()) })
}
