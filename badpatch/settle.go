package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// settles reports whether Java would not compile without a node: where final
// fields, and variables that are declared without a value, get theirs, in one
// of several branches at times.
func (c *code) settles(n *syntax.Node) bool {
	if !c.java() {
		return false
	}
	whole := n
	for p := n.Parent; p != nil && !c.isFunction(p); p = p.Parent {
		if is(p, "if_statement", "switch_expression", "try_statement", "try_with_resources_statement") {
			whole = p
		}
	}
	for _, a := range find(whole, "assignment_expression") {
		left := a.Get("left")
		if is(left, "field_access") {
			left = left.Get("field")
		}
		if c.unset(left) {
			return true
		}
	}
	return false
}

// unset reports whether a name is of a variable or final field that is declared
// without a value.
func (c *code) unset(n *syntax.Node) bool {
	if !is(n, "identifier") {
		return false
	}
	if v, ok := c.local(n, c.text(n)); ok {
		return is(v.decl.Parent, "variable_declarator") && v.decl.Parent.Get("value") == nil
	}
	for _, f := range c.fields(n) {
		if f.name == c.text(n) && is(f.decl, "variable_declarator") {
			return f.decl.Get("value") == nil && strings.Contains(c.text(f.decl.Parent), "final ")
		}
	}
	return false
}
