package syntax

import (
	"bytes"
	"strings"
)

// directive reads a preprocessor line with its continuations. Its text is not
// code: what a macro's definition holds is not declared.
func (l *lexer) directive() {
	start, line := l.pos, l.line
	word, rest := splitDirective(l.logicalLine())
	kind := hashToken
	switch word {
	case "include", "include_next", "import":
		l.includes = append(l.includes, include{lines: Range{Start: line, End: l.line}, text: rest})
	case "if", "ifdef", "ifndef":
		kind = ifToken
	case "elif", "else", "elifdef", "elifndef":
		kind = elseToken
	case "endif":
		kind = endifToken
	}
	l.tokens = append(l.tokens, token{kind: kind, start: start, end: l.pos, line: line})
	if word == "if" && (rest == "0" || rest == "false") {
		l.skipDead()
	}
}

// logicalLine moves past a line, and those that continue it, and returns its
// text without comments.
func (l *lexer) logicalLine() string {
	var text []byte
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		c := l.src[l.pos]
		switch {
		case c == '/' && (l.at(l.pos+1) == '/' || l.at(l.pos+1) == '*'):
			l.comment()
			continue
		case c == '"' || c == '\'' && !isIdent(l.at(l.pos-1)):
			from := l.pos
			l.quoted(c)
			text = append(text, l.src[from:l.pos]...)
			continue
		case c == '\\' && l.at(l.pos+1) == '\n':
			l.pos++
			l.line++
		case c == '\\' && l.at(l.pos+1) == '\r' && l.at(l.pos+2) == '\n':
			l.pos += 2
			l.line++
		default:
			text = append(text, c)
		}
		l.pos++
	}
	return string(text)
}

// splitDirective splits "#  if  0 " into its word and the rest.
func splitDirective(text string) (word, rest string) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	i := 0
	for i < len(text) && isIdent(text[i]) {
		i++
	}
	return text[:i], strings.TrimSpace(text[i:])
}

// skipDead moves past the lines of an #if 0, up to the directive that ends
// them.
func (l *lexer) skipDead() {
	for depth := 0; l.pos < len(l.src); {
		end := bytes.IndexByte(l.src[l.pos:], '\n')
		if end < 0 {
			l.pos = len(l.src)
			return
		}
		l.pos += end + 1
		l.line++
		l.fresh = true
		text := bytes.TrimLeft(l.src[l.pos:min(len(l.src), l.pos+200)], " \t")
		if len(text) == 0 || text[0] != '#' {
			continue
		}
		line, _, _ := bytes.Cut(text, []byte{'\n'})
		word, _ := splitDirective(string(line))
		switch {
		case strings.HasPrefix(word, "if"):
			depth++
		case word == "endif" && depth > 0:
			depth--
		case depth == 0 && (word == "endif" || strings.HasPrefix(word, "el")):
			return
		}
	}
}
