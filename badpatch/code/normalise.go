package code

import (
	"bytes"
	"strings"

	"assay/languages/token"
)

// Normalise is the normal form of source code: its tokens with one blank
// between them, without comments, docstrings and layout; in Python with marks
// for the ends of statements and for what is indented. Two files of the same
// form do the same. Of a text in no known language the words are the form.
//
// It reads text only and never fails: damaged source has a form, too.
func Normalise(language string, src []byte) string {
	s := spellingOf(language)
	if s.lex == nil {
		return strings.Join(strings.Fields(string(src)), " ")
	}
	f := &form{src: src, lex: s.lex, out: make([]byte, 0, len(src))}
	if tokens := s.lex(src); s.indented {
		f.lines(tokens)
	} else {
		f.braces(tokens)
	}
	return string(f.out)
}

// form is a normal form in the making.
type form struct {
	src []byte
	lex func(src []byte) []token.Token
	out []byte

	indents []int // columns of the open blocks, in languages with indentation
}

func (f *form) emit(text string) {
	if len(f.out) > 0 {
		f.out = append(f.out, ' ')
	}
	f.out = append(f.out, text...)
}

// braces reads a language without indentation. What the preprocessor reads
// keeps its line ends.
func (f *form) braces(tokens []token.Token) {
	directive := false
	for i, t := range tokens {
		if i > 0 && directive && bytes.ContainsAny(f.src[tokens[i-1].End:t.Start], "\r\n") {
			f.emit("\n")
			directive = false
		}
		switch t.Kind {
		case token.Comment:
		case token.Directive:
			directive = true
			f.directive(t.Text(f.src))
		default:
			f.emit(t.Text(f.src))
		}
	}
	if directive {
		f.emit("\n")
	}
}

// directive emits the tokens of a preprocessor line, or of a piece of one.
func (f *form) directive(text string) {
	for text = strings.TrimSpace(text); strings.HasPrefix(text, "#"); text = strings.TrimSpace(text[1:]) {
		f.emit("#")
	}
	src := []byte(text)
	for _, t := range f.lex(src) {
		f.emit(t.Text(src))
	}
}

// lines reads a language whose statements end with their lines, or with
// semicolons.
func (f *form) lines(tokens []token.Token) {
	f.indents = []int{0}
	var statement []token.Token
	depth, fresh := 0, true
	for _, t := range tokens {
		switch {
		case t.Kind == token.Comment:
			continue
		case t.Kind == token.LineEnd:
			f.statement(statement)
			statement, depth, fresh = statement[:0], 0, true
			continue
		case t.Kind == token.Punct:
			switch f.src[t.Start] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			case ';':
				if depth == 0 {
					f.statement(statement)
					statement = statement[:0]
					continue
				}
			}
		}
		if fresh {
			f.indent(f.column(t))
			fresh = false
		}
		statement = append(statement, t)
	}
	f.statement(statement)
}

// statement emits a statement. One that is only text is a docstring, or has
// no effect, and leaves no trace.
func (f *form) statement(tokens []token.Token) {
	text := true
	for _, t := range tokens {
		text = text && t.Kind == token.String
	}
	if text {
		return
	}
	for _, t := range tokens {
		f.emit(t.Text(f.src))
	}
	f.emit("\n")
}

// column is where a line's first token is, with tabs to the next multiple of
// eight.
func (f *form) column(t token.Token) int {
	column := 0
	for _, c := range f.src[bytes.LastIndexByte(f.src[:t.Start], '\n')+1 : t.Start] {
		if c == '\t' {
			column += 8 - column%8
		} else {
			column++
		}
	}
	return column
}

// indent emits marks for the blocks that a line opens or closes.
func (f *form) indent(column int) {
	if column > f.indents[len(f.indents)-1] {
		f.indents = append(f.indents, column)
		f.emit("\x0e")
	}
	for column < f.indents[len(f.indents)-1] {
		f.indents = f.indents[:len(f.indents)-1]
		f.emit("\x0f")
	}
}
