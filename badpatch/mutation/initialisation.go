package mutation

import (
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// settles reports whether Java would not compile without a node: where final
// fields, and variables that are declared without a value, get their value,
// in one of several branches at times.
func settles(c *code.File, n *syntax.Node) bool {
	if !c.Java() {
		return false
	}
	whole := n
	for p := n.Parent; p != nil && !c.IsFunction(p); p = p.Parent {
		if code.Is(p, "if_statement", "switch_expression", "try_statement", "try_with_resources_statement") {
			whole = p
		}
	}
	for _, a := range code.Find(whole, "assignment_expression") {
		left := a.Get("left")
		if code.Is(left, "field_access") {
			left = left.Get("field")
		}
		if unset(c, left) {
			return true
		}
	}
	return false
}

// unset reports whether a name is of a variable or final field that is declared
// without a value.
func unset(c *code.File, n *syntax.Node) bool {
	if !code.Is(n, "identifier") {
		return false
	}
	if v, ok := c.Local(n, c.Text(n)); ok {
		return code.Is(v.Decl.Parent, "variable_declarator") && v.Decl.Parent.Get("value") == nil
	}
	for _, f := range c.Fields(n) {
		if f.Name == c.Text(n) && code.Is(f.Decl, "variable_declarator") {
			return f.Decl.Get("value") == nil && strings.Contains(c.Text(f.Decl.Parent), "final ")
		}
	}
	return false
}
