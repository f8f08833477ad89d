package badpatch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// added lists the statements of gold that stand wholly on lines that it adds,
// in lists of statements, outer ones only.
func (f *change) added() []*syntax.Node {
	var out []*syntax.Node
	if f.gold == nil || f.before == nil {
		return nil
	}
	lines := map[int]bool{}
	for _, h := range f.hunks {
		for l := h.newFrom; l < h.newTo; l++ {
			lines[l+1] = true
		}
	}
	f.gold.root.Walk(func(n *syntax.Node) bool {
		if !f.gold.isStatement(n) || !isBlock(n.Parent) || f.gold.function(n) == nil {
			return true
		}
		for l := n.Line; l <= f.gold.endLine(n); l++ {
			if !lines[l] {
				return true
			}
		}
		out = append(out, n)
		return false
	})
	return out
}

// whole is a statement's text with its lines, and where they are; not ok where
// it shares them.
func (c *code) whole(n *syntax.Node) (text string, start, end int, ok bool) {
	start, end, ok = c.alone(n.Start, n.End)
	return string(c.src[start:end]), start, end, ok
}

// late moves each of gold's statements behind the one that follows.
func (s *Subject) late(give func(string, Detail, map[string][]byte) bool) bool {
	for _, f := range s.files {
		for _, n := range f.added() {
			next := sibling(n, 1)
			if next == nil || leaves(next) || is(n, "local_variable_declaration", "declaration") || f.gold.binds(n) {
				continue
			}
			text, start, end, ok := f.gold.whole(n)
			_, _, after, okNext := f.gold.whole(next)
			if !ok || !okNext || after < end {
				continue
			}
			moved, _ := apply(f.after, []edit{{start, end, ""}, {after, after, text}})
			d := Detail{f.path, n.Line, "comes after what follows: " + short(f.gold.text(n))}
			if !give("too-late", d, map[string][]byte{f.path: moved}) {
				return false
			}
		}
	}
	return true
}

// callers moves a guard of gold's out of its function, before a statement of
// the same file that calls it, with arguments for parameters.
func (s *Subject) callers(give func(string, Detail, map[string][]byte) bool) bool {
	for _, f := range s.files {
		for _, n := range f.added() {
			fn := f.gold.function(n)
			if !is(n, "if_statement") || f.gold.inLambda(n) {
				continue
			}
			for _, site := range f.gold.callsOf(fn) {
				edits, ok := f.gold.hoist(n, fn, site)
				if !ok {
					continue
				}
				text, ok := apply(f.after, edits)
				d := Detail{f.path, site.Line, "in the caller: " + short(f.gold.text(n))}
				if ok && !give("in-caller", d, map[string][]byte{f.path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// callsOf finds up to two statements of other functions that call fn.
func (c *code) callsOf(fn *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	for _, n := range find(c.root, "call", "method_invocation", "call_expression") {
		k, ok := c.asCall(n)
		if ok && c.calledName(k) == c.name(fn) && c.function(n) != nil && c.function(n) != fn && !c.inLambda(n) &&
			len(k.args) == len(c.callable(fn)) && len(out) < 2 && !slices.ContainsFunc(k.args, named) {
			out = append(out, n)
		}
	}
	return out
}

// callable are the names of the parameters that a caller gives.
func (c *code) callable(fn *syntax.Node) []string {
	var out []string
	for _, p := range c.parameters(fn) {
		ids := find(p, "identifier")
		if len(ids) == 0 || is(p, "list_splat_pattern", "dictionary_splat_pattern", "spread_parameter") {
			continue
		}
		name := c.text(ids[0])
		if !c.python() {
			name = c.text(last(ids))
		}
		if name != "self" && name != "cls" {
			out = append(out, name)
		}
	}
	return out
}

// hoist writes the guard before the calling statement. It fails where the guard
// uses what the caller has not.
func (c *code) hoist(guard, fn, site *syntax.Node) ([]edit, bool) {
	k, _ := c.asCall(site)
	names := c.callable(fn)
	at := c.statement(site)
	text, start, end, ok := c.whole(guard)
	if !ok || at == nil || !isBlock(at.Parent) || len(find(guard, "return_statement", "local_variable_declaration", "declaration")) > 0 {
		return nil, false
	}
	var swaps []edit
	for _, id := range find(guard, "identifier") {
		if !c.reads(id) {
			continue
		}
		if i := slices.Index(names, c.text(id)); i >= 0 {
			swaps = append(swaps, edit{id.Start - start, id.End - start, c.text(k.args[i])})
		} else if _, local := c.lookup(id); local {
			return nil, false
		}
	}
	moved, ok := apply([]byte(text), swaps)
	if _, _, alone := c.alone(at.Start, at.End); !ok || !alone {
		return nil, false
	}
	line := c.starts[c.line(at.Start)-1]
	written := reindent(string(moved), c.indent(guard.Start), c.indent(at.Start))
	remove := edit{start, end, ""}
	if c.needed(guard) {
		remove = edit{guard.Start, guard.End, c.nothing()}
	}
	return []edit{remove, {line, line, written}}, true
}

// reindent moves lines from one indentation to another.
func reindent(text, from, to string) string {
	all := strings.SplitAfter(text, "\n")
	for i, l := range all {
		if rest, ok := strings.CutPrefix(l, from); ok && strings.TrimSpace(l) != "" {
			all[i] = to + rest
		}
	}
	return strings.Join(all, "")
}

// lookalikes makes gold's change where the same lines stand elsewhere in the
// file, and not where it belongs.
func (s *Subject) lookalikes(give func(string, Detail, map[string][]byte) bool) bool {
	for _, f := range s.files {
		if f.before == nil || f.after == nil {
			continue
		}
		old := lines(f.before)
		for i, h := range f.hunks {
			if h.to == h.from || h.newTo == h.newFrom || !telling(old[h.from:h.to]) {
				continue
			}
			for _, at := range places(old, h, f.hunks) {
				hunks := slices.Clone(f.hunks)
				hunks[i] = hunk{at, at + h.to - h.from, h.newFrom, h.newTo}
				slices.SortFunc(hunks, func(a, b hunk) int { return a.from - b.from })
				text := weave(f.before, f.after, hunks, func(int) bool { return true })
				d := Detail{f.path, at + 1, fmt.Sprintf("changed in place of line %d, which looks alike", h.from+1)}
				if !give("lookalike", d, map[string][]byte{f.path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// places finds up to two others where a hunk's old lines stand, apart from all
// hunks.
func places(old [][]byte, h hunk, hunks []hunk) []int {
	n := h.to - h.from
	var out []int
	for at := 0; at+n <= len(old) && len(out) < 2; at++ {
		if slices.ContainsFunc(hunks, func(o hunk) bool { return at < o.to+1 && o.from < at+n+1 }) {
			continue
		}
		if slices.EqualFunc(old[at:at+n], old[h.from:h.to], bytes.Equal) {
			out = append(out, at)
		}
	}
	return out
}

// oneFunction leaves one of the functions that gold changes as it was, and all
// but one.
func (s *Subject) oneFunction(give func(string, Detail, map[string][]byte) bool) bool {
	groups := map[string][]place{}
	var order []string
	for _, p := range s.places() {
		name := p.file.functionOf(p.hunk)
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], p)
	}
	if len(order) < 2 {
		return true
	}
	for _, name := range order {
		for _, only := range []bool{false, true} {
			what := "not fixed in " + name
			if only {
				what = "fixed in " + name + " only"
			}
			texts := s.taking(func(p place) bool { return slices.Contains(groups[name], p) == only })
			d := Detail{groups[name][0].file.path, groups[name][0].file.hunks[groups[name][0].hunk].newFrom + 1, what}
			if !give("one-function", d, texts) {
				return false
			}
		}
	}
	return true
}

// functionOf names the function that a hunk is in, by its first telling line.
func (f *change) functionOf(i int) string {
	h := f.hunks[i]
	c, line := f.gold, h.newFrom+1
	if h.newTo == h.newFrom || c == nil {
		c, line = f.base, h.from+1
	}
	if c == nil {
		return f.path
	}
	for l := line; l < line+max(h.newTo-h.newFrom, h.to-h.from); l++ {
		if n := c.scopeAt(l); n != nil && c.isFunction(n) {
			var signature []string
			for _, p := range c.parameters(n) {
				signature = append(signature, short(c.text(p)))
			}
			return fmt.Sprintf("%s(%s) of %s", c.name(n), strings.Join(signature, ", "), f.path)
		}
	}
	return f.path
}
