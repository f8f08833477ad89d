package badpatch

import (
	"bytes"
	"slices"

	"assay/languages/syntax"
)

// edit puts text in place of the bytes [start, end).
type edit struct {
	start, end int
	text       string
}

// mutation is one way of getting a file wrong: edits that do not overlap, and
// what they are in words.
type mutation struct {
	edits []edit
	what  string
}

// apply makes the edits; it fails where two overlap or one is outside.
func apply(src []byte, edits []edit) ([]byte, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, inOrder)
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.start < at || e.end < e.start || e.end > len(src) {
			return nil, false
		}
		out.Write(src[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(src[at:])
	return out.Bytes(), true
}

// inOrder puts insertions before what is replaced at the same place, and longer
// replacements before shorter ones.
func inOrder(a, b edit) int {
	switch {
	case a.start != b.start:
		return a.start - b.start
	case (a.start == a.end) != (b.start == b.end):
		return (a.end - a.start) - (b.end - b.start)
	}
	return b.end - a.end
}

// replace is the mutation that gives a node another text.
func replace(n *syntax.Node, text, what string) mutation {
	return mutation{edits: []edit{{n.Start, n.End, text}}, what: what}
}

// one wraps a mutation; none where there is none to make.
func one(m mutation) []mutation { return []mutation{m} }

// erase removes a statement, with its lines where it has them to itself. A
// statement that must be there gives way to an empty one.
func (c *code) erase(n *syntax.Node) edit {
	if c.needed(n) {
		return edit{n.Start, n.End, c.nothing()}
	}
	if start, end, ok := c.alone(n.Start, n.End); ok {
		return edit{start, end, ""}
	}
	end := n.End
	if c.python() { // a = 1; b = 2
		for end < len(c.src) && (c.src[end] == ';' || c.src[end] == ' ') {
			end++
		}
		if end == len(c.src) || c.src[end] == '\n' || c.src[end] == '\r' || c.src[end] == '#' {
			return edit{n.Start, n.End, c.nothing()}
		}
	}
	return edit{n.Start, end, ""}
}

// needed reports whether the grammar wants a statement where n is: the only
// one of a Python block, or a branch without braces.
func (c *code) needed(n *syntax.Node) bool {
	if n.Parent == nil {
		return false
	}
	if c.python() {
		return is(n.Parent, "block") && len(n.Parent.Items()) == 1
	}
	return !is(n.Parent, "block", "constructor_body", "compound_statement", "switch_block_statement_group", "case_statement",
		"program", "translation_unit", "declaration_list", "field_declaration_list", "class_body")
}

// nothing is a statement that does nothing.
func (c *code) nothing() string {
	if c.python() {
		return "pass"
	}
	return "{}"
}

// before puts a statement before another one, on a line of its own where that
// one has.
func (c *code) before(n *syntax.Node, statement string) edit {
	start := c.starts[c.line(n.Start)-1]
	if len(bytes.TrimSpace(c.src[start:n.Start])) == 0 {
		return edit{n.Start, n.Start, statement + c.newline() + c.indent(n.Start)}
	}
	if c.python() {
		return edit{n.Start, n.Start, statement + "; "}
	}
	return edit{n.Start, n.Start, statement + " "}
}
