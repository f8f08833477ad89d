package token

import "strings"

// Python splits Python source. Comments in the fields of f-strings are tokens,
// too: they come before the string that holds them.
func Python(src []byte) []Token {
	l := &pythonLexer{lexer: newLexer(src)}
	l.run()
	return l.tokens
}

// pythonLexer knows Python's comments, strings with all prefixes, f-strings
// with nested ones, brackets and continued lines.
type pythonLexer struct {
	*lexer
	depth    int  // of brackets
	dirty    bool // the logical line has a token
	failures int  // f-strings that Python 3.12's grammar found no end of
}

func (l *pythonLexer) run() {
	for l.more() {
		l.next()
	}
	l.endLine(len(l.src))
}

// endLine emits the end of a logical line that has anything in it.
func (l *pythonLexer) endLine(at int) {
	if l.dirty && l.depth == 0 {
		l.tokens = append(l.tokens, Token{Kind: LineEnd, Start: at, End: at, Line: l.line})
		l.dirty = false
	}
}

func (l *pythonLexer) next() {
	start, line := l.pos, l.line
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.endLine(l.pos)
		l.take(1)
	case isBlank(c):
		l.pos++
	case c == '\\' && (l.at(l.pos+1) == '\n' || l.at(l.pos+1) == '\r'):
		l.escape()
	case c == '#':
		l.restOfLine()
		l.emit(Comment, start, line)
	default:
		l.dirty = true
		l.code()
	}
}

func (l *pythonLexer) code() {
	start, line := l.pos, l.line
	c := l.src[l.pos]
	if prefix, ok := l.stringAhead(); ok {
		l.pos += len(prefix)
		l.str(prefix)
		l.emit(String, start, line)
		return
	}
	switch c {
	case '(', '[', '{':
		l.depth++
	case ')', ']', '}':
		l.depth = max(0, l.depth-1)
	}
	l.simple(0)
}

// stringAhead reports whether a string begins here, and its prefix.
func (l *pythonLexer) stringAhead() (prefix string, ok bool) {
	if IsWord(l.at(l.pos - 1)) {
		return "", false
	}
	n := 0
	for n < 3 && strings.IndexByte("rRbBuUfFtT", l.at(l.pos+n)) >= 0 {
		n++
	}
	if q := l.at(l.pos + n); q != '"' && q != '\'' {
		return "", false
	}
	return string(l.src[l.pos : l.pos+n]), true
}

// str moves over a string from its quotes on. An f-string is tried with
// Python 3.12's grammar, where fields may hold the same quotes, and read like
// any string where that finds no end.
func (l *pythonLexer) str(prefix string) {
	quote := string(l.src[l.pos])
	if triple := strings.Repeat(quote, 3); l.has(triple) {
		quote = triple
	}
	if strings.ContainsAny(prefix, "fFtT") && l.failures < maxFailures {
		saved := *l.lexer
		l.pos += len(quote)
		if l.fields(quote, false, 0) {
			return
		}
		*l.lexer = saved
		l.failures++
	}
	if len(quote) == 1 {
		l.quoted(quote[0])
		return
	}
	for l.pos += 3; l.more(); {
		switch {
		case l.has(quote):
			l.pos += 3
			return
		case l.src[l.pos] == '\\':
			l.escape() // in raw strings too a quote after a backslash does not close
		default:
			l.take(1)
		}
	}
}

// Bounds for hostile source: nested f-strings must not exhaust the stack, and
// unclosed ones not be tried to the end of the file each.
const (
	maxNesting  = 50
	maxFailures = 20
)

// fields moves over the text of an f-string up to its closing quote or, in a
// format specification, up to the brace that ends it.
func (l *pythonLexer) fields(quote string, spec bool, nesting int) (closed bool) {
	for l.more() {
		c := l.src[l.pos]
		switch {
		case spec && c == '}':
			return true
		case l.has(quote):
			if spec {
				return false
			}
			l.pos += len(quote)
			return true
		case c == '\n' && len(quote) == 1:
			return false
		case !spec && (l.has("{{") || l.has("}}")):
			l.pos += 2
		case c == '{':
			l.pos++
			if nesting > maxNesting || !l.field(quote, nesting+1) {
				return false
			}
		case c == '\\' && l.at(l.pos+1) != '{' && l.at(l.pos+1) != '}':
			l.escape()
		default:
			l.take(1)
		}
	}
	return false
}

// field moves over a replacement field after its opening brace.
func (l *pythonLexer) field(quote string, nesting int) (closed bool) {
	for depth := 0; l.more(); {
		start, line := l.pos, l.line
		c := l.src[l.pos]
		if prefix, ok := l.stringAhead(); ok {
			l.pos += len(prefix)
			if !l.nested(prefix, nesting) {
				return false
			}
			continue
		}
		switch {
		case depth == 0 && c == '}':
			l.pos++
			return true
		case depth == 0 && c == ':' && l.at(l.pos+1) != '=':
			l.pos++
			if !l.fields(quote, true, nesting) {
				return false
			}
			continue // at the closing brace
		case c == '#' && len(quote) == 3:
			l.restOfLine()
			l.emit(Comment, start, line)
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		l.take(1)
	}
	return false
}

// nested moves over a string in a replacement field.
func (l *pythonLexer) nested(prefix string, nesting int) (closed bool) {
	quote := string(l.src[l.pos])
	if triple := strings.Repeat(quote, 3); l.has(triple) {
		quote = triple
	}
	l.pos += len(quote)
	if strings.ContainsAny(prefix, "fFtT") {
		return l.fields(quote, false, nesting+1)
	}
	for l.more() {
		switch c := l.src[l.pos]; {
		case l.has(quote):
			l.pos += len(quote)
			return true
		case c == '\n' && len(quote) == 1:
			return false
		case c == '\\':
			l.escape()
		default:
			l.take(1)
		}
	}
	return false
}
