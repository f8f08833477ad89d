package tolerant

import (
	"slices"
	"strings"

	"assay/languages/syntax"
	"assay/methods/outline"
)

// snippet is the code of a block, split into its parts.
type snippet struct {
	imports []string // at its start: whole statements, which may have several lines
	pieces  []piece
	// lines are all of it but the imports, without common indentation.
	lines []string
	// member says that its functions belong to a class.
	member bool
}

// piece is a function, class or test of a snippet.
type piece struct {
	syntax.Symbol
	loose []string // the lines before it that belong to no symbol
	lines []string
}

// take splits code into its parts.
func (m manner) take(code []string) snippet {
	indented := indentOf(code) != ""
	code = m.dedented(code)
	f, shift := m.parse(code)
	var s snippet
	first := len(code) + 1
	outer := outermost(f, shift, len(code))
	if len(outer) > 0 {
		first = outer[0].Start
	}
	rest := slices.Clone(code)
	for _, r := range f.Imports {
		from, to := r.Start-shift, r.End-shift
		if from < 1 || to > len(code) || to >= first || code[from-1] != strings.TrimLeft(code[from-1], " \t") {
			continue
		}
		if text := strings.Join(code[from-1:to], "\n"); !slices.Contains(s.imports, text) {
			s.imports = append(s.imports, text)
		}
		for i := from; i <= to; i++ {
			rest[i-1] = ""
		}
	}
	if s.lines = trimmed(rest); len(s.imports) > 0 && indentOf(m.dedented(s.lines)) != indentOf(s.lines) {
		below := m.take(s.lines) // imports at the margin, before functions of a class
		below.imports = append(s.imports, below.imports...)
		return below
	}
	at := 1
	for _, o := range outer {
		s.pieces = append(s.pieces, piece{Symbol: o, loose: trimmed(rest[at-1 : o.Start-1]), lines: code[o.Start-1 : o.End]})
		at = o.End + 1
	}
	s.member = m.isMember(s.pieces, indented)
	return s
}

// isMember reports whether functions and classes belong to a class.
func (m manner) isMember(pieces []piece, indented bool) bool {
	if len(pieces) == 0 {
		return indented || m.membersOnly
	}
	class := slices.ContainsFunc(pieces, func(p piece) bool { return p.Kind == syntax.Class })
	function := slices.ContainsFunc(pieces, func(p piece) bool { return p.Kind != syntax.Class })
	switch {
	case m.membersOnly && function:
		return true
	case class && m.memberClass != nil:
		return slices.ContainsFunc(pieces, func(p piece) bool { return m.memberClass.MatchString(p.lines[min(p.head(), len(p.lines)-1)]) })
	case class, m.member == nil:
		return m.membersOnly && !class
	}
	return slices.ContainsFunc(pieces[0].lines, m.member.MatchString)
}

// head is the index of the line of a piece that follows its decorators or
// annotations.
func (p piece) head() int {
	if p.HeadEnd == 0 {
		return 0
	}
	return max(0, p.HeadEnd+1-p.Start)
}

// parse reads code, in a class where it is read better there. shift is how many
// lines were put before it.
func (m manner) parse(code []string) (f *syntax.File, shift int) {
	plain, err := syntax.Parse(m.language, []byte(strings.Join(code, "\n")+"\n"))
	if err != nil {
		return &syntax.File{}, 0
	}
	if m.wrap[0] == "" || len(plain.Symbols) > 0 && plain.Errors == 0 {
		return plain, 0
	}
	inside, err := syntax.Parse(m.language, []byte(m.wrap[0]+"\n"+strings.Join(code, "\n")+"\n"+m.wrap[1]+"\n"))
	if err != nil || len(inside.Symbols) < 2 || inside.Errors > plain.Errors {
		return plain, 0
	}
	inside.Symbols = inside.Symbols[1:]
	return inside, 1
}

// outermost are the symbols of a file that are in no other one, in lines of the
// code.
func outermost(f *syntax.File, shift, lines int) []syntax.Symbol {
	var out []syntax.Symbol
	end := 0
	for _, s := range f.Symbols {
		s.Start, s.End = s.Start-shift, s.End-shift
		if s.HeadEnd > 0 {
			s.HeadEnd -= shift
		}
		if s.Start > end && s.Start <= s.End && s.End <= lines {
			out, end = append(out, s), s.End
		}
	}
	return out
}

// indentOf is the indentation of the first line that is not blank.
func indentOf(code []string) string {
	for _, l := range code {
		if strings.TrimSpace(l) != "" {
			return l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		}
	}
	return ""
}

// dedented takes off the indentation that all lines share. Those inside of strings
// stay as they are.
func (m manner) dedented(code []string) []string {
	common, fixed := indentOf(code), m.insideStrings(code)
	for i, l := range code {
		if strings.TrimSpace(l) == "" || fixed[i+1] {
			continue
		}
		for !strings.HasPrefix(l, common) {
			common = common[:len(common)-1]
		}
	}
	return m.indentedBy(code, common, "")
}

// indentedBy replaces the indentation old, at the start of lines, by new. Lines
// inside of strings stay as they are.
func (m manner) indentedBy(code []string, old, new string) []string {
	out, fixed := make([]string, len(code)), m.insideStrings(code)
	for i, l := range code {
		if fixed[i+1] {
			out[i] = l
		} else if rest, ok := strings.CutPrefix(l, old); ok && strings.TrimSpace(l) != "" {
			out[i] = new + rest
		} else {
			out[i] = strings.TrimRight(l, " \t")
		}
	}
	return out
}

func (m manner) insideStrings(code []string) map[int]bool {
	return outline.InsideStrings(m.language, strings.Join(code, "\n"))
}
