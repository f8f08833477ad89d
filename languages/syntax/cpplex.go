package syntax

import (
	"bytes"

	"assay/languages/token"
)

// cppKind is a class of token; other tokens are single bytes and their own
// kind.
type cppKind byte

const (
	identToken  cppKind = 'a'
	numberToken cppKind = '0'
	stringToken cppKind = 's'
	charToken   cppKind = 'c'
	ifToken     cppKind = 'i' // #if, #ifdef, #ifndef
	elseToken   cppKind = 'e' // #elif, #else and their kin
	endifToken  cppKind = 'f'
	hashToken   cppKind = '#' // any other directive
)

// cppToken is a token of code, or a whole directive.
type cppToken struct {
	kind       cppKind
	start, end int // bytes
	line       int // of the first byte
}

// cppSource is C++ split into tokens, without comments and without what is
// between an #if 0 and the directive that ends it.
type cppSource struct {
	src      []byte
	tokens   []cppToken
	includes []include
	lines    int
}

type include struct {
	lines Range
	text  string
}

func lexCpp(src []byte) *cppSource {
	s := &cppSource{src: src, lines: 1 + bytes.Count(src, []byte{'\n'})}
	all := token.Cpp(src)
	for i := 0; i < len(all); {
		if all[i].Kind == token.Directive {
			i = s.directive(all, i)
			continue
		}
		s.code(all[i])
		i++
	}
	return s
}

func (s *cppSource) code(t token.Token) {
	kind := cppKind(s.src[t.Start])
	switch t.Kind {
	case token.Comment:
		return
	case token.Word:
		kind = identToken
	case token.Number:
		kind = numberToken
	case token.String:
		kind = stringToken
	case token.Char:
		kind = charToken
	}
	s.tokens = append(s.tokens, cppToken{kind: kind, start: t.Start, end: t.End, line: t.Line})
}
