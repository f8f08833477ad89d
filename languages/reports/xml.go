package reports

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// xmlScanner walks through XML that may be damaged: cut anywhere, with bytes
// and character references that XML forbids, with foreign text around it.
// Note: encoding/xml is not used because it stops at the first such flaw
// even when not strict, and test output is full of them.
type xmlScanner struct {
	data []byte
	pos  int
	open []string // names of open elements
	cut  bool     // the data ended within an element or a tag
	pend bool     // a self-closing element's end is due
}

type xmlKind int

const (
	xmlStart xmlKind = iota
	xmlEnd
	xmlText
)

type xmlToken struct {
	kind  xmlKind
	name  string // of start and end
	attrs []byte // raw, of start
	text  []byte // raw
	cdata bool   // text holds no references
}

// nameLookback bounds the search for the element that an end tag closes, so
// that nonsense cannot cost quadratic time.
const nameLookback = 32

// next returns the next token; false at the end of the data.
func (s *xmlScanner) next() (xmlToken, bool) {
	if s.pend {
		s.pend = false
		return s.pop(len(s.open) - 1), true
	}
	for s.pos < len(s.data) {
		rest := s.data[s.pos:]
		if i := bytes.IndexByte(rest, '<'); i != 0 {
			return s.textUpTo(i), true
		}
		if tok, ok := s.markup(rest); ok {
			return tok, true
		}
	}
	s.cut = s.cut || len(s.open) > 0
	return xmlToken{}, false
}

func (s *xmlScanner) textUpTo(i int) xmlToken {
	rest := s.data[s.pos:]
	if i < 0 {
		i = len(rest)
	}
	s.pos += i
	return xmlToken{kind: xmlText, text: rest[:i]}
}

// markup reads what begins with "<"; false where there was nothing to report.
func (s *xmlScanner) markup(rest []byte) (xmlToken, bool) {
	switch {
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		text := s.until(rest[9:], "]]>", 9)
		return xmlToken{kind: xmlText, text: text, cdata: true}, true
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.until(rest[4:], "-->", 4)
		return xmlToken{}, false
	case bytes.HasPrefix(rest, []byte("<?")), bytes.HasPrefix(rest, []byte("<!")):
		s.until(rest[2:], ">", 2)
		return xmlToken{}, false
	case bytes.HasPrefix(rest, []byte("</")):
		name := bytes.TrimSpace(s.until(rest[2:], ">", 2))
		return s.end(string(name))
	case len(rest) > 1 && nameStart(rest[1]):
		return s.start(rest)
	case len(rest) == 1:
		s.cut = true
	}
	s.pos++
	return xmlToken{kind: xmlText, text: rest[:1], cdata: true}, true
}

// until moves past the next stop after skip bytes and returns what is
// between; where there is none, the rest, and the data counts as cut.
func (s *xmlScanner) until(rest []byte, stop string, skip int) []byte {
	if i := bytes.Index(rest, []byte(stop)); i >= 0 {
		s.pos += skip + i + len(stop)
		return rest[:i]
	}
	s.pos, s.cut = len(s.data), true
	return rest
}

func (s *xmlScanner) start(rest []byte) (xmlToken, bool) {
	n := 1
	for n < len(rest) && !strings.ContainsRune(" \t\r\n/>", rune(rest[n])) {
		n++
	}
	end := tagEnd(rest, n)
	if end < 0 {
		s.pos, s.cut = len(s.data), true
		return xmlToken{}, false
	}
	name, attrs := string(rest[1:n]), rest[n:end]
	s.pos += end + 1
	s.open = append(s.open, name)
	if bytes.HasSuffix(attrs, []byte("/")) {
		attrs, s.pend = attrs[:len(attrs)-1], true
	}
	return xmlToken{kind: xmlStart, name: name, attrs: attrs}, true
}

// tagEnd finds the ">" that closes a tag, outside of quotes.
func tagEnd(b []byte, from int) int {
	quote := byte(0)
	for i := from; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}

func (s *xmlScanner) end(name string) (xmlToken, bool) {
	for i := len(s.open) - 1; i >= 0 && i >= len(s.open)-nameLookback; i-- {
		if s.open[i] == name {
			return s.pop(i), true
		}
	}
	return xmlToken{}, false
}

// pop closes the elements from depth i on; what was left open within is
// closed silently.
func (s *xmlScanner) pop(i int) xmlToken {
	tok := xmlToken{kind: xmlEnd, name: s.open[i]}
	s.open = s.open[:i]
	return tok
}

func nameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// attr returns the decoded value of an attribute of a start tag, or "".
func (t xmlToken) attr(name string) string {
	b := t.attrs
	for {
		b = bytes.TrimLeft(b, " \t\r\n/")
		eq := bytes.IndexByte(b, '=')
		if eq < 0 {
			return ""
		}
		key := bytes.TrimSpace(b[:eq])
		value, rest := quoted(bytes.TrimLeft(b[eq+1:], " \t\r\n"))
		if string(key) == name {
			return xmlDecode(value)
		}
		b = rest
	}
}

func quoted(b []byte) (value, rest []byte) {
	if len(b) == 0 || b[0] != '"' && b[0] != '\'' {
		i := bytes.IndexAny(b, " \t\r\n")
		if i < 0 {
			i = len(b)
		}
		return b[:i], b[i:]
	}
	i := bytes.IndexByte(b[1:], b[0])
	if i < 0 {
		return b[1:], nil
	}
	return b[1 : 1+i], b[i+2:]
}

// string decodes a text token, at most the limit's bytes of it.
func (t xmlToken) string(limit int) string {
	b := t.text
	if len(b) > limit {
		b = b[:limit]
	}
	if t.cdata {
		return string(b)
	}
	return xmlDecode(b)
}

// xmlDecode replaces references. Those to characters that XML forbids are
// decoded as well; unknown ones stay as they are.
func xmlDecode(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			i = len(b)
		}
		out.Write(b[:i])
		b = b[i:]
		if len(b) == 0 {
			break
		}
		n, text := reference(b)
		out.WriteString(text)
		b = b[n:]
	}
	return out.String()
}

func reference(b []byte) (length int, text string) {
	end := bytes.IndexByte(b[:min(len(b), 12)], ';')
	if end < 0 {
		return 1, "&"
	}
	name := string(b[1:end])
	switch name {
	case "lt":
		return end + 1, "<"
	case "gt":
		return end + 1, ">"
	case "amp":
		return end + 1, "&"
	case "quot":
		return end + 1, `"`
	case "apos":
		return end + 1, "'"
	}
	if number, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if hex, isHex := strings.CutPrefix(strings.ToLower(number), "x"); isHex {
			number, base = hex, 16
		}
		if v, err := strconv.ParseUint(number, base, 32); err == nil && v <= utf8.MaxRune {
			return end + 1, string(rune(v))
		}
	}
	return 1, "&"
}
