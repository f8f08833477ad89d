package syntax

import (
	"sort"
	"strings"
)

// scanner finds test macros among tokens, and where their bodies end. It
// follows braces through preprocessor conditions: every branch begins at the
// depth at which the condition began.
type scanner struct {
	*cppSource
	file    *File
	depth   int
	saved   []int // depth at each open #if
	open    []openTest
	symbols []Symbol
	plain   []byte // the source with macros painted over
}

// openTest is a test whose body has not ended.
type openTest struct {
	symbol int // -1 for one whose name is not known
	depth  int // outside its braces
	until  int // index of the last token of a body without braces; 0 for one with
}

// scanTests adds the file's test macros and includes. It returns the source
// with them, and macros in front of classes' names, painted over: of the same
// length, and clean as far as the grammar is concerned.
func scanTests(src []byte, file *File) []byte {
	s := &scanner{cppSource: lexCpp(src), file: file, plain: append([]byte(nil), src...)}
	for _, i := range s.includes {
		file.Imports = append(file.Imports, i.lines)
		file.doctest = file.doctest || strings.Contains(i.text, "doctest")
	}
	file.plain = s.plainIncludes()
	for i := 0; i < len(s.tokens); {
		i = s.step(i)
	}
	s.closeTo(0, s.lines)
	file.Symbols = append(file.Symbols, s.symbols...)
	return s.plain
}

// plainIncludes are the includes in the fewest preprocessor conditions: what is
// around all of them is the file's own guard.
func (s *scanner) plainIncludes() []Range {
	var found []Range
	least, depth, at := 0, 0, 0
	for _, i := range s.includes {
		for ; at < len(s.tokens) && s.tokens[at].line < i.lines.Start; at++ {
			switch s.tokens[at].kind {
			case ifToken:
				depth++
			case endifToken:
				depth = max(0, depth-1)
			}
		}
		if len(found) == 0 || depth < least {
			found, least = nil, depth
		}
		if depth == least {
			found = append(found, i.lines)
		}
	}
	return found
}

// step handles the token at i and returns the index of the next one to look
// at.
func (s *scanner) step(i int) int {
	t := s.tokens[i]
	for n := len(s.open); n > 0 && s.open[n-1].until > 0 && s.open[n-1].until < i; n-- {
		s.open = s.open[:n-1]
	}
	switch t.kind {
	case '{':
		s.depth++
	case '}':
		s.depth = max(0, s.depth-1)
		s.closeTo(s.depth, t.line)
	case ifToken:
		s.saved = append(s.saved, s.depth)
	case elseToken:
		if n := len(s.saved); n > 0 {
			s.depth = s.saved[n-1]
			s.closeTo(s.depth, t.line)
		}
	case endifToken:
		if n := len(s.saved); n > 0 {
			s.saved = s.saved[:n-1]
		}
	case identToken:
		if i+1 < len(s.tokens) && s.tokens[i+1].kind == '(' {
			return s.call(i)
		}
		s.unexport(i)
	}
	return i + 1
}

// closeTo ends the tests whose body began at depth or deeper.
func (s *scanner) closeTo(depth, line int) {
	for n := len(s.open); n > 0 && s.open[n-1].depth >= depth; n-- {
		if o := s.open[n-1]; o.symbol >= 0 && o.until == 0 {
			s.symbols[o.symbol].End = line
		}
		s.open = s.open[:n-1]
	}
}

// call handles a word before a parenthesis.
func (s *scanner) call(i int) int {
	word := s.word(i)
	if arg, ok := instantiation(word); ok {
		if args, end := s.arguments(i + 1); arg < len(args) {
			key := s.identifier(args[arg])
			s.file.values[key] = append(s.file.values[key], Range{s.tokens[i].line, s.tokens[end].line})
			s.paint(i, end, "")
		}
		return i + 1
	}
	m, ok := testMacro(word, s.file.doctest)
	if !ok || !s.begins(i, m) {
		s.suite(word, i)
		return i + 1
	}
	args, end := s.arguments(i + 1)
	sym, ok := s.symbol(m, word, args)
	sym.Start = s.tokens[i].line
	return s.body(sym, ok, m, i, end+1)
}

// body opens the body, at token i, of a test whose macro is at token at. One
// without a known name is opened, too: what is in it has no known name either.
func (s *scanner) body(sym Symbol, known bool, m macro, at, i int) int {
	o := openTest{symbol: -1, depth: s.depth}
	sym.End = s.tokens[i-1].line
	brace := i
	for brace < min(i+2, len(s.tokens)) && s.tokens[brace].kind == identToken {
		brace++ // attributes in the shape of macros
	}
	switch {
	case m.bodiless:
		if known {
			s.symbols = append(s.symbols, sym)
		}
		s.paint(at, i-1, "")
		return i
	case brace < len(s.tokens) && s.tokens[brace].kind == '{':
		s.paint(at, brace-1, placeholder(m))
		i = brace + 1
		s.depth++
	case m.kind == Section && i < len(s.tokens):
		s.paint(at, i-1, placeholder(m))
		o.until = s.statement(i)
		sym.End = s.tokens[o.until].line
	default:
		return i
	}
	if known {
		s.symbols = append(s.symbols, sym)
		o.symbol = len(s.symbols) - 1
	}
	s.open = append(s.open, o)
	return i
}

// statement is the index of the last token of the statement at i.
func (s *scanner) statement(i int) int {
	depth := 0
	for ; i < len(s.tokens)-1; i++ {
		switch s.tokens[i].kind {
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth < 0 || depth == 0 && s.tokens[i].kind == '}' {
				return i
			}
		case ';':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// symbol reads a macro's arguments; it fails where no name can be known.
func (s *scanner) symbol(m macro, word string, args []span) (Symbol, bool) {
	sym := Symbol{Kind: m.kind, Annotations: []string{word}}
	sym.traits.templated = m.templated
	if m.gtest {
		if len(args) != 2 {
			return sym, false
		}
		sym.Suite, sym.Name = s.identifier(args[0]), s.identifier(args[1])
		return sym, sym.Suite != "" && sym.Name != ""
	}
	if m.name >= len(args) {
		return sym, false
	}
	name, ok := s.text(args[m.name], m.kind == TestCase)
	if strings.TrimSpace(name) == "" {
		return sym, false // anonymous
	}
	sym.Name = strings.TrimSpace(m.prefix + name)
	if m.id > 0 && m.id < len(args) {
		sym.refs = append(sym.refs, s.identifier(args[m.id]))
	}
	if m.kind == Section {
		n := len(s.open)
		if n == 0 || s.open[n-1].symbol < 0 {
			return sym, false
		}
		outer := s.symbols[s.open[n-1].symbol]
		sym.Parents = with(outer.Parents, outer.Name)
		sym.traits.templated = outer.traits.templated
	}
	return sym, ok
}

// dropInside removes symbols of the tree that are inside tests.
func dropInside(symbols []Symbol) []Symbol {
	sortSymbols(symbols)
	var tests []Range
	for _, t := range symbols {
		if t.Kind == TestCase {
			tests = append(tests, Range{t.Start, t.End})
		}
	}
	kept := symbols[:0]
	for _, sym := range symbols {
		i := sort.Search(len(tests), func(i int) bool { return tests[i].Start > sym.Start }) - 1
		inside := i >= 0 && sym.End <= tests[i].End
		if sym.Kind == TestCase || sym.Kind == Section || !inside {
			kept = append(kept, sym)
		}
	}
	return kept
}
