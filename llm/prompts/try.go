package prompts

import (
	"fmt"
	"io"
	"text/template"
	"text/template/parse"
)

// try executes every branch of a template, regardless of its conditions, with
// data in which every field is set, so that a wrong field is found at once
// and not when its branch is first taken. It does not reach what follows "or"
// and "and"; errors there fail in Render.
func try(t *template.Template, data any) error {
	flat, err := t.Clone()
	if err != nil {
		return fmt.Errorf("copying %s: %w", t.Name(), err)
	}
	for _, part := range flat.Templates() {
		if part.Tree != nil && part.Root != nil {
			// Trees are shared with the original, whose nodes stay.
			tree := part.Tree.Copy()
			tree.Root = flatten(tree.Root)
			part.Tree = tree
		}
	}
	return flat.Execute(io.Discard, data)
}

// flatten puts both branches of conditions one after the other.
func flatten(list *parse.ListNode) *parse.ListNode {
	if list == nil {
		return nil
	}
	out := &parse.ListNode{NodeType: parse.NodeList, Pos: list.Pos}
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.IfNode:
			condition := &parse.ActionNode{NodeType: parse.NodeAction, Pos: node.Pos, Line: node.Line, Pipe: node.Pipe}
			out.Nodes = append(out.Nodes, condition)
			out.Nodes = append(out.Nodes, both(node.BranchNode)...)
		case *parse.RangeNode:
			otherwise := flatten(node.ElseList)
			node.List, node.ElseList = flatten(node.List), nil
			out.Nodes = append(out.Nodes, node)
			out.Nodes = append(out.Nodes, nodes(otherwise)...)
		case *parse.WithNode:
			otherwise := flatten(node.ElseList)
			node.List, node.ElseList = flatten(node.List), nil
			out.Nodes = append(out.Nodes, node)
			out.Nodes = append(out.Nodes, nodes(otherwise)...)
		case *parse.BreakNode, *parse.ContinueNode:
			// What follows them must be tried too.
		default:
			out.Nodes = append(out.Nodes, node)
		}
	}
	return out
}

func both(n parse.BranchNode) []parse.Node {
	return append(nodes(flatten(n.List)), nodes(flatten(n.ElseList))...)
}

func nodes(list *parse.ListNode) []parse.Node {
	if list == nil {
		return nil
	}
	return list.Nodes
}
