package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// Divergence is how a bad patch differs from gold at one place.
type Divergence string

// The kinds of divergence.
const (
	Different Divergence = "different" // both change it, in different ways
	Missed    Divergence = "missed"    // gold changes it, the bad patch does not
	Spurious  Divergence = "spurious"  // the bad patch changes it, gold does not
)

// Place is a function, a class or the rest of a file where gold and the bad
// patch differ in more than comments and layout. Places are named as the agent
// knows them: by the tree with the bad patch.
type Place struct {
	Path   string
	Symbol string // Class.method, Class::method; empty for what is outside of functions and classes
	Kind   Divergence
	Detail Detail
	// Start and End are the symbol's lines with the bad patch; 0 where it
	// has none.
	Start, End int
}

// Detail names the special cases of places.
type Detail string

// The special cases.
const (
	Ordinary Detail = ""
	Lacks    Detail = "lacks"   // gold adds something to the place
	Adds     Detail = "adds"    // the bad patch adds the symbol
	Drops    Detail = "drops"   // the bad patch removes the symbol or the file
	Layout   Detail = "layout"  // only comments or layout of the file change
	NewFile  Detail = "newfile" // gold has a file that the agent does not know
)

// rank puts first what matters most to the author.
func (p Place) rank() int {
	switch {
	case p.Kind == Different:
		return 0
	case p.Kind == Missed:
		return 1
	case p.Detail == Drops:
		return 2
	case p.Detail == Layout:
		return 4
	}
	return 3
}

// Places lists where gold and the bad patch differ: different ones first, then
// missed, then spurious ones, each by path and line.
func (s *Subject) Places() []Place { return slices.Clone(s.places) }

// diverge compares the three states of every file.
func (s *Subject) diverge() error {
	for i := range s.files {
		f := &s.files[i]
		o, err := f.outlines()
		if err != nil {
			return fmt.Errorf("comparing %s: %w", f.path, err)
		}
		s.declared = append(s.declared, o[2].order...)
		if s.unapplied == nil {
			s.places = append(s.places, f.diverge(o)...)
		}
	}
	slices.SortStableFunc(s.places, func(a, b Place) int { return cmp.Compare(a.rank(), b.rank()) })
	return nil
}

// outlines are those at base, with gold and with the bad patch. C++ that the
// grammar does not follow (macros, broken braces) may put a function into a
// class that it is not a member of, so there names go without their classes.
func (f *file) outlines() (out [3]outline, err error) {
	var trees [3]*syntax.File
	versions := []*version{f.base, f.gold, f.bad}
	qualified := true
	for i, v := range versions {
		if trees[i], err = f.parse(v); err != nil {
			return out, err
		}
		qualified = qualified && (trees[i].Errors == 0 || !writingOf(grammarOf(f.path)).macros)
	}
	for i, v := range versions {
		out[i] = f.outline(v, trees[i], qualified)
	}
	return out, nil
}

// parse reads a version's structure; it is empty where there is none to read.
func (f *file) parse(v *version) (*syntax.File, error) {
	g := grammarOf(f.path)
	if g == "" || v == nil {
		return new(syntax.File), nil
	}
	return syntax.Parse(g, v.text)
}

// diverge compares the three states of a file.
func (f *file) diverge(o [3]outline) []Place {
	whole := Place{Path: f.path}
	switch {
	case f.base == nil && f.bad == nil:
		whole.Kind, whole.Detail = Missed, NewFile
		return []Place{whole}
	case f.bad == nil && f.gold != nil:
		whole.Kind, whole.Detail = Spurious, Drops
		return []Place{whole}
	case f.base == nil && f.gold == nil:
		whole.Kind, whole.Detail = Spurious, Adds
		return []Place{whole}
	}
	places := settle(f.compare(o[0], o[1], o[2]))
	if len(places) == 0 && f.onlyLayout() {
		places = append(places, Place{Path: f.path, Kind: Spurious, Detail: Layout})
	}
	return places
}

// onlyLayout reports whether the bad patch changes a file without changing
// what it does, and gold leaves it alone.
func (f *file) onlyLayout() bool {
	same := func(a, b *version) bool { return a != nil && b != nil && string(a.text) == string(b.text) }
	return f.touchedByBad && f.base != nil && f.bad != nil && !same(f.base, f.bad) && same(f.base, f.gold)
}

// outline is the code of a file by symbol, in a form that can be compared.
type outline struct {
	order []string // names in order of their lines
	parts map[string]*part
}

type part struct {
	code       []string // of every declaration with this name
	class      bool
	start, end int // of the first
}

// outline splits a file. A symbol has the code that no symbol within it has;
// the empty name has the rest, imports left out.
func (f *file) outline(v *version, tree *syntax.File, qualified bool) outline {
	o := outline{parts: map[string]*part{}}
	if v == nil {
		return o
	}
	owner := owners(tree, v)
	code := map[int][]string{}
	for _, t := range v.tokens {
		at := owner[t.line]
		code[at] = append(code[at], string(rune('0'+t.class))+t.text)
	}
	for i, sym := range tree.Symbols {
		o.add(symbolName(f.path, sym, qualified), code[i], sym.Start, sym.End, sym.Kind == syntax.Class)
	}
	o.add("", code[outside], 0, 0, false)
	return o
}

func (o *outline) add(name string, code []string, start, end int, class bool) {
	p := o.parts[name]
	if p == nil {
		p = &part{class: class, start: start, end: end}
		o.parts[name] = p
		o.order = append(o.order, name)
	}
	p.code = append(p.code, strings.Join(code, separator))
	slices.Sort(p.code)
}

// What owns a line that no symbol does.
const (
	outside  = -1
	imported = -2
)

// owners gives every line the innermost symbol that it is in, by index.
func owners(tree *syntax.File, v *version) []int {
	lines := 1
	if n := len(v.tokens); n > 0 {
		lines = v.tokens[n-1].line
	}
	owner := make([]int, lines+1)
	paint := func(start, end, value int) {
		for l := max(start, 0); l <= end && l < len(owner); l++ {
			owner[l] = value
		}
	}
	paint(0, lines, outside)
	for _, r := range tree.Imports {
		paint(r.Start, r.End, imported)
	}
	for i, sym := range tree.Symbols {
		paint(sym.Start, sym.End, i)
	}
	return owner
}

// symbolName is a symbol with the class around it, as its language writes it.
func symbolName(path string, sym syntax.Symbol, qualified bool) string {
	if len(sym.Parents) == 0 || !qualified {
		return sym.Name
	}
	if sym.Name == "" { // an unnamed struct is a part of what contains it
		return sym.Parents[len(sym.Parents)-1]
	}
	return sym.Parents[len(sym.Parents)-1] + writingOf(grammarOf(path)).separator + sym.Name
}

// parent is the class part of a name that symbolName made.
func parent(name string) string {
	if i := max(strings.LastIndex(name, "."), strings.LastIndex(name, "::")); i > 0 {
		return name[:i]
	}
	return ""
}
