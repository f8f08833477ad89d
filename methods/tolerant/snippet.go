package tolerant

import (
	"slices"
	"strings"

	"assay/languages/syntax"
)

// snippet is the code of a block, taken apart.
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
	loose []string // what stands before it that is no symbol
	lines []string
}

// take takes code apart.
func (m manner) take(code []string) snippet {
	indented := indentOf(code) != ""
	code = dedented(code)
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
	s.lines = trimmed(rest)
	at := 1
	for _, o := range outer {
		s.pieces = append(s.pieces, piece{Symbol: o, loose: trimmed(rest[at-1 : o.Start-1]), lines: code[o.Start-1 : o.End]})
		at = o.End + 1
	}
	s.member = m.isMember(s.pieces, indented)
	return s
}

// isMember reports whether functions belong to a class.
func (m manner) isMember(pieces []piece, indented bool) bool {
	if len(pieces) == 0 {
		return indented || m.membersOnly
	}
	for _, p := range pieces {
		if p.Kind == syntax.Class {
			return false
		}
	}
	if m.membersOnly || m.member == nil {
		return m.membersOnly
	}
	return slices.ContainsFunc(pieces[0].lines, m.member.MatchString)
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

// dedented takes off the indentation that all lines share.
func dedented(code []string) []string {
	common := indentOf(code)
	for _, l := range code {
		if strings.TrimSpace(l) == "" {
			continue
		}
		for !strings.HasPrefix(l, common) {
			common = common[:len(common)-1]
		}
	}
	return indentedBy(code, common, "")
}

// indentedBy replaces the indentation old, at the start of lines, by new.
func indentedBy(code []string, old, new string) []string {
	out := make([]string, len(code))
	for i, l := range code {
		if rest, ok := strings.CutPrefix(l, old); ok && strings.TrimSpace(l) != "" {
			out[i] = new + rest
		} else {
			out[i] = strings.TrimRight(l, " \t")
		}
	}
	return out
}
