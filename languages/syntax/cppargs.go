package syntax

import "strings"

// span is a run of tokens, the end excluded.
type span struct{ from, to int }

// arguments splits what is in the parentheses that open at token i. end is
// the index of the closing one, or of the last token where there is none.
func (s *scanner) arguments(i int) (args []span, end int) {
	depth, from := 0, i+1
	for end = i; end < len(s.tokens); end++ {
		switch s.tokens[end].kind {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return append(args, span{from, end}), end
			}
		case ',':
			if depth == 1 {
				args = append(args, span{from, end})
				from = end + 1
			}
		case ';':
			if depth == 1 {
				return nil, end // no argument list, then
			}
		}
	}
	return nil, len(s.tokens) - 1
}

// identifier is the text of an argument that is one word, or "".
func (s *scanner) identifier(a span) string {
	if a.to-a.from != 1 || s.tokens[a.from].kind != identToken {
		return ""
	}
	return s.word(a.from)
}

// text is the value of an argument made of string literals. doctest lets
// decorators follow a case's name, after an asterisk.
func (s *scanner) text(a span, decorated bool) (string, bool) {
	var b strings.Builder
	for i := a.from; i < a.to; i++ {
		switch t := s.tokens[i]; {
		case t.kind == stringToken:
			b.WriteString(literal(s.word(i)))
		case t.kind == '*' && decorated && i > a.from:
			return b.String(), true
		default:
			return "", false
		}
	}
	return b.String(), a.to > a.from
}

// begins reports whether a macro at token i can begin a test: a function that
// has a macro's name, or a use of the name in an expression, does not.
func (s *scanner) begins(i int, m macro) bool {
	if i == 0 {
		return true
	}
	before := s.tokens[i-1]
	switch before.kind {
	case ';', '{', '}', ')', ']', ':', '>', hashToken, ifToken, elseToken, endifToken:
		return before.kind != '>' || m.kind == TestCase
	case identToken:
		word := s.word(i - 1)
		return word == "else" || word == "do" || word == "static" || before.line < s.tokens[i].line
	}
	return false
}
