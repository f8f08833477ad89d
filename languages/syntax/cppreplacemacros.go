package syntax

import "strings"

// paint puts text, which is shorter, and blanks over the tokens from first to
// last.
func (s *scanner) paint(first, last int, text string) {
	start, end := s.tokens[first].start, s.tokens[last].end
	for i := start; i < end; i++ {
		if s.plain[i] != '\n' && s.plain[i] != '\r' {
			s.plain[i] = ' '
		}
	}
	if len(text) <= end-start {
		copy(s.plain[start:], text)
	}
}

// placeholder is what the grammar gets in place of a macro before a body: a
// function for a case, a statement for a section, since a mere block that is
// empty would be an initializer.
func placeholder(m macro) string {
	if m.kind == TestCase {
		return "void t()"
	}
	return "for(;;)"
}

// suite paints over doctest's TEST_SUITE("name") { ... }, a namespace to the
// grammar.
func (s *scanner) suite(word string, i int) {
	if word != "TEST_SUITE" && word != "DOCTEST_TEST_SUITE" {
		return
	}
	if _, end := s.arguments(i + 1); end+1 < len(s.tokens) && s.tokens[end+1].kind == '{' {
		s.paint(i, end, "namespace")
	}
}

// unexport paints over the macro in "class API Name {", which the grammar
// would mistake for a function that returns an API.
func (s *scanner) unexport(i int) {
	switch s.word(i) {
	case "class", "struct", "union":
	default:
		return
	}
	at := i + 1
	if at >= len(s.tokens) || s.tokens[at].kind != identToken || !shouted(s.word(at)) {
		return
	}
	last := at
	if at+1 < len(s.tokens) && s.tokens[at+1].kind == '(' {
		_, last = s.arguments(at + 1)
	}
	if last+2 >= len(s.tokens) || s.tokens[last+1].kind != identToken {
		return
	}
	next := s.tokens[last+2]
	if next.kind == '{' || next.kind == ':' || next.kind == '<' || next.kind == identToken && s.word(last+2) == "final" {
		s.paint(at, last, "")
	}
}

// shouted recognises a macro's name: capitals, digits and underscores.
func shouted(word string) bool {
	return len(word) > 1 && strings.ToUpper(word) == word
}

// word is the text of the token at i.
func (s *scanner) word(i int) string { return string(s.src[s.tokens[i].start:s.tokens[i].end]) }
