package tolerant

import (
	"fmt"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// insertBlock inserts the functions of a block. One that the file has already is
// rewritten: two of a name would not build, or hide one another.
func (d *document) insertBlock(b Block) (string, error) {
	s := d.take(b.Code)
	d.addImports(s.imports) // first: it moves the lines below
	var how []string
	fresh := s.pieces
	for _, p := range s.pieces {
		if t, found := d.existing(p.Symbol, s, b.At); found {
			d.rewritePiece(p, t)
			how = append(how, p.Name+" rewritten, it was there")
			fresh = slices.DeleteFunc(slices.Clone(fresh), func(f piece) bool { return f.Start == p.Start })
		}
	}
	if len(fresh) == 0 && len(s.pieces) > 0 {
		return strings.Join(how, "; "), nil
	}
	code := s.lines
	if len(fresh) < len(s.pieces) {
		code = nil
		for _, p := range fresh {
			code = append(code, slices.Concat(blanks(min(len(code), 1)), p.lines)...)
		}
	}
	if len(code) == 0 {
		return "imports added", nil
	}
	end := d.put(code, s.member, b.At)
	return strings.Join(append(how, fmt.Sprintf("%d lines inserted up to line %d", len(code), end)), "; "), nil
}

// existing is what a function that is to be inserted would double: one of its name,
// in the class at the line where the block names a line.
func (d *document) existing(p syntax.Symbol, s snippet, at Place) (syntax.Symbol, bool) {
	same := slices.DeleteFunc(d.like(p), func(t syntax.Symbol) bool { return !d.sameScope(s, t) })
	if class, ok := d.classAt(at); ok && s.member && at.Line > 0 {
		same = slices.DeleteFunc(same, func(t syntax.Symbol) bool {
			in, _ := d.classOf(t)
			return in.Start != class.Start
		})
	}
	if len(same) == 0 {
		return syntax.Symbol{}, false
	}
	return d.nearest(same, at), true
}

// sameScope reports whether a symbol is where a snippet would go: a function of
// a file and one of a class may have one name.
func (d *document) sameScope(s snippet, t syntax.Symbol) bool {
	_, inClass := d.classOf(t)
	return inClass == s.member || t.Kind == syntax.Class
}

// put inserts code at a place, and returns its last line.
func (d *document) put(code []string, member bool, at Place) int {
	if member {
		if c, ok := d.classAt(at); ok {
			return d.insertAt(d.lineIn(c, at), d.within, d.indentedBy(code, "", d.indentIn(c)))
		}
	}
	return d.insertAt(d.lineOutside(at), d.apart, code)
}

// lineOutside is the line before which functions of a file go.
func (d *document) lineOutside(at Place) int {
	outer := outermost(d.file, 0, len(d.lines))
	first := d.afterImports()
	switch {
	case len(outer) == 0:
		return len(d.lines) + 1
	case at.Start:
		return max(first, d.aboveComments(outer[0].Start))
	case at.Line == 0:
		return outer[len(outer)-1].End + 1
	}
	line := d.now(at.Line)
	for _, o := range outer {
		if o.Start < line && line <= o.End {
			return o.End + 1
		}
		if line == o.Start {
			return d.aboveComments(line)
		}
	}
	return max(first, min(line, len(d.lines)+1))
}

// aboveComments is the first line of the comments right above a line.
func (d *document) aboveComments(line int) int {
	for line > 1 {
		text := strings.TrimSpace(d.line(line - 1))
		if !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "# ") && !strings.HasPrefix(text, "*") && !strings.HasPrefix(text, "/*") {
			break
		}
		line--
	}
	return line
}

// classAt is the class that a member goes into: the one around the line, else
// the first or the last one that has functions.
func (d *document) classAt(at Place) (syntax.Symbol, bool) {
	if at.Line > 0 {
		if c, ok := d.around(d.now(at.Line)); ok {
			return c, true
		}
	}
	var all []syntax.Symbol
	for _, o := range outermost(d.file, 0, len(d.lines)) {
		if o.Kind == syntax.Class && o.End > o.Start {
			all = append(all, o)
		}
	}
	if with := slices.DeleteFunc(slices.Clone(all), func(c syntax.Symbol) bool { return len(d.members(c)) == 0 }); len(with) > 0 {
		all = with
	}
	switch {
	case len(all) == 0:
		return syntax.Symbol{}, false
	case at.Line > 0:
		return d.nearest(all, at), true
	case at.Start:
		return all[0], true
	}
	return all[len(all)-1], true
}

// around is the innermost class around a line. The line that closes a class in
// another one is that of the outer one.
func (d *document) around(line int) (found syntax.Symbol, ok bool) {
	for _, s := range d.file.Symbols {
		if s.Kind == syntax.Class && s.Start < line && line <= s.End && !(ok && d.braces && line == s.End) {
			found, ok = s, true
		}
	}
	return found, ok
}

// classOf is the class around a symbol.
func (d *document) classOf(s syntax.Symbol) (found syntax.Symbol, ok bool) {
	for _, c := range d.file.Symbols {
		if c.Kind == syntax.Class && c.Start <= s.Start && s.End <= c.End && !(c.Start == s.Start && c.End == s.End) {
			found, ok = c, true
		}
	}
	return found, ok
}

// members are the symbols right in a class, in order.
func (d *document) members(c syntax.Symbol) []syntax.Symbol {
	var out []syntax.Symbol
	end := 0
	for _, s := range d.file.Symbols {
		if s.Start > c.Start && s.End <= c.End && s.Start > end {
			out, end = append(out, s), s.End
		}
	}
	return out
}

// lineIn is the line of a class before which a member goes.
func (d *document) lineIn(c syntax.Symbol, at Place) int {
	members := d.members(c)
	last := c.End + 1
	if d.braces {
		last = c.End
	}
	switch {
	case at.Start && len(members) > 0:
		return d.aboveComments(members[0].Start)
	case at.Line == 0 || len(members) == 0:
		return last
	}
	line := d.now(at.Line)
	for _, m := range members {
		if line == m.Start {
			return d.aboveComments(line)
		}
		if m.Start < line && line <= m.End {
			return m.End + 1
		}
	}
	if line < members[0].Start {
		return d.aboveComments(members[0].Start)
	}
	return min(line, last)
}

// indentIn is the indentation of the members of a class.
func (d *document) indentIn(c syntax.Symbol) string {
	for _, m := range d.members(c) {
		return indentOf(d.lines[m.Start-1 : m.End])
	}
	own := indentOf(d.lines[c.Start-1 : c.End])
	for _, l := range d.lines {
		if strings.HasPrefix(l, "\t") {
			return own + "\t"
		}
	}
	return own + "    "
}

// partial reports whether a class of a block lacks most functions of the one that
// it is to replace: models leave out what stays.
func (d *document) partial(p piece, old syntax.Symbol) bool {
	have := d.membersOf(p)
	names := map[string]bool{}
	for _, m := range have {
		names[m.Name] = true
	}
	kept, all := 0, 0
	for _, m := range d.members(old) {
		all++
		if names[m.Name] {
			kept++
		}
	}
	return all > 0 && 2*kept < all && len(have) > 0
}

// membersOf are the functions of a piece that is a class, in lines of the piece.
func (d *document) membersOf(p piece) []piece {
	inner := d.document([]byte(strings.Join(p.lines, "\n")))
	outer := outermost(inner.file, 0, len(inner.lines))
	if len(outer) == 0 {
		return nil
	}
	var out []piece
	for _, m := range inner.members(outer[0]) {
		out = append(out, piece{Symbol: m, lines: d.dedented(inner.lines[m.Start-1 : m.End])})
	}
	return out
}

// mergeClass rewrites the functions of a class that a piece has, and adds the
// others. It returns the last line of the class.
func (d *document) mergeClass(p piece, old syntax.Symbol) int {
	for _, m := range d.membersOf(p) {
		class, ok := d.named(old)
		if !ok {
			return old.End
		}
		i := slices.IndexFunc(d.members(class), func(have syntax.Symbol) bool { return sameName(have, m.Symbol) })
		if i >= 0 {
			d.rewritePiece(m, d.members(class)[i])
			continue
		}
		d.insertAt(d.lineIn(class, Place{End: true}), d.within, d.indentedBy(m.lines, "", d.indentIn(class)))
	}
	class, _ := d.named(old)
	return class.End
}

// named finds a class again, after edits.
func (d *document) named(c syntax.Symbol) (syntax.Symbol, bool) {
	for _, s := range d.file.Symbols {
		if s.Kind == c.Kind && s.Name == c.Name && slices.Equal(s.Parents, c.Parents) {
			return s, true
		}
	}
	return syntax.Symbol{}, false
}
