package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxRecord is the largest record that is read, in bytes. One of the largest
// published ones (Multi-SWE-bench, with its logs' test names) has some 10 MB.
const maxRecord = 64 << 20

// rawRecord is one record of a file, before it is decoded.
type rawRecord struct {
	key    string // the member's name, in an object keyed by id
	raw    []byte // valid until the next record is asked for
	start  place
	offset int64
	cut    bool        // a line without a line end: the last one
	err    *FieldError // the record can't be read; raw is empty then
}

// lineSplitter gives the lines of a file, without blank ones.
type lineSplitter struct {
	r      *bufio.Reader
	buf    []byte
	offset int64
	line   int
}

// next returns the next line, or io.EOF.
func (s *lineSplitter) next() (rawRecord, error) {
	for {
		start := s.offset
		raw, size, ended, err := s.readLine()
		if err != nil {
			return rawRecord{}, fmt.Errorf("reading line %d: %w", s.line+1, err)
		}
		s.offset += size
		s.line++
		if size == 0 {
			return rawRecord{}, io.EOF
		}
		if size > maxRecord {
			e := &FieldError{Line: s.line, Expected: fmt.Sprintf("at most %d bytes", maxRecord), Got: fmt.Sprintf("%d", size)}
			return rawRecord{start: place{s.line, 1}, offset: start, cut: !ended, err: e}, nil
		}
		trimmed := bytes.TrimLeft(raw, " \t\r\n")
		indent := len(raw) - len(trimmed)
		trimmed = bytes.TrimRight(trimmed, " \t\r\n")
		if len(trimmed) > 0 {
			return rawRecord{
				raw: trimmed, start: place{s.line, indent + 1},
				offset: start + int64(indent), cut: !ended,
			}, nil
		}
	}
}

// readLine reads to the line end. Of a line beyond maxRecord it keeps
// nothing but the size.
func (s *lineSplitter) readLine() (raw []byte, size int64, ended bool, err error) {
	s.buf = s.buf[:0]
	for {
		part, err := s.r.ReadSlice('\n')
		size += int64(len(part))
		full := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !full && !errors.Is(err, io.EOF) {
			return nil, size, false, err
		}
		if !full && len(s.buf) == 0 {
			return part, size, err == nil, nil
		}
		if size <= maxRecord {
			s.buf = append(s.buf, part...)
		}
		if !full {
			return s.buf, size, err == nil, nil
		}
	}
}

// valueSplitter gives the values of a JSON list, or the members of a JSON
// object. It only looks for where values end; whether they are well formed is
// for the caller to find.
type valueSplitter struct {
	r      *bufio.Reader
	buf    []byte
	offset int64
	at     place // of the next byte
	object bool
	opened bool
	done   bool
}

// next returns the next value, or io.EOF after the closing bracket and the
// end of the file. A *FieldError says that the file can't be read further.
func (s *valueSplitter) next() (rawRecord, error) {
	if s.done {
		return rawRecord{}, io.EOF
	}
	open, closing := byte('['), byte(']')
	if s.object {
		open, closing = '{', '}'
	}
	if !s.opened {
		s.opened = true
		if err := s.expect(open, fmt.Sprintf("%q", open)); err != nil {
			return rawRecord{}, err
		}
		if c, err := s.peek(); err == nil && c == closing {
			return rawRecord{}, s.end()
		}
		return s.entry()
	}
	c, err := s.peek()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return rawRecord{}, err
	case err == nil && c == closing:
		return rawRecord{}, s.end()
	}
	if err := s.expect(',', fmt.Sprintf("\",\" or %q", closing)); err != nil {
		return rawRecord{}, err
	}
	return s.entry()
}

// entry reads one value, with its name where it is a member of an object.
func (s *valueSplitter) entry() (rawRecord, error) {
	var rec rawRecord
	if s.object {
		c, err := s.peek()
		if err != nil && !errors.Is(err, io.EOF) {
			return rec, err
		}
		if err != nil || c != '"' {
			return rec, s.unexpected("a name in quotes")
		}
		start := s.at
		if err := s.value(); err != nil {
			return rec, err
		}
		raw, broken := wellFormed(s.buf, start)
		if broken != nil {
			return rec, broken
		}
		rec.key, err = unquote(raw)
		if err != nil {
			return rec, &FieldError{Line: start.line, Column: start.column, Expected: "a name", Got: err.Error()}
		}
		if err := s.expect(':', `":"`); err != nil {
			return rec, err
		}
	}
	if _, err := s.peek(); err != nil && !errors.Is(err, io.EOF) {
		return rec, err
	}
	rec.start, rec.offset = s.at, s.offset
	err := s.value()
	rec.raw = s.buf
	return rec, err
}

// end reads the closing bracket and makes sure that nothing follows.
func (s *valueSplitter) end() error {
	s.done = true
	if _, err := s.readByte(); err != nil {
		return err
	}
	switch _, err := s.peek(); {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return err
	}
	return s.unexpected("the end of the file")
}
