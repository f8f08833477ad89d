package code

import "assay/languages/syntax"

// Is reports whether a node is of one of the kinds; no node is of none.
func Is(n *syntax.Node, kinds ...string) bool {
	if n == nil {
		return false
	}
	for _, k := range kinds {
		if n.Kind == k {
			return true
		}
	}
	return false
}

// Up is the nearest node at or above n of one of the kinds.
func Up(n *syntax.Node, kinds ...string) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if Is(n, kinds...) {
			return n
		}
	}
	return nil
}

// Sibling is the named sibling that is step places on, comments left out.
func Sibling(n *syntax.Node, step int) *syntax.Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	items := n.Parent.Items()
	for i, s := range items {
		if s == n && i+step >= 0 && i+step < len(items) {
			return items[i+step]
		}
	}
	return nil
}

// Bare takes the parentheses off an expression.
func Bare(n *syntax.Node) *syntax.Node {
	for Is(n, "parenthesized_expression") && len(n.Items()) == 1 {
		n = n.Items()[0]
	}
	return n
}

// Find lists the nodes of the kinds at or below n, in order.
func Find(n *syntax.Node, kinds ...string) []*syntax.Node {
	var out []*syntax.Node
	if n == nil {
		return nil
	}
	n.Walk(func(at *syntax.Node) bool {
		if Is(at, kinds...) {
			out = append(out, at)
		}
		return true
	})
	return out
}

// Broken reports whether there is an error at or below n.
func Broken(n *syntax.Node) bool {
	bad := false
	n.Walk(func(at *syntax.Node) bool {
		bad = bad || at.Broken
		return !bad
	})
	return bad
}

// SameKind lists the children of n's parent that are of its kind.
func SameKind(n *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	if n.Parent == nil {
		return nil
	}
	for _, s := range n.Parent.Children {
		if s.Kind == n.Kind {
			out = append(out, s)
		}
	}
	return out
}

// Last is the last of some nodes; there must be one.
func Last(nodes []*syntax.Node) *syntax.Node { return nodes[len(nodes)-1] }

// OrRoot is a node, or the file's root where there is none.
func OrRoot(n *syntax.Node, c *File) *syntax.Node {
	if n == nil {
		return c.Root
	}
	return n
}
