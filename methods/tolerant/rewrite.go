package tolerant

import (
	"fmt"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// rewriteBlock replaces functions by those of a block.
func (d *document) rewriteBlock(b Block) (string, error) {
	s := d.take(b.Code)
	if len(s.pieces) == 0 {
		return "", refusal("there is no function, class or test in the block")
	}
	if len(d.symbols()) == 0 {
		return d.insertBlock(b)
	}
	d.addImports(s.imports)
	var how []string
	last := 0 // line after which a function goes that the file does not have
	for i, p := range s.pieces {
		t, certainty := d.target(p.Symbol, b.At, i == 0 && len(s.pieces) == 1)
		if certainty == "" {
			last = d.insertPiece(p, b, s, last)
			how = append(how, fmt.Sprintf("%s inserted, there was none", p.Name))
			continue
		}
		last = d.rewritePiece(p, t)
		how = append(how, fmt.Sprintf("%s rewritten, found by %s", t.Name, certainty))
	}
	return strings.Join(how, "; "), nil
}

// symbols are those that a block can name.
func (d *document) symbols() []syntax.Symbol {
	return slices.DeleteFunc(slices.Clone(d.file.Symbols), func(s syntax.Symbol) bool { return s.Kind == syntax.Section })
}

// target finds what a piece is to replace, and by what: its name; or, where
// fuzzy is set, a name like it or the place. "" where there is nothing.
func (d *document) target(p syntax.Symbol, at Place, fuzzy bool) (syntax.Symbol, string) {
	if same := d.like(p); len(same) > 0 {
		return d.nearest(same, at), "name"
	}
	if !fuzzy {
		return syntax.Symbol{}, ""
	}
	if s, ok := d.alike(p); ok {
		return s, "a name like it"
	}
	return d.byPlace(p, at)
}

// like are the symbols of the name and the kind of another one.
func (d *document) like(p syntax.Symbol) []syntax.Symbol {
	return slices.DeleteFunc(d.symbols(), func(s syntax.Symbol) bool {
		return !sameName(s, p) || (s.Kind == syntax.Class) != (p.Kind == syntax.Class)
	})
}

func sameName(a, b syntax.Symbol) bool { return a.Name == b.Name && a.Suite == b.Suite }

// nearest is the symbol that is nearest to a place.
func (d *document) nearest(list []syntax.Symbol, at Place) syntax.Symbol {
	line := d.lineOf(at)
	return slices.MinFunc(list, func(a, b syntax.Symbol) int { return distance(a, line) - distance(b, line) })
}

// lineOf is the line of a place, the end's where it says nothing.
func (d *document) lineOf(at Place) int {
	switch {
	case at.Start:
		return 1
	case at.Line > 0:
		return d.now(at.Line)
	}
	return len(d.lines)
}

// distance counts the lines between a symbol and a line.
func distance(s syntax.Symbol, line int) int {
	switch {
	case line < s.Start:
		return s.Start - line
	case line > s.End:
		return line - s.End
	}
	return 0
}

// byPlace is the function at a line or nearest to it, or the first or last one.
func (d *document) byPlace(p syntax.Symbol, at Place) (syntax.Symbol, string) {
	if at == (Place{}) {
		return syntax.Symbol{}, ""
	}
	var kin []syntax.Symbol
	for _, s := range d.symbols() {
		if (s.Kind == syntax.Class) == (p.Kind == syntax.Class) {
			kin = append(kin, s)
		}
	}
	if len(kin) == 0 {
		return syntax.Symbol{}, ""
	}
	line := d.lineOf(at)
	return slices.MinFunc(kin, func(a, b syntax.Symbol) int {
		if n := distance(a, line) - distance(b, line); n != 0 {
			return n
		}
		return (a.End - a.Start) - (b.End - b.Start) // the innermost
	}), "its place"
}

// rewritePiece puts a piece in place of a symbol, and returns its last line.
func (d *document) rewritePiece(p piece, old syntax.Symbol) int {
	if p.Kind == syntax.Class && old.Kind == syntax.Class && d.partial(p, old) {
		return d.mergeClass(p, old)
	}
	from := old.Start
	if p.HeadEnd == 0 && old.HeadEnd >= old.Start { // a rewrite without its decorators keeps them
		from = old.HeadEnd + 1
	}
	indent := indentOf(d.lines[old.Start-1 : old.End])
	code := d.indentedBy(p.lines, "", indent)
	if loose := d.unknown(p.loose); len(loose) > 0 {
		code = slices.Concat(d.indentedBy(loose, "", indent), blanks(1), code)
	}
	d.replace(from, old.End, code)
	return from + len(code) - 1
}

// unknown are lines of loose code, unless the file has all of them already.
func (d *document) unknown(loose []string) []string {
	for _, l := range loose {
		if strings.TrimSpace(l) != "" && !d.has(l) {
			return loose
		}
	}
	return nil
}

// insertPiece puts a function that the file does not have after the last one
// that was placed, and returns its last line.
func (d *document) insertPiece(p piece, b Block, s snippet, last int) int {
	code := p.lines
	if loose := d.unknown(p.loose); len(loose) > 0 {
		code = slices.Concat(loose, blanks(1), code)
	}
	if last > 0 {
		if in, ok := d.around(last); ok && s.member {
			return d.insertAt(last+1, d.within, d.indentedBy(code, "", d.indentIn(in)))
		}
		return d.insertAt(d.outerEnd(last)+1, d.apart, code)
	}
	return d.put(code, s.member, b.At)
}

// outerEnd is the last line of the outermost symbol around a line.
func (d *document) outerEnd(line int) int {
	for _, o := range outermost(d.file, 0, len(d.lines)) {
		if o.Start <= line && line <= o.End {
			return o.End
		}
	}
	return line
}

// insertAt inserts code, and returns its last line.
func (d *document) insertAt(at, apart int, code []string) int {
	before := len(d.lines)
	tail := before - at + 1
	d.insert(at, apart, code)
	end := len(d.lines) - tail
	for end > 1 && strings.TrimSpace(d.line(end)) == "" {
		end--
	}
	return end
}
