package patch

import (
	"bytes"
	"strings"
)

// scanner finds the sections of a diff, one for each file, line by line.
type scanner struct {
	lines [][]byte // without their line feeds
	pos   int
}

// scan splits a diff into sections and repairs them.
func scan(diff []byte) ([]*section, error) {
	diff = bytes.TrimPrefix(diff, []byte("\ufeff"))
	s := &scanner{lines: bytes.Split(bytes.TrimSuffix(diff, []byte{'\n'}), []byte{'\n'})}
	var sections []*section
	for s.more() {
		sec, err := s.header()
		if err != nil {
			return nil, err
		}
		if sec == nil {
			s.pos++
			continue
		}
		if err := s.body(sec); err != nil {
			return nil, err
		}
		if sec.matters() {
			sections = append(sections, sec)
		}
	}
	if len(sections) == 0 {
		return nil, &ParseError{Msg: "no diff found"}
	}
	return sections, nil
}

func (s *scanner) more() bool { return s.pos < len(s.lines) }

// at returns the line n lines ahead as text, without a carriage return; past the
// end, an empty one.
func (s *scanner) at(n int) string {
	if s.pos+n >= len(s.lines) {
		return ""
	}
	return string(bytes.TrimSuffix(s.lines[s.pos+n], []byte{'\r'}))
}

// has reports whether the line n lines ahead starts so, without copying it.
func (s *scanner) has(n int, prefix string) bool {
	return s.pos+n < len(s.lines) && len(s.lines[s.pos+n]) >= len(prefix) &&
		string(s.lines[s.pos+n][:len(prefix)]) == prefix
}

func (s *scanner) errorf(msg string) error {
	return &ParseError{Line: s.pos + 1, Msg: msg}
}

// atHeader reports whether the next line starts another file.
func (s *scanner) atHeader() bool {
	return s.has(0, "diff --git ") || s.atPlainHeader() || s.atCombined()
}

func (s *scanner) atPlainHeader() bool { return s.has(0, "--- ") && s.has(1, "+++ ") }

// atCombined sees a diff of a merge, which has several old sides.
func (s *scanner) atCombined() bool {
	return s.has(0, "diff --cc ") || s.has(0, "diff --combined ")
}

// body reads hunks and binary data up to the next header.
func (s *scanner) body(sec *section) error {
	for s.more() && !s.atHeader() {
		var err error
		switch {
		case s.has(0, "@@@"):
			err = s.errorf("diffs of merges are not supported")
		case s.has(0, "@@"):
			err = s.hunk(sec)
		case len(sec.hunks) > 0 || sec.binary:
			s.pos++ // text after the file's changes
		case s.has(0, "GIT binary patch"):
			s.binary(sec)
		case s.has(0, "Binary files ") || s.has(0, "Files ") && strings.HasSuffix(s.at(0), " differ"):
			sec.binary = true
			s.pos++
		case s.has(0, "+") || s.has(0, "-"):
			err = s.errorf("changed line outside of a hunk")
		default:
			s.pos++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// binary copies the data of a binary patch, each block closed by the blank line
// that the end of a text may have lost.
func (s *scanner) binary(sec *section) {
	sec.binary = true
	sec.addData("GIT binary patch", s.pos)
	s.pos++
	for s.has(0, "literal ") || s.has(0, "delta ") {
		for s.more() && s.at(0) != "" && !s.atHeader() {
			sec.addData(s.at(0), s.pos)
			s.pos++
		}
		sec.addData("", s.pos)
		if s.at(0) == "" {
			s.pos++
		}
	}
}
