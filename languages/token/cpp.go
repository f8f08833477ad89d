package token

import "bytes"

// Cpp splits C and C++ source.
func Cpp(src []byte) []Token {
	l := &cppLexer{lexer: newLexer(src), fresh: true}
	l.run()
	return l.tokens
}

// cppLexer knows C++'s comments, literals with prefixes, raw strings, line
// continuations and directives.
type cppLexer struct {
	*lexer
	fresh bool // nothing but blanks and comments since the line began
}

func (l *cppLexer) run() {
	for l.more() {
		start, line := l.pos, l.line
		switch c := l.src[l.pos]; {
		case c == '\n' || c == '\r': // a lone \r ends a line to clang, too
			l.take(1)
			l.fresh = true
		case isBlank(c):
			l.pos++
		case c == '\\' && (l.at(l.pos+1) == '\n' || l.at(l.pos+1) == '\r'):
			l.escape()
		case l.has("//") || l.has("/*"):
			l.comment()
			l.emit(Comment, start, line)
		case (c == '#' || l.has("%:")) && l.fresh:
			l.directive()
		default:
			l.fresh = false
			l.code()
		}
	}
}

func (l *cppLexer) comment() {
	if l.has("/*") {
		l.pos += 2
		l.until("*/")
		return
	}
	for l.more() && l.src[l.pos] != '\n' && l.src[l.pos] != '\r' {
		if l.src[l.pos] == '\\' {
			l.escape() // a comment continues in the next line
			continue
		}
		l.pos++
	}
}

// directive emits a preprocessor line. Comments in it are tokens of their
// own, so the line may come in several pieces, each starting where the
// comment before it ended; only the first starts with "#".
func (l *cppLexer) directive() {
	start, line := l.pos, l.line
	piece := func() {
		if len(bytes.TrimSpace(l.src[start:l.pos])) > 0 {
			l.emit(Directive, start, line)
		}
	}
	for l.more() && l.src[l.pos] != '\n' && l.src[l.pos] != '\r' {
		c := l.src[l.pos]
		switch {
		case l.has("//") || l.has("/*"):
			piece()
			start, line = l.pos, l.line
			l.comment()
			l.emit(Comment, start, line)
			start, line = l.pos, l.line
		case c == '\\':
			l.escape()
		case c == '"' && l.at(l.pos-1) == 'R':
			l.raw()
		case c == '"' || c == '\'' && !IsWord(l.at(l.pos-1)):
			l.quoted(c)
		default:
			l.pos++
		}
	}
	piece()
}

func (l *cppLexer) code() {
	start, line := l.pos, l.line
	c := l.src[l.pos]
	switch {
	case c == '"' || c == '\'':
		l.quoted(c)
		l.emit(literalKind(c), start, line)
	case IsWord(c) && !isDigit(c):
		word := l.word()
		quote := l.at(l.pos)
		if quote != '"' && quote != '\'' || !cppPrefix(word) {
			l.emit(Word, start, line)
			return
		}
		if word[len(word)-1] == 'R' && quote == '"' {
			l.raw()
		} else {
			l.quoted(quote)
		}
		l.emit(literalKind(quote), start, line)
	default:
		l.simple('\'')
	}
}

func cppPrefix(word string) bool {
	switch word {
	case "R", "u8R", "uR", "UR", "LR", "u8", "u", "U", "L":
		return true
	}
	return false
}

// raw moves over a raw string from its quote on. Its delimiter has 16
// characters at most.
func (l *cppLexer) raw() {
	open := bytes.IndexByte(l.src[l.pos:min(len(l.src), l.pos+18)], '(')
	if open < 0 {
		l.quoted('"')
		return
	}
	closing := ")" + string(l.src[l.pos+1:l.pos+open]) + `"`
	l.take(open)
	l.until(closing)
}
