package syntax

import (
	"bytes"
	"strings"
)

// tokenKind is a class of token; other tokens are single bytes and their own
// kind.
type tokenKind byte

const (
	identToken  tokenKind = 'a'
	numberToken tokenKind = '0'
	stringToken tokenKind = 's'
	charToken   tokenKind = 'c'
	ifToken     tokenKind = 'i' // #if, #ifdef, #ifndef
	elseToken   tokenKind = 'e' // #elif, #else and their kin
	endifToken  tokenKind = 'f'
	hashToken   tokenKind = '#' // any other directive
)

type token struct {
	kind       tokenKind
	start, end int // bytes
	line       int // of the first byte
}

// lexer splits C++ into tokens. It knows comments, literals and directives,
// and takes everything else byte by byte.
type lexer struct {
	src      []byte
	pos      int
	line     int
	fresh    bool // nothing but blanks since the line began
	tokens   []token
	includes []include
}

type include struct {
	lines Range
	text  string
}

func lex(src []byte) *lexer {
	l := &lexer{src: src, line: 1, fresh: true}
	for l.pos < len(src) {
		l.next()
	}
	return l
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.line++
		l.pos++
		l.fresh = true
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
		return
	case c == '/' && (l.at(l.pos+1) == '/' || l.at(l.pos+1) == '*'):
		l.comment()
		return
	case c == '#' && l.fresh:
		l.directive()
		return
	}
	l.fresh = false
	start, line := l.pos, l.line
	kind := l.token(c)
	l.tokens = append(l.tokens, token{kind: kind, start: start, end: l.pos, line: line})
}

// token moves past one token.
func (l *lexer) token(c byte) tokenKind {
	switch {
	case c == '"':
		l.quoted('"')
		return stringToken
	case c == '\'':
		l.quoted('\'')
		return charToken
	case isDigit(c) || c == '.' && isDigit(l.at(l.pos+1)):
		l.number()
		return numberToken
	case isIdent(c):
		start := l.pos
		for isIdent(l.at(l.pos)) {
			l.pos++
		}
		return l.prefixed(string(l.src[start:l.pos]))
	}
	l.pos++
	return tokenKind(c)
}

// prefixed distinguishes an identifier from the prefix of a literal, and
// reads the literal.
func (l *lexer) prefixed(word string) tokenKind {
	next := l.at(l.pos)
	if next != '"' && next != '\'' {
		return identToken
	}
	switch word {
	case "R", "u8R", "uR", "UR", "LR":
		if next == '"' {
			l.raw()
			return stringToken
		}
	case "u8", "u", "U", "L":
		l.quoted(next)
		if next == '"' {
			return stringToken
		}
		return charToken
	}
	return identToken
}

// quoted moves past a literal; one that is not closed ends with its line.
func (l *lexer) quoted(quote byte) {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case quote:
			l.pos++
			return
		case '\n':
			return
		case '\\':
			l.escaped()
		}
	}
}

// escaped moves to the last byte of an escape; a line may end in it.
func (l *lexer) escaped() {
	if l.at(l.pos+1) == '\r' && l.at(l.pos+2) == '\n' {
		l.pos++
	}
	if l.pos+1 < len(l.src) {
		l.pos++
	}
	if l.src[l.pos] == '\n' {
		l.line++
	}
}

// raw moves past "delimiter( ... )delimiter".
func (l *lexer) raw() {
	open := bytes.IndexByte(l.src[l.pos:min(len(l.src), l.pos+20)], '(')
	if open < 0 {
		l.quoted('"')
		return
	}
	closing := ")" + string(l.src[l.pos+1:l.pos+open]) + `"`
	body := l.src[l.pos+open:]
	length := bytes.Index(body, []byte(closing))
	if length < 0 {
		length = len(body) - len(closing)
	}
	end := min(len(l.src), l.pos+open+max(length, 0)+len(closing))
	l.line += bytes.Count(l.src[l.pos:end], []byte{'\n'})
	l.pos = end
}

func (l *lexer) number() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", l.at(l.pos-1)) >= 0
		separator := c == '\'' && isIdent(l.at(l.pos+1))
		if !isIdent(c) && c != '.' && !sign && !separator {
			return
		}
		l.pos++
	}
}

func (l *lexer) comment() {
	if l.src[l.pos+1] == '/' {
		for ; l.pos < len(l.src) && l.src[l.pos] != '\n'; l.pos++ {
			if l.src[l.pos] == '\\' {
				l.escaped()
			}
		}
		return
	}
	end := len(l.src)
	if i := bytes.Index(l.src[l.pos+2:], []byte("*/")); i >= 0 {
		end = l.pos + 2 + i + 2
	}
	l.line += bytes.Count(l.src[l.pos:end], []byte{'\n'})
	l.pos = end
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isIdent(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c >= 0x80
}
