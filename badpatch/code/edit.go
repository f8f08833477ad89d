package code

import (
	"bytes"
	"slices"

	"assay/languages/syntax"
)

// Edit puts text in place of the bytes [start, end).
type Edit struct {
	Start, End int
	Text       string
}

// Mutation is one way of getting a file wrong: edits that do not overlap, and
// what they are in words.
type Mutation struct {
	Edits []Edit
	What  string
}

// Apply makes the edits; it fails where two overlap or one is outside.
func Apply(src []byte, edits []Edit) ([]byte, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, InOrder)
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return nil, false
		}
		out.Write(src[at:e.Start])
		out.WriteString(e.Text)
		at = e.End
	}
	out.Write(src[at:])
	return out.Bytes(), true
}

// InOrder puts insertions before what is replaced at the same place, and longer
// replacements before shorter ones.
func InOrder(a, b Edit) int {
	switch {
	case a.Start != b.Start:
		return a.Start - b.Start
	case (a.Start == a.End) != (b.Start == b.End):
		return (a.End - a.Start) - (b.End - b.Start)
	}
	return b.End - a.End
}

// Erase removes a statement, with its lines where it has them to itself. A
// statement that must be there gives way to an empty one.
func (c *File) Erase(n *syntax.Node) Edit {
	if c.Needed(n) {
		return Edit{n.Start, n.End, c.EmptyStatement()}
	}
	if start, end, ok := c.OwnLines(n.Start, n.End); ok {
		return Edit{start, end, ""}
	}
	end := n.End
	if c.Python() { // a = 1; b = 2
		for end < len(c.Src) && (c.Src[end] == ';' || c.Src[end] == ' ') {
			end++
		}
		if end == len(c.Src) || c.Src[end] == '\n' || c.Src[end] == '\r' || c.Src[end] == '#' {
			return Edit{n.Start, n.End, c.EmptyStatement()}
		}
	}
	return Edit{n.Start, end, ""}
}

// Needed reports whether the grammar wants a statement where n is: the only
// one of a Python block, or a branch without braces.
func (c *File) Needed(n *syntax.Node) bool {
	if n.Parent == nil {
		return false
	}
	if c.Python() {
		return Is(n.Parent, "block") && len(n.Parent.Items()) == 1
	}
	return !Is(n.Parent, "block", "constructor_body", "compound_statement", "switch_block_statement_group", "case_statement",
		"program", "translation_unit", "declaration_list", "field_declaration_list", "class_body")
}

// EmptyStatement is a statement that does nothing.
func (c *File) EmptyStatement() string {
	if c.Python() {
		return "pass"
	}
	return "{}"
}

// InsertBefore puts a statement before another one, on a line of its own where that
// one has.
func (c *File) InsertBefore(n *syntax.Node, statement string) Edit {
	start := c.Starts[c.Line(n.Start)-1]
	if len(bytes.TrimSpace(c.Src[start:n.Start])) == 0 {
		return Edit{n.Start, n.Start, statement + c.Newline() + c.Indent(n.Start)}
	}
	if c.Python() {
		return Edit{n.Start, n.Start, statement + "; "}
	}
	return Edit{n.Start, n.Start, statement + " "}
}

// Shifted are edits moved by some bytes.
func Shifted(edits []Edit, by int) []Edit {
	var out []Edit
	for _, e := range edits {
		out = append(out, Edit{e.Start + by, e.End + by, e.Text})
	}
	return out
}
