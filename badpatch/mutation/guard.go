package mutation

import (
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// dropGuard removes a check that leaves before its time.
func dropGuard(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "if_statement") || n.Get("alternative") != nil || !code.Leaves(n.Get("consequence")) || code.Is(n.Parent, "else_clause") || n.Field == "alternative" {
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{c.Erase(n)}, What: "guard dropped: " + code.Excerpt(c.Text(c.Condition(n)))})
}

func negateCondition(c *code.File, n *syntax.Node) []code.Mutation {
	cond := c.Condition(n)
	if cond == nil || code.Is(n, "for_statement", "do_statement") {
		return nil
	}
	return one(replace(cond, c.Negation(cond), "condition negated: "+code.Excerpt(c.Text(cond))))
}

func conditionTrue(c *code.File, n *syntax.Node) []code.Mutation { return force(c, n, true) }

func conditionFalse(c *code.File, n *syntax.Node) []code.Mutation { return force(c, n, false) }

// force settles a condition for good. Loops would never end, or, in Java, what
// follows could not be reached.
func force(c *code.File, n *syntax.Node, value bool) []code.Mutation {
	cond := c.Condition(n)
	if cond == nil || code.Is(cond, "true", "false") || code.Is(n, "for_statement", "do_statement") || code.Is(n, "while_statement") && (value || c.Java()) {
		return nil
	}
	return one(replace(cond, boolean(c, value), "always "+boolean(c, value)+": "+code.Excerpt(c.Text(cond))))
}

func swapConnector(c *code.File, n *syntax.Node) []code.Mutation {
	b, ok := code.AsBinary(n)
	if !ok {
		return nil
	}
	var other string
	switch op := c.Text(b.Operator); op {
	case "and":
		other = "or"
	case "or":
		other = "and"
	case "&&":
		other = "||"
	case "||":
		other = "&&"
	default:
		return nil
	}
	return one(replace(b.Operator, other, other+" in place of "+c.Text(b.Operator)))
}

func dropNot(c *code.File, n *syntax.Node) []code.Mutation {
	op := n.Get("operator")
	if !code.Is(n, "not_operator") && !(code.Is(n, "unary_expression", "unary_operator") && op != nil && strings.Contains("!-~", c.Text(op))) {
		return nil
	}
	operand := code.Last(n.Items())
	if op != nil && c.Text(op) == "-" && code.Is(operand, "integer", "decimal_integer_literal", "number_literal") && code.Is(n.Parent, "enumerator") {
		return nil
	}
	return one(replace(n, c.Text(operand), "not inverted: "+code.Excerpt(c.Text(operand))))
}

// dropNullCheck takes the check for null out of a condition.
func dropNullCheck(c *code.File, n *syntax.Node) []code.Mutation {
	b, ok := code.AsBinary(n)
	if !ok || !code.IsNull(b.Right) && !code.IsNull(b.Left) {
		return nil
	}
	op := c.Text(b.Operator)
	there := op == "!=" || op == "is not"
	if !there && op != "==" && op != "is" {
		return nil
	}
	if outer, ok := code.AsBinary(n.Parent); ok {
		connects := c.Text(outer.Operator)
		if there && (connects == "and" || connects == "&&") || !there && (connects == "or" || connects == "||") {
			other := outer.Left
			if other == n {
				other = outer.Right
			}
			return one(replace(n.Parent, c.Text(other), "not checked for null: "+code.Excerpt(c.Text(b.Left))))
		}
	}
	if n.Parent == nil || c.Condition(n.Parent) != n && !code.Is(n.Parent, "parenthesized_expression", "condition_clause") {
		return nil
	}
	return one(replace(n, boolean(c, there), "not checked for null: "+code.Excerpt(c.Text(b.Left))))
}

// dropStateUpdate leaves out that something is remembered.
func dropStateUpdate(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "expression_statement") || len(n.Items()) != 1 {
		return nil
	}
	e := n.Items()[0]
	if !code.Is(e, "assignment", "assignment_expression", "augmented_assignment") {
		return nil
	}
	if left := e.Get("left"); settles(c, n) || !code.Is(left, "attribute", "subscript", "field_access", "field_expression", "array_access", "subscript_expression") {
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{c.Erase(n)}, What: "not kept: " + code.Excerpt(c.Text(e.Get("left")))})
}

// dropLock takes a lock away and leaves what it protects.
func dropLock(c *code.File, n *syntax.Node) []code.Mutation {
	switch {
	case code.Is(n, "synchronized_statement"):
		return one(code.Mutation{Edits: []code.Edit{{Start: n.Start, End: n.Get("body").Start, Text: ""}}, What: "lock dropped"})
	case code.Is(n, "with_statement"):
		items := code.Find(n, "with_item")
		if len(items) == 1 && strings.Contains(strings.ToLower(c.Text(items[0])), "lock") && len(code.Find(items[0], "as_pattern")) == 0 {
			return one(code.Mutation{Edits: []code.Edit{{Start: n.Start, End: items[0].End, Text: "if True"}}, What: "lock dropped"})
		}
	case code.Is(n, "declaration") && c.Cpp():
		typ := c.Text(n.Get("type"))
		if strings.Contains(typ, "lock_guard") || strings.Contains(typ, "unique_lock") || strings.Contains(typ, "scoped_lock") {
			return one(code.Mutation{Edits: []code.Edit{c.Erase(n)}, What: "lock dropped"})
		}
	}
	return nil
}
