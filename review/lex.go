package review

import (
	"bytes"
	"strings"
)

// class is what a token is.
type class byte

const (
	word    class = iota // identifiers and keywords
	number               //
	literal              // the content of a string, without its quotes
	mark                 // operators and punctuation
)

// token is a piece of source text.
type token struct {
	class class
	text  string
	line  int // of its first character, from 1
}

// dialect is how a file's comments and strings are written.
type dialect byte

const (
	plain      dialect = iota // neither is known
	hashed                    // # comments: build and configuration files
	pythonLike                // # comments, triple quotes, docstrings
	cLike                     // // and /* */ comments
)

// lexer splits source into tokens and drops comments. It takes any input:
// what it does not understand becomes marks. Package languages/token cannot
// serve here: gold changes build files, configuration and languages that assay
// does not judge, too, and text of reviews is split in the same way (see scan).
type lexer struct {
	src     []byte
	pos     int
	line    int
	dialect dialect
	fresh   bool // nothing but blanks in the line so far
	out     []token
}

// lex returns the tokens of a file without its comments and docstrings.
func lex(src []byte, d dialect) []token {
	x := lexer{src: src, line: 1, dialect: d, fresh: true}
	for x.pos < len(x.src) {
		x.next()
	}
	return x.out
}

func (x *lexer) next() {
	c := x.src[x.pos]
	switch {
	case c == '\n':
		x.line++
		x.pos++
		x.fresh = true
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.pos++
		return
	case x.comment():
		return
	case x.quoted():
	case wordStart(c):
		end := x.pos + wordLen(x.src[x.pos:])
		x.emit(word, end)
	case isDigit(c):
		x.emit(number, x.pos+numberLen(x.src[x.pos:]))
	default:
		x.emit(mark, x.pos+markLen(x.src[x.pos:]))
	}
	x.fresh = false
}

func (x *lexer) emit(c class, end int) {
	x.out = append(x.out, token{class: c, text: string(x.src[x.pos:end]), line: x.line})
	x.pos = end
}

// comment skips a comment, if one starts here.
func (x *lexer) comment() bool {
	rest := x.src[x.pos:]
	switch {
	case (x.dialect == hashed || x.dialect == pythonLike) && rest[0] == '#', x.dialect == cLike && bytes.HasPrefix(rest, []byte("//")):
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			x.pos += end
		} else {
			x.pos = len(x.src)
		}
		return true
	case x.dialect == cLike && bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest[2:], []byte("*/"))
		if end < 0 {
			x.skip(len(rest))
		} else {
			x.skip(end + 4)
		}
		return true
	}
	return false
}

// skip continues by n bytes and counts lines.
func (x *lexer) skip(n int) {
	x.line += bytes.Count(x.src[x.pos:x.pos+n], []byte{'\n'})
	x.pos += n
}

// quoted takes a string, if one starts here. A triple-quoted string that opens
// a line of Python is documentation, and dropped as comments are.
func (x *lexer) quoted() bool {
	if x.dialect == plain {
		return false
	}
	rest := x.src[x.pos:]
	prefix := stringPrefix(rest, x.dialect)
	if prefix == len(rest) || rest[prefix] != '"' && rest[prefix] != '\'' {
		return false
	}
	if x.dialect == cLike && prefix > 0 && rest[prefix-1] == 'R' {
		return x.rawString(prefix)
	}
	quote := rest[prefix : prefix+1]
	triple := bytes.Repeat(quote, 3)
	long := x.dialect != hashed && bytes.HasPrefix(rest[prefix:], triple) && (x.dialect == pythonLike || quote[0] == '"')
	if long {
		quote = triple
	}
	start := prefix + len(quote)
	end, size := stringEnd(rest[start:], quote, long)
	if !(long && x.fresh && x.dialect == pythonLike) {
		x.out = append(x.out, token{class: literal, text: string(rest[start : start+end]), line: x.line})
	}
	x.skip(start + size)
	return true
}

// rawString takes R"delimiter(...)delimiter" of C++.
func (x *lexer) rawString(prefix int) bool {
	rest := x.src[x.pos:]
	open := bytes.IndexByte(rest, '(')
	if open < 0 || open-prefix > 17 {
		return false
	}
	closing := append(append([]byte{')'}, rest[prefix+1:open]...), '"')
	end := bytes.Index(rest[open:], closing)
	if end < 0 {
		return false
	}
	x.out = append(x.out, token{class: literal, text: string(rest[open+1 : open+end]), line: x.line})
	x.skip(open + end + len(closing))
	return true
}

// stringPrefix counts the letters that may be before a string's quote.
func stringPrefix(s []byte, d dialect) int {
	letters := ""
	switch d {
	case pythonLike:
		letters = "rRbBuUfFtT"
	case cLike:
		letters = "uUL8R"
	}
	n := 0
	for n < len(s) && n < 3 && strings.IndexByte(letters, s[n]) >= 0 {
		n++
	}
	if n == len(s) || s[n] != '"' && s[n] != '\'' {
		return 0
	}
	return n
}

// stringEnd finds the closing quote: the content's length, and the length with
// the quote. A short string ends with its line.
func stringEnd(s, quote []byte, long bool) (content, size int) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case bytes.HasPrefix(s[i:], quote):
			return i, i + len(quote)
		case s[i] == '\n' && !long:
			return i, i
		}
	}
	return len(s), len(s)
}

func wordStart(c byte) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordLen is the length of the identifier at the start of s.
func wordLen(s []byte) int {
	n := 0
	for n < len(s) && (wordStart(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}

// numberLen is the length of the number at the start of s, without a full stop
// at its end.
func numberLen(s []byte) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.' || s[n] == '_' || wordStart(s[n]) && s[n] < 0x80) {
		n++
	}
	return len(bytes.TrimRight(s[:n], "._"))
}

// markLen is the length of the operator at the start of s.
func markLen(s []byte) int {
	if len(s) > 1 {
		switch string(s[:2]) {
		case "==", "!=", "<=", ">=", "&&", "||", "->", "::", "++", "--", "+=", "-=", "*=", "/=", "<<", ">>", "**", "//", ":=", "|=", "&=":
			return 2
		}
	}
	return 1
}
