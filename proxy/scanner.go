package proxy

import (
	"encoding/json"
	"fmt"
)

// scanner walks JSON that is known to be valid.
type scanner struct {
	data   []byte
	at     int
	values int
}

// maxValues is how many values a request may have. Agents' have some thousand;
// each costs more memory than the bytes that it takes in a request.
const maxValues = 200_000

func (s *scanner) peek() byte {
	if s.at >= len(s.data) {
		return 0
	}
	return s.data[s.at]
}

func (s *scanner) space() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// object calls each with the members of the object that begins here.
func (s *scanner) object(each func(name string, value []byte)) error {
	seen := map[string]bool{}
	s.at++ // {
	for s.space(); s.peek() == '"'; s.space() {
		name := unquote(s.text())
		if seen[name] {
			return fmt.Errorf("the name %q occurs twice in an object", name)
		}
		seen[name] = true
		s.space()
		s.at++ // :
		s.space()
		begin := s.at
		if err := s.value(); err != nil {
			return err
		}
		each(name, s.data[begin:s.at])
		s.space()
		if s.peek() == ',' {
			s.at++
		}
	}
	s.at++ // }
	return nil
}

func (s *scanner) value() error {
	if s.values++; s.values > maxValues {
		return fmt.Errorf("the request has more than %d values", maxValues)
	}
	switch s.peek() {
	case '{':
		return s.object(func(string, []byte) {})
	case '[':
		return s.array()
	case '"':
		s.text()
	default:
		s.word()
	}
	return nil
}

func (s *scanner) array() error {
	s.at++ // [
	for s.space(); s.peek() != ']' && s.peek() != 0; s.space() {
		if err := s.value(); err != nil {
			return err
		}
		s.space()
		if s.peek() == ',' {
			s.at++
		}
	}
	s.at++ // ]
	return nil
}

// text returns the string that begins here, with its quotes.
func (s *scanner) text() []byte {
	begin := s.at
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.data))
	return s.data[begin:s.at]
}

// word skips a number, true, false or null.
func (s *scanner) word() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return
		}
		s.at++
	}
}

func unquote(raw []byte) string {
	var out string
	if json.Unmarshal(raw, &out) != nil {
		return string(raw)
	}
	return out
}
