package badpatch

import (
	"bytes"
	"fmt"

	"assay/languages/syntax"
)

// view is a version of a file that operators work on: gold's, or gold's with
// one deletion taken back, since to change what should go is a mistake, too.
type view struct {
	file    *change
	code    *code
	changed map[int]bool // the lines of tier 1
}

// maxReverted bounds how many deletions of a file are looked at one by one.
const maxReverted = 8

// views lists the versions of a subject's files.
func (s *Subject) views() ([]view, error) {
	var out []view
	for _, f := range s.files {
		if f.gold == nil {
			continue
		}
		out = append(out, view{f, f.gold, f.goldLines()})
		reverted := 0
		for i, h := range f.hunks {
			if h.newTo > h.newFrom || f.before == nil || reverted == maxReverted || !telling(lines(f.before)[h.from:h.to]) {
				continue
			}
			reverted++
			text := weave(f.before, f.after, f.hunks, func(j int) bool { return j != i })
			c, err := parse(s.Language, f.path, text)
			if err != nil {
				return nil, fmt.Errorf("parsing %s with a deletion taken back: %w", f.path, err)
			}
			changed := map[int]bool{}
			for l := range h.to - h.from {
				changed[h.newFrom+1+l] = true
			}
			out = append(out, view{f, c, changed})
		}
	}
	return out, nil
}

// telling reports whether lines hold more than blanks and brackets.
func telling(lines [][]byte) bool {
	for _, l := range lines {
		if len(bytes.Trim(l, " \t\r\n{}();")) > 0 {
			return true
		}
	}
	return false
}

// goldLines are the lines that gold adds and, where it only takes away, the
// lines on either side.
func (f *change) goldLines() map[int]bool {
	out := map[int]bool{}
	for _, h := range f.hunks {
		for l := h.newFrom; l < h.newTo; l++ {
			out[l+1] = true
		}
		if h.newTo == h.newFrom {
			out[h.newFrom] = true
			out[h.newFrom+1] = true
		}
	}
	return out
}

// scopes are the innermost functions round the changed lines; for a line
// outside of functions, the declaration that it is part of. They are in order
// and do not nest.
func (v view) scopes() []*syntax.Node {
	var out []*syntax.Node
	seen := map[*syntax.Node]bool{}
	for line := 1; line <= len(v.code.starts); line++ {
		if !v.changed[line] {
			continue
		}
		if n := v.code.scopeAt(line); n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	kept := out[:0]
	for _, n := range out {
		inner := false
		for p := n.Parent; p != nil; p = p.Parent {
			inner = inner || seen[p]
		}
		if !inner {
			kept = append(kept, n)
		}
	}
	return kept
}

// scopeAt is the function or declaration that a line belongs to.
func (c *code) scopeAt(line int) *syntax.Node {
	at, fn := c.root, (*syntax.Node)(nil)
	for {
		var next *syntax.Node
		for _, child := range at.Children {
			if child.Named && child.Line <= line && line <= c.endLine(child) && !child.Comment() {
				next = child
				break
			}
		}
		if next == nil {
			if fn != nil || at == c.root || c.container(at) {
				return fn
			}
			return at
		}
		at = next
		if c.isFunction(at) {
			fn = at
		}
		if fn == nil && !c.container(at) {
			return at
		}
	}
}

// container tells what holds declarations, and is none itself.
func (c *code) container(n *syntax.Node) bool {
	return c.isClass(n) || is(n, "module", "program", "translation_unit", "class_body", "field_declaration_list", "declaration_list",
		"namespace_definition", "template_declaration", "decorated_definition", "enum_body", "enum_body_declarations", "interface_body",
		"linkage_specification", "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "ERROR") ||
		is(n, "block") && is(n.Parent, "class_definition", "if_statement", "try_statement", "else_clause") && c.function(n) == nil ||
		c.python() && is(n, "if_statement", "try_statement", "else_clause", "except_clause") && c.function(n) == nil ||
		is(n, "declaration", "field_declaration") && is(n.Get("type"), "class_specifier", "struct_specifier")
}

// tier says whether an edit is on the changed lines: most of what it changes
// is.
func (v view) tier(e edit) Tier {
	first, end := v.code.line(e.start), v.code.line(max(e.start, e.end-1))
	hit := 0
	for l := first; l <= end; l++ {
		if v.changed[l] {
			hit++
		}
	}
	if 2*hit >= end-first+1 {
		return Lines
	}
	return Around
}
