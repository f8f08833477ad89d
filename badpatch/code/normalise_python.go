package code

import "strings"

// python reads Python. A statement that is one string is a docstring, or has
// no effect, and leaves no trace.
func (l *lexer) python() {
	l.indents = []int{0}
	l.lineStart()
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch b := rest[0]; {
		case b == '\n':
			l.at++
			if l.depth == 0 {
				l.endStatement()
				l.lineStart()
			}
		case b == ' ' || b == '\t' || b == '\r' || b == '\f':
			l.at++
		case b == '#':
			l.at += until(rest, "\n")
		case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
			l.at += strings.IndexByte(rest, '\n') + 1
		case b == ';' && l.depth == 0:
			l.at++
			l.endStatement()
		default:
			l.pythonToken(rest)
		}
	}
	l.endStatement()
}

func (l *lexer) pythonToken(rest string) {
	b := rest[0]
	if n := pythonString(rest); n > 0 {
		l.onlyText = l.first || l.onlyText
		l.first = false
		l.take(n)
		return
	}
	l.first, l.onlyText = false, false
	switch {
	case IsWord(b):
		l.takeWord(rest)
		return
	case strings.IndexByte("([{", b) >= 0:
		l.depth++
	case strings.IndexByte(")]}", b) >= 0:
		l.depth = max(0, l.depth-1)
	}
	l.take(1)
}

// pythonString is the length of the string that a text begins with; 0 for
// none.
func pythonString(text string) int {
	n := 0
	for n < len(text) && n < 3 && strings.IndexByte("rRbBuUfFtT", text[n]) >= 0 {
		n++
	}
	if n >= len(text) || text[n] != '"' && text[n] != '\'' {
		return 0
	}
	triple := strings.Repeat(text[n:n+1], 3)
	if !strings.HasPrefix(text[n:], triple) {
		return quoted(text, n)
	}
	for i := n + 3; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.HasPrefix(text[i:], triple) {
			return i + 3
		}
	}
	return len(text)
}

// lineStart measures a line's indentation; blank lines have none.
func (l *lexer) lineStart() {
	column, i := 0, l.at
	for ; i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t' || l.src[i] == '\f'); i++ {
		if l.src[i] == '\t' {
			column += 8 - column%8
		} else {
			column++
		}
	}
	l.at = i
	l.first, l.onlyText, l.mark = true, false, len(l.out)
	if i == len(l.src) || l.src[i] == '\n' || l.src[i] == '\r' || l.src[i] == '#' {
		return
	}
	if column > l.indents[len(l.indents)-1] {
		l.indents = append(l.indents, column)
		l.emit("\x0e")
	}
	for column < l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.emit("\x0f")
	}
	l.mark = len(l.out)
}

// endStatement closes a statement; one that is only a string is taken back.
func (l *lexer) endStatement() {
	if l.onlyText {
		l.out = l.out[:l.mark]
	} else if len(l.out) > l.mark {
		l.emit("\n")
	}
	l.first, l.onlyText, l.mark = true, false, len(l.out)
}
