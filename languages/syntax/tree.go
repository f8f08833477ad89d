package syntax

import (
	"bytes"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// maxDepth bounds how deep declarations are followed: generated or hostile
// source must not exhaust the stack.
const maxDepth = 200

// source is a text on its way into a File.
type source struct {
	text []byte
	file *File
}

func (s *source) str(n *tree_sitter.Node) string {
	if n == nil {
		return ""
	}
	return string(s.text[n.StartByte():n.EndByte()])
}

// lines is a node's range; one that ends before a line's first byte ends in
// the line before.
func lines(n *tree_sitter.Node) Range {
	start, end := n.StartPosition(), n.EndPosition()
	r := Range{Start: int(start.Row) + 1, End: int(end.Row) + 1}
	if end.Column == 0 && r.End > r.Start {
		r.End--
	}
	return r
}

// alone reports whether a node has its lines to itself.
func (s *source) alone(n *tree_sitter.Node) bool {
	before := s.text[:n.StartByte()]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	after, _, _ := bytes.Cut(s.text[n.EndByte():], []byte{'\n'})
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

// named returns a node's named children.
func named(n *tree_sitter.Node) []tree_sitter.Node {
	if n == nil {
		return nil
	}
	cursor := n.Walk()
	defer cursor.Close()
	return n.NamedChildren(cursor)
}

// descend calls visit on a node and all below it, in order, until visit says
// not to go below a node. It does not recurse.
func descend(n *tree_sitter.Node, visit func(*tree_sitter.Node) (below bool)) {
	cursor := n.Walk()
	defer cursor.Close()
	for depth := 0; ; {
		if visit(cursor.Node()) && cursor.GotoFirstChild() {
			depth++
			continue
		}
		for !cursor.GotoNextSibling() {
			if depth == 0 || !cursor.GotoParent() {
				return
			}
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// countErrors counts ERROR and MISSING nodes, looking only where there are
// some.
func countErrors(root *tree_sitter.Node) int {
	count := 0
	descend(root, func(n *tree_sitter.Node) bool {
		if n.IsError() || n.IsMissing() {
			count++
		}
		return n.HasError()
	})
	return count
}

// with returns a copy of parents with more, never sharing its array.
func with(parents []string, name ...string) []string {
	return append(parents[:len(parents):len(parents)], name...)
}
