package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// swallowError goes on where gold raises. A function that must give something
// gives its default where nothing follows.
func swallowError(c *code, n *syntax.Node) []mutation {
	if !is(n, "raise_statement", "throw_statement") || c.inLambda(n) {
		return nil
	}
	fn := c.function(n)
	if fn == nil {
		return nil
	}
	if c.python() {
		return []mutation{
			replace(n, "pass", "error swallowed"),
			replace(n, "return None", "returns None in place of an error"),
		}
	}
	var out []mutation
	for _, value := range c.defaults(fn) {
		out = append(out, replace(n, c.exits(value), strings.TrimSpace("returns "+value+" in place of an error")))
		break
	}
	if !is(n.Parent, "switch_rule") && !c.settles(n) {
		out = append(out, mutation{[]edit{c.erase(n)}, "error swallowed"})
	}
	return out
}

// widenCatch catches more than gold does.
func widenCatch(c *code, n *syntax.Node) []mutation {
	switch {
	case is(n, "except_clause"):
		value := n.Get("value")
		if is(value, "as_pattern") {
			value = value.Items()[0]
		}
		if value == nil || c.text(value) == "Exception" {
			return nil
		}
		return one(replace(value, "Exception", "catches Exception in place of "+short(c.text(value))))
	case is(n, "catch_type") && c.text(n) != "Exception" && c.text(n) != "Throwable" && c.lastHandler(n):
		return one(replace(n, "Exception", "catches Exception in place of "+short(c.text(n))))
	case is(n, "catch_clause") && c.cpp() && c.lastHandler(n.Get("body")):
		list := n.Get("parameters")
		if list == nil || len(list.Items()) != 1 {
			return nil
		}
		id := declarator(list.Items()[0].Get("declarator"))
		for _, use := range find(n.Get("body"), "identifier") {
			if id != nil && c.text(use) == c.text(id) {
				return nil
			}
		}
		return one(replace(list, "(...)", "catches everything"))
	}
	return nil
}

// lastHandler reports whether no other handler follows: a wider one before it
// would not compile.
func (c *code) lastHandler(n *syntax.Node) bool {
	clause := up(n, "catch_clause")
	all := siblingsOf(clause)
	return len(all) > 0 && last(all) == clause
}

// emptyCatch does nothing about what is caught.
func emptyCatch(c *code, n *syntax.Node) []mutation {
	if !is(n, "except_clause", "catch_clause") {
		return nil
	}
	body := last(n.Items())
	items := body.Items()
	if !is(body, "block", "compound_statement") || len(items) == 0 || c.text(items[0]) == "pass" {
		return nil
	}
	text := c.nothing()
	if !c.python() {
		text = "{ }"
		fn := c.function(n)
		if fn != nil && leaves(body) && !c.inLambda(n) {
			values := c.defaults(fn)
			if len(values) == 0 {
				return nil
			}
			text = "{ " + c.exits(values[0]) + " }"
		}
	}
	return one(replace(body, text, "caught and passed over"))
}
