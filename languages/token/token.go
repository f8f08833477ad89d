// Package token splits source text of Python, Java and C++ into tokens. It
// takes any text, also one that no compiler takes.
package token

import (
	"bytes"
	"strings"
)

// Kind describes what a token is.
type Kind byte

// The kinds of token.
const (
	Comment   Kind = 'c'
	String    Kind = 's' // literals with prefix and quotes
	Char      Kind = 'q' // Java and C++: literals in single quotes
	Word      Kind = 'w' // identifiers and keywords
	Number    Kind = 'n'
	Punct     Kind = 'p' // one byte each
	Directive Kind = '#' // C++: a preprocessor line up to its comment or end, with its continuations
	LineEnd   Kind = 'l' // Python: the end of a logical line; empty
)

// Token is a piece of a text. What is between two tokens is blank.
type Token struct {
	Kind       Kind
	Start, End int // bytes
	Line       int // of the first byte, from 1
}

// Text is the token's text in its source.
func (t Token) Text(src []byte) string { return string(src[t.Start:t.End]) }

// lexer splits source into tokens. Nothing is dropped but blanks; what is not
// closed ends where a compiler would give up, at the end of its line or file.
type lexer struct {
	src    []byte
	pos    int
	line   int
	tokens []Token
}

func newLexer(src []byte) *lexer {
	l := &lexer{src: src, line: 1}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		l.pos = 3
	}
	return l
}

func (l *lexer) more() bool { return l.pos < len(l.src) }

func (l *lexer) at(i int) byte {
	if i >= 0 && i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) has(prefix string) bool { return bytes.HasPrefix(l.src[l.pos:], []byte(prefix)) }

// emit ends the token that began at start; pos follows it.
func (l *lexer) emit(kind Kind, start, line int) {
	l.tokens = append(l.tokens, Token{Kind: kind, Start: start, End: l.pos, Line: line})
}

// take moves over n bytes, counting lines.
func (l *lexer) take(n int) {
	end := min(l.pos+n, len(l.src))
	l.line += bytes.Count(l.src[l.pos:end], []byte{'\n'})
	l.pos = end
}

// until moves to the end of the next mark, or to the end of the text.
func (l *lexer) until(mark string) {
	if i := bytes.Index(l.src[l.pos:], []byte(mark)); i >= 0 {
		l.take(i + len(mark))
		return
	}
	l.take(len(l.src))
}

// restOfLine moves to the next line end, but not over it.
func (l *lexer) restOfLine() {
	for l.more() && l.src[l.pos] != '\n' && l.src[l.pos] != '\r' {
		l.pos++
	}
}

// escape moves over a backslash and what it escapes, a line end included.
func (l *lexer) escape() {
	n := 2
	if l.at(l.pos+1) == '\r' && l.at(l.pos+2) == '\n' {
		n = 3
	}
	l.take(n)
}

// quoted moves over a literal of one line, at whose quote pos is.
func (l *lexer) quoted(quote byte) {
	for l.pos++; l.more(); {
		switch c := l.src[l.pos]; {
		case c == quote:
			l.pos++
			return
		case c == '\n' || c == '\r':
			return
		case c == '\\':
			l.escape()
		default:
			l.pos++
		}
	}
}

func (l *lexer) word() string {
	start := l.pos
	for IsWord(l.at(l.pos)) {
		l.pos++
	}
	return string(l.src[start:l.pos])
}

// number moves over a numeric literal, generously: 0x1p-3, 1_000, 1'000, 1e+5.
func (l *lexer) number(separator byte) {
	for l.more() {
		c := l.src[l.pos]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", l.at(l.pos-1)) >= 0
		if !IsWord(c) && c != '.' && !sign && (c != separator || !IsWord(l.at(l.pos+1))) {
			return
		}
		l.pos++
	}
}

// simple emits what looks the same in all three languages: words, numbers and
// punctuation.
func (l *lexer) simple(separator byte) {
	start, c := l.pos, l.src[l.pos]
	switch {
	case isDigit(c) || c == '.' && isDigit(l.at(l.pos+1)):
		l.number(separator)
		l.emit(Number, start, l.line)
	case IsWord(c):
		l.word()
		l.emit(Word, start, l.line)
	default:
		l.pos++
		l.emit(Punct, start, l.line)
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsWord reports whether a byte can be part of an identifier.
func IsWord(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c >= 0x80
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

func literalKind(quote byte) Kind {
	if quote == '\'' {
		return Char
	}
	return String
}
