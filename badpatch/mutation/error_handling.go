package mutation

import (
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// swallowError continues where gold raises. A function that must give
// something gives its default where nothing follows.
func swallowError(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "raise_statement", "throw_statement") || c.InLambda(n) {
		return nil
	}
	fn := c.Function(n)
	if fn == nil {
		return nil
	}
	if c.Python() {
		return []code.Mutation{
			replace(n, "pass", "error swallowed"),
			replace(n, "return None", "returns None in place of an error"),
		}
	}
	var out []code.Mutation
	for _, value := range c.DefaultReturns(fn) {
		out = append(out, replace(n, c.ReturnStatement(value), strings.TrimSpace("returns "+value+" in place of an error")))
		break
	}
	if !code.Is(n.Parent, "switch_rule") && !settles(c, n) {
		out = append(out, code.Mutation{Edits: []code.Edit{c.Erase(n)}, What: "error swallowed"})
	}
	return out
}

// widenCatch catches more than gold does.
func widenCatch(c *code.File, n *syntax.Node) []code.Mutation {
	switch {
	case code.Is(n, "except_clause"):
		value := n.Get("value")
		if code.Is(value, "as_pattern") {
			value = value.Items()[0]
		}
		if value == nil || c.Text(value) == "Exception" {
			return nil
		}
		return one(replace(value, "Exception", "catches Exception in place of "+code.Excerpt(c.Text(value))))
	case code.Is(n, "catch_type") && c.Text(n) != "Exception" && c.Text(n) != "Throwable" && lastHandler(n):
		return one(replace(n, "Exception", "catches Exception in place of "+code.Excerpt(c.Text(n))))
	case code.Is(n, "catch_clause") && c.Cpp() && lastHandler(n.Get("body")):
		list := n.Get("parameters")
		if list == nil || len(list.Items()) != 1 {
			return nil
		}
		id := code.DeclaredName(list.Items()[0].Get("declarator"))
		for _, use := range code.Find(n.Get("body"), "identifier") {
			if id != nil && c.Text(use) == c.Text(id) {
				return nil
			}
		}
		return one(replace(list, "(...)", "catches everything"))
	}
	return nil
}

// lastHandler reports whether no other handler follows: a wider one before it
// would not compile.
func lastHandler(n *syntax.Node) bool {
	clause := code.Up(n, "catch_clause")
	all := code.SameKind(clause)
	return len(all) > 0 && code.Last(all) == clause
}

// emptyCatch does nothing about what is caught.
func emptyCatch(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "except_clause", "catch_clause") {
		return nil
	}
	body := code.Last(n.Items())
	items := body.Items()
	if !code.Is(body, "block", "compound_statement") || len(items) == 0 || c.Text(items[0]) == "pass" {
		return nil
	}
	text := c.EmptyStatement()
	if !c.Python() {
		text = "{ }"
		fn := c.Function(n)
		if fn != nil && code.Leaves(body) && !c.InLambda(n) {
			values := c.DefaultReturns(fn)
			if len(values) == 0 {
				return nil
			}
			text = "{ " + c.ReturnStatement(values[0]) + " }"
		}
	}
	return one(replace(body, text, "caught and passed over"))
}
