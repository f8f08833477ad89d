package token

// Java splits Java source.
func Java(src []byte) []Token {
	l := &javaLexer{newLexer(src)}
	l.run()
	return l.tokens
}

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
			l.emit(Comment, start, line)
		case l.has("/*"):
			l.pos += 2
			l.until("*/")
			l.emit(Comment, start, line)
		case l.has(`"""`):
			l.textBlock()
			l.emit(String, start, line)
		case c == '"' || c == '\'':
			l.quoted(c)
			l.emit(literalKind(c), start, line)
		default:
			l.simple(0)
		}
	}
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
