package style

import "bytes"

// javaLexer knows Java's comments, literals and text blocks. Unicode escapes
// outside of literals are left as they are: see hiddenEscapes.
type javaLexer struct{ *lexer }

func (l *javaLexer) run() {
	for l.more() {
		start, line := l.pos, l.line
		switch c := l.src[l.pos]; {
		case c == '\n' || isBlank(c):
			l.take(1)
		case l.has("//"):
			l.restOfLine()
			l.emit(commentToken, start, line)
		case l.has("/*"):
			l.pos += 2
			l.until("*/")
			l.emit(commentToken, start, line)
		case l.has(`"""`):
			l.textBlock()
			l.emit(stringToken, start, line)
		case c == '"' || c == '\'':
			l.quoted(c)
			l.emit(literalKind(c), start, line)
		default:
			l.simple(0)
		}
	}
}

func literalKind(quote byte) tokenKind {
	if quote == '\'' {
		return charToken
	}
	return stringToken
}

func (l *javaLexer) textBlock() {
	for l.pos += 3; l.more(); {
		switch {
		case l.has(`"""`):
			l.pos += 3
			return
		case l.src[l.pos] == '\\':
			l.escape()
		default:
			l.take(1)
		}
	}
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
			l.emit(commentToken, start, line)
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
			l.emit(directiveToken, start, line)
		}
	}
	for l.more() && l.src[l.pos] != '\n' && l.src[l.pos] != '\r' {
		c := l.src[l.pos]
		switch {
		case l.has("//") || l.has("/*"):
			piece()
			start, line = l.pos, l.line
			l.comment()
			l.emit(commentToken, start, line)
			start, line = l.pos, l.line
		case c == '\\':
			l.escape()
		case c == '"' && l.at(l.pos-1) == 'R':
			l.raw()
		case c == '"' || c == '\'' && !isWord(l.at(l.pos-1)):
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
	case isWord(c) && !isDigit(c):
		word := l.word()
		quote := l.at(l.pos)
		if quote != '"' && quote != '\'' || !cppPrefix(word) {
			l.emit(wordToken, start, line)
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
