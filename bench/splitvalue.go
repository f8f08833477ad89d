package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// value reads one value into s.buf.
func (s *valueSplitter) value() error {
	s.buf = s.buf[:0]
	depth := 0
	for {
		if len(s.buf) > maxRecord {
			return s.tooLong()
		}
		c, err := s.readByte()
		if errors.Is(err, io.EOF) {
			return s.unexpected("a JSON value")
		}
		if err != nil {
			return err
		}
		s.buf = append(s.buf, c)
		switch c {
		case '"':
			if err := s.restOfString(); err != nil {
				return err
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return s.restOfScalar()
			}
		}
		if depth <= 0 {
			return nil
		}
	}
}

// restOfString reads to the closing quote.
func (s *valueSplitter) restOfString() error {
	for len(s.buf) <= maxRecord {
		part, err := s.r.ReadSlice('"')
		s.advance(part)
		s.buf = append(s.buf, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return s.unexpected("the end of a string")
		case err != nil:
			return err
		case !escaped(s.buf[:len(s.buf)-1]):
			return nil
		}
	}
	return s.tooLong()
}

// escaped reports whether what follows b in a string has a backslash of its own.
func escaped(b []byte) bool {
	n := len(b) - len(bytes.TrimRight(b, `\`))
	return n%2 == 1
}

// restOfScalar reads a number or a word to its end.
func (s *valueSplitter) restOfScalar() error {
	for len(s.buf) <= maxRecord {
		next, err := s.r.Peek(1)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if c := next[0]; isSpace(c) || strings.IndexByte(`,:]}[{"`, c) >= 0 {
			return nil
		}
		c, err := s.readByte()
		if err != nil {
			return err
		}
		s.buf = append(s.buf, c)
	}
	return s.tooLong()
}

// tooLong is the error of a value beyond maxRecord.
func (s *valueSplitter) tooLong() *FieldError {
	return &FieldError{
		Line: s.at.line, Column: s.at.column,
		Expected: fmt.Sprintf("at most %d bytes in one record", maxRecord), Got: "more",
	}
}

// expect reads one byte after white space, which must be c.
func (s *valueSplitter) expect(c byte, name string) error {
	got, err := s.peek()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err != nil || got != c {
		return s.unexpected(name)
	}
	_, err = s.readByte()
	return err
}

// unexpected is the error of a file that continues otherwise than with what
// is expected, or ends.
func (s *valueSplitter) unexpected(expected string) *FieldError {
	e := &FieldError{Line: s.at.line, Column: s.at.column, Expected: expected, Got: "the end of the file"}
	if next, err := s.r.Peek(1); err == nil {
		e.Got = fmt.Sprintf("%q", next[0])
	}
	return e
}

// peek skips white space and returns the next byte without reading it.
func (s *valueSplitter) peek() (byte, error) {
	for {
		next, err := s.r.Peek(1)
		if err != nil {
			return 0, err
		}
		if !isSpace(next[0]) {
			return next[0], nil
		}
		if _, err := s.readByte(); err != nil {
			return 0, err
		}
	}
}

func (s *valueSplitter) readByte() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		return 0, err
	}
	s.offset++
	if c == '\n' {
		s.at.line++
		s.at.column = 1
	} else {
		s.at.column++
	}
	return c, nil
}

// advance counts bytes that were read in one go.
func (s *valueSplitter) advance(part []byte) {
	s.offset += int64(len(part))
	s.at = s.at.within(part, len(part))
}
