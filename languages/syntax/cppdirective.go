package syntax

import (
	"bytes"
	"strings"

	"assay/languages/token"
)

// directive reads the preprocessor line at token i and returns the index of the
// token after it. Its text is not code: what a macro's definition holds is not
// declared.
func (s *cppSource) directive(all []token.Token, i int) int {
	word, rest, next := s.logicalLine(all, i)
	first, end := all[i], all[next-1].End
	kind := hashToken
	switch word {
	case "include", "include_next", "import":
		lines := Range{Start: first.Line, End: first.Line + bytes.Count(s.src[first.Start:end], []byte{'\n'})}
		s.includes = append(s.includes, include{lines: lines, text: rest})
	case "if", "ifdef", "ifndef":
		kind = ifToken
	case "elif", "else", "elifdef", "elifndef":
		kind = elseToken
	case "endif":
		kind = endifToken
	}
	s.tokens = append(s.tokens, cppToken{kind: kind, start: first.Start, end: end, line: first.Line})
	if word == "if" && (rest == "0" || rest == "false") {
		return s.afterDead(all, next)
	}
	return next
}

// logicalLine reads the directive at token i: its word, the rest without
// comments and continuations, and the index of the token that follows.
func (s *cppSource) logicalLine(all []token.Token, i int) (word, rest string, next int) {
	var text []byte
	for next = i; next < len(all) && (next == i || s.sameLine(all[next-1], all[next])); next++ {
		if all[next].Kind == token.Directive {
			text = append(text, all[next].Text(s.src)...)
		}
	}
	word, rest = splitDirective(strings.NewReplacer("\\\n", "", "\\\r\n", "").Replace(string(text)))
	return word, rest, next
}

// sameLine reports whether a token is in the line in which the one before it
// ends.
func (s *cppSource) sameLine(before, t token.Token) bool {
	return !bytes.ContainsAny(s.src[before.End:t.Start], "\r\n")
}

// splitDirective splits "#  if  0 " into its word and the rest.
func splitDirective(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "#"), "%:"))
	i := 0
	for i < len(text) && token.IsWord(text[i]) {
		i++
	}
	return text[:i], strings.TrimSpace(text[i:])
}

// afterDead is the index of the directive that ends an #if 0, whose first
// token is at i.
func (s *cppSource) afterDead(all []token.Token, i int) int {
	for depth := 0; i < len(all); {
		if all[i].Kind != token.Directive {
			i++
			continue
		}
		word, _, next := s.logicalLine(all, i)
		switch {
		case strings.HasPrefix(word, "if"):
			depth++
		case word == "endif" && depth > 0:
			depth--
		case depth == 0 && (word == "endif" || strings.HasPrefix(word, "el")):
			return i
		}
		i = next
	}
	return i
}
