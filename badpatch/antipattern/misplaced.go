package antipattern

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// added lists the statements of gold that are wholly on lines that it adds,
// in lists of statements, outer ones only.
func added(f *badpatch.ChangedFile) []*syntax.Node {
	var out []*syntax.Node
	if f.Gold == nil || f.Before == nil {
		return nil
	}
	lines := map[int]bool{}
	for _, h := range f.Hunks {
		for l := h.NewFrom; l < h.NewTo; l++ {
			lines[l+1] = true
		}
	}
	f.Gold.Root.Walk(func(n *syntax.Node) bool {
		if !f.Gold.IsStatement(n) || !code.IsBlock(n.Parent) || f.Gold.Function(n) == nil {
			return true
		}
		for l := n.Line; l <= f.Gold.EndLine(n); l++ {
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
func whole(c *code.File, n *syntax.Node) (text string, start, end int, ok bool) {
	start, end, ok = c.OwnLines(n.Start, n.End)
	return string(c.Src[start:end]), start, end, ok
}

// late moves each of gold's statements after the one that follows.
func late(s *badpatch.Subject, give func(string, badpatch.Detail, map[string][]byte) bool) bool {
	for _, f := range s.Files {
		for _, n := range added(f) {
			next := code.Sibling(n, 1)
			if next == nil || code.Leaves(next) || code.Is(n, "local_variable_declaration", "declaration") || f.Gold.Binds(n) {
				continue
			}
			text, start, end, ok := whole(f.Gold, n)
			_, _, after, okNext := whole(f.Gold, next)
			if !ok || !okNext || after < end {
				continue
			}
			moved, _ := code.Apply(f.After, []code.Edit{{Start: start, End: end, Text: ""}, {Start: after, End: after, Text: text}})
			d := badpatch.Detail{Path: f.Path, Line: n.Line, What: "comes after what follows: " + code.Excerpt(f.Gold.Text(n))}
			if !give("too-late", d, map[string][]byte{f.Path: moved}) {
				return false
			}
		}
	}
	return true
}

// callers moves a guard of gold's out of its function, before a statement of
// the same file that calls it, with arguments for parameters.
func callers(s *badpatch.Subject, give func(string, badpatch.Detail, map[string][]byte) bool) bool {
	for _, f := range s.Files {
		for _, n := range added(f) {
			fn := f.Gold.Function(n)
			if !code.Is(n, "if_statement") || f.Gold.InLambda(n) {
				continue
			}
			for _, site := range callsOf(f.Gold, fn) {
				edits, ok := hoist(f.Gold, n, fn, site)
				if !ok {
					continue
				}
				text, ok := code.Apply(f.After, edits)
				d := badpatch.Detail{Path: f.Path, Line: site.Line, What: "in the caller: " + code.Excerpt(f.Gold.Text(n))}
				if ok && !give("in-caller", d, map[string][]byte{f.Path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// callsOf finds up to two statements of other functions that call fn.
func callsOf(c *code.File, fn *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	for _, n := range code.Find(c.Root, "call", "method_invocation", "call_expression") {
		k, ok := c.AsCall(n)
		if ok && c.CalledName(k) == c.Name(fn) && c.Function(n) != nil && c.Function(n) != fn && !c.InLambda(n) &&
			len(k.Args) == len(callable(c, fn)) && len(out) < 2 && !slices.ContainsFunc(k.Args, code.ByName) {
			out = append(out, n)
		}
	}
	return out
}

// callable are the names of the parameters that a caller gives.
func callable(c *code.File, fn *syntax.Node) []string {
	var out []string
	for _, p := range c.Parameters(fn) {
		ids := code.Find(p, "identifier")
		if len(ids) == 0 || code.Is(p, "list_splat_pattern", "dictionary_splat_pattern", "spread_parameter") {
			continue
		}
		name := c.Text(ids[0])
		if !c.Python() {
			name = c.Text(code.Last(ids))
		}
		if name != "self" && name != "cls" {
			out = append(out, name)
		}
	}
	return out
}

// hoist writes the guard before the calling statement. It fails where the guard
// uses what the caller has not.
func hoist(c *code.File, guard, fn, site *syntax.Node) ([]code.Edit, bool) {
	k, _ := c.AsCall(site)
	names := callable(c, fn)
	at := c.Statement(site)
	text, start, end, ok := whole(c, guard)
	if !ok || at == nil || !code.IsBlock(at.Parent) || len(code.Find(guard, "return_statement", "local_variable_declaration", "declaration")) > 0 {
		return nil, false
	}
	var swaps []code.Edit
	for _, id := range code.Find(guard, "identifier") {
		if !c.Reads(id) {
			continue
		}
		if i := slices.Index(names, c.Text(id)); i >= 0 {
			swaps = append(swaps, code.Edit{Start: id.Start - start, End: id.End - start, Text: c.Text(k.Args[i])})
		} else if _, local := c.Lookup(id); local {
			return nil, false
		}
	}
	moved, ok := code.Apply([]byte(text), swaps)
	if _, _, alone := c.OwnLines(at.Start, at.End); !ok || !alone {
		return nil, false
	}
	line := c.Starts[c.Line(at.Start)-1]
	written := reindent(string(moved), c.Indent(guard.Start), c.Indent(at.Start))
	remove := code.Edit{Start: start, End: end, Text: ""}
	if c.Needed(guard) {
		remove = code.Edit{Start: guard.Start, End: guard.End, Text: c.EmptyStatement()}
	}
	return []code.Edit{remove, {Start: line, End: line, Text: written}}, true
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

// lookalikes makes gold's change where the same lines are elsewhere in the
// file, and not where it belongs.
func lookalikes(s *badpatch.Subject, give func(string, badpatch.Detail, map[string][]byte) bool) bool {
	for _, f := range s.Files {
		if f.Before == nil || f.After == nil {
			continue
		}
		old := code.Lines(f.Before)
		for i, h := range f.Hunks {
			if h.To == h.From || h.NewTo == h.NewFrom || !code.HasContent(old[h.From:h.To]) {
				continue
			}
			for _, at := range placesAlike(old, h, f.Hunks) {
				hunks := slices.Clone(f.Hunks)
				hunks[i] = code.Hunk{From: at, To: at + h.To - h.From, NewFrom: h.NewFrom, NewTo: h.NewTo}
				slices.SortFunc(hunks, func(a, b code.Hunk) int { return a.From - b.From })
				text := code.Weave(f.Before, f.After, hunks, func(int) bool { return true })
				d := badpatch.Detail{Path: f.Path, Line: at + 1, What: fmt.Sprintf("changed in place of line %d, which looks alike", h.From+1)}
				if !give("lookalike", d, map[string][]byte{f.Path: text}) {
					return false
				}
			}
		}
	}
	return true
}

// placesAlike finds up to two others where a hunk's old lines are, outside of
// all hunks.
func placesAlike(old [][]byte, h code.Hunk, hunks []code.Hunk) []int {
	n := h.To - h.From
	var out []int
	for at := 0; at+n <= len(old) && len(out) < 2; at++ {
		if slices.ContainsFunc(hunks, func(o code.Hunk) bool { return at < o.To+1 && o.From < at+n+1 }) {
			continue
		}
		if slices.EqualFunc(old[at:at+n], old[h.From:h.To], bytes.Equal) {
			out = append(out, at)
		}
	}
	return out
}

// oneFunction leaves one of the functions that gold changes as it was, and all
// but one.
func oneFunction(s *badpatch.Subject, give func(string, badpatch.Detail, map[string][]byte) bool) bool {
	groups := map[string][]place{}
	var order []string
	for _, p := range places(s) {
		name := functionOf(p.file, p.hunk)
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
			texts := taking(s, func(p place) bool { return slices.Contains(groups[name], p) == only })
			d := badpatch.Detail{Path: groups[name][0].file.Path, Line: groups[name][0].file.Hunks[groups[name][0].hunk].NewFrom + 1, What: what}
			if !give("one-function", d, texts) {
				return false
			}
		}
	}
	return true
}

// functionOf names the function that a hunk is in, by its first significant
// line.
func functionOf(f *badpatch.ChangedFile, i int) string {
	h := f.Hunks[i]
	c, line := f.Gold, h.NewFrom+1
	if h.NewTo == h.NewFrom || c == nil {
		c, line = f.Base, h.From+1
	}
	if c == nil {
		return f.Path
	}
	for l := line; l < line+max(h.NewTo-h.NewFrom, h.To-h.From); l++ {
		if n := c.ScopeAt(l); n != nil && c.IsFunction(n) {
			var signature []string
			for _, p := range c.Parameters(n) {
				signature = append(signature, code.Excerpt(c.Text(p)))
			}
			return fmt.Sprintf("%s(%s) of %s", c.Name(n), strings.Join(signature, ", "), f.Path)
		}
	}
	return f.Path
}
