package syntax

import (
	"fmt"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// Node is one node of a syntax tree: tree-sitter's kinds and field names, byte
// offsets into the source. Tokens such as "if" or "(" are nodes that are not
// Named. Nodes are read-only and safe for concurrent use.
type Node struct {
	Kind       string
	Field      string // its field name in the parent, or empty
	Named      bool
	Broken     bool // an ERROR or MISSING node
	Start, End int  // bytes, End not included
	Line       int  // of Start, from 1
	Parent     *Node
	Children   []*Node
}

// Nodes returns the whole syntax tree of a file, as data of its own, and the
// number of its ERROR and MISSING nodes. Macros of C++ that only hinder the
// grammar are skipped, as in Parse; offsets are still those of src. It fails
// as Parse does.
func Nodes(language string, src []byte) (root *Node, errors int, err error) {
	tree, err := parseTree(language, src, nil)
	if err != nil {
		return nil, 0, err
	}
	defer tree.Close()
	root, errors = copyTree(tree.RootNode())
	return root, errors, nil
}

// grammarText is the text that the grammar gets.
func grammarText(language string, src []byte) []byte {
	if language == languageCpp {
		return scanTests(src, &File{values: map[string][]Range{}})
	}
	return src
}

// parseTree parses a file, starting from the edited tree of an older version
// where there is one.
func parseTree(language string, src []byte, old *tree_sitter.Tree) (*tree_sitter.Tree, error) {
	if len(src) > maxSource {
		return nil, tooLarge(language, len(src))
	}
	switch language {
	case languagePython, languageJava, languageCpp:
	default:
		return nil, fmt.Errorf("parsing: language %q is not known", language)
	}
	parser := tree_sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(tree_sitter.NewLanguage(grammar(language))); err != nil {
		return nil, fmt.Errorf("parsing %s: %w", language, err)
	}
	tree := parser.Parse(grammarText(language, src), old)
	if tree == nil {
		return nil, fmt.Errorf("parsing %s: the parser gave up", language)
	}
	return tree, nil
}

// copyTree turns tree-sitter's tree into nodes, without recursion.
func copyTree(root *tree_sitter.Node) (*Node, int) {
	cursor := root.Walk()
	defer cursor.Close()
	errors := 0
	top := copyNode(cursor, nil)
	for at := top; ; {
		if at.Broken {
			errors++
		}
		if cursor.GotoFirstChild() {
			at = copyNode(cursor, at)
			continue
		}
		for at.Parent != nil && !cursor.GotoNextSibling() {
			cursor.GotoParent()
			at = at.Parent
		}
		if at.Parent == nil {
			return top, errors
		}
		at = copyNode(cursor, at.Parent)
	}
}

func copyNode(cursor *tree_sitter.TreeCursor, parent *Node) *Node {
	n := cursor.Node()
	start, end := n.ByteRange()
	out := &Node{
		Kind: n.Kind(), Field: cursor.FieldName(), Named: n.IsNamed(), Broken: n.IsError() || n.IsMissing(),
		Start: int(start), End: int(end), Line: int(n.StartPosition().Row) + 1, Parent: parent,
	}
	if parent != nil {
		parent.Children = append(parent.Children, out)
	}
	return out
}

// Text is the node's text in the source that it was read from.
func (n *Node) Text(src []byte) string {
	if n == nil {
		return ""
	}
	return string(src[n.Start:n.End])
}

// Get is the first child with a field name; nil where there is none, or no
// node.
func (n *Node) Get(field string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Field == field {
			return c
		}
	}
	return nil
}

// Items are the named children, comments left out.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	var out []*Node
	for _, c := range n.Children {
		if c.Named && !c.Comment() {
			out = append(out, c)
		}
	}
	return out
}

// Comment reports whether the node is a comment, in any of the languages.
func (n *Node) Comment() bool {
	return n.Kind == "comment" || n.Kind == "line_comment" || n.Kind == "block_comment"
}

// Walk calls visit on the node and all below it, in order, until visit says
// not to go below a node. It does not recurse.
func (n *Node) Walk(visit func(*Node) (below bool)) {
	stack := []*Node{n}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !visit(at) {
			continue
		}
		for i := len(at.Children) - 1; i >= 0; i-- {
			stack = append(stack, at.Children[i])
		}
	}
}
