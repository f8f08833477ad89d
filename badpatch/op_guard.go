package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// dropGuard removes a check that leaves before its time.
func dropGuard(c *code, n *syntax.Node) []mutation {
	if !is(n, "if_statement") || n.Get("alternative") != nil || !leaves(n.Get("consequence")) || is(n.Parent, "else_clause") || n.Field == "alternative" {
		return nil
	}
	return one(mutation{[]edit{c.erase(n)}, "guard dropped: " + short(c.text(c.condition(n)))})
}

// not is the contrary of an expression, as one writes it.
func (c *code) not(n *syntax.Node) string {
	if is(n, "not_operator") || is(n, "unary_expression") && c.text(n.Get("operator")) == "!" {
		return c.text(last(n.Items()))
	}
	if b, ok := asBinary(n); ok {
		if other := contrary(c.text(b.operator)); other != "" {
			return string(c.src[n.Start:b.operator.Start]) + other + string(c.src[b.operator.End:n.End])
		}
	}
	simple := is(n, "identifier", "call", "method_invocation", "call_expression", "attribute", "field_access", "field_expression",
		"parenthesized_expression", "subscript", "true", "false")
	switch {
	case c.python() && simple:
		return "not " + c.text(n)
	case c.python():
		return "not (" + c.text(n) + ")"
	case simple:
		return "!" + c.text(n)
	}
	return "!(" + c.text(n) + ")"
}

// contrary is the operator that holds when another one does not, for those
// that are safe to turn round whatever the operands.
func contrary(op string) string {
	switch op {
	case "==":
		return "!="
	case "!=":
		return "=="
	case "is":
		return "is not"
	case "is not":
		return "is"
	case "in":
		return "not in"
	case "not in":
		return "in"
	}
	return ""
}

func negateCondition(c *code, n *syntax.Node) []mutation {
	cond := c.condition(n)
	if cond == nil || is(n, "for_statement", "do_statement") {
		return nil
	}
	return one(replace(cond, c.not(cond), "condition negated: "+short(c.text(cond))))
}

func conditionTrue(c *code, n *syntax.Node) []mutation  { return c.force(n, true) }
func conditionFalse(c *code, n *syntax.Node) []mutation { return c.force(n, false) }

// force settles a condition for good. Loops would never end, or, in Java, what
// follows could not be reached.
func (c *code) force(n *syntax.Node, value bool) []mutation {
	cond := c.condition(n)
	if cond == nil || is(cond, "true", "false") || is(n, "for_statement", "do_statement") || is(n, "while_statement") && (value || c.java()) {
		return nil
	}
	return one(replace(cond, c.boolean(value), "always "+c.boolean(value)+": "+short(c.text(cond))))
}

func swapConnector(c *code, n *syntax.Node) []mutation {
	b, ok := asBinary(n)
	if !ok {
		return nil
	}
	other := ""
	switch op := c.text(b.operator); op {
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
	return one(replace(b.operator, other, other+" in place of "+c.text(b.operator)))
}

func dropNot(c *code, n *syntax.Node) []mutation {
	op := n.Get("operator")
	if !is(n, "not_operator") && !(is(n, "unary_expression", "unary_operator") && op != nil && strings.Contains("!-~", c.text(op))) {
		return nil
	}
	operand := last(n.Items())
	if op != nil && c.text(op) == "-" && is(operand, "integer", "decimal_integer_literal", "number_literal") && is(n.Parent, "enumerator") {
		return nil
	}
	return one(replace(n, c.text(operand), "not inverted: "+short(c.text(operand))))
}

// dropNullCheck takes the check for null out of a condition.
func dropNullCheck(c *code, n *syntax.Node) []mutation {
	b, ok := asBinary(n)
	if !ok || !isNull(b.right) && !isNull(b.left) {
		return nil
	}
	op := c.text(b.operator)
	there := op == "!=" || op == "is not"
	if !there && op != "==" && op != "is" {
		return nil
	}
	if outer, ok := asBinary(n.Parent); ok {
		connects := c.text(outer.operator)
		if there && (connects == "and" || connects == "&&") || !there && (connects == "or" || connects == "||") {
			other := outer.left
			if other == n {
				other = outer.right
			}
			return one(replace(n.Parent, c.text(other), "not checked for null: "+short(c.text(b.left))))
		}
	}
	if n.Parent == nil || c.condition(n.Parent) != n && !is(n.Parent, "parenthesized_expression", "condition_clause") {
		return nil
	}
	return one(replace(n, c.boolean(there), "not checked for null: "+short(c.text(b.left))))
}

// dropStateUpdate leaves out that something is remembered.
func dropStateUpdate(c *code, n *syntax.Node) []mutation {
	if !is(n, "expression_statement") || len(n.Items()) != 1 {
		return nil
	}
	e := n.Items()[0]
	if !is(e, "assignment", "assignment_expression", "augmented_assignment") {
		return nil
	}
	if left := e.Get("left"); c.settles(n) || !is(left, "attribute", "subscript", "field_access", "field_expression", "array_access", "subscript_expression") {
		return nil
	}
	return one(mutation{[]edit{c.erase(n)}, "not kept: " + short(c.text(e.Get("left")))})
}

// dropLock takes a lock away and leaves what it protects.
func dropLock(c *code, n *syntax.Node) []mutation {
	switch {
	case is(n, "synchronized_statement"):
		return one(mutation{[]edit{{n.Start, n.Get("body").Start, ""}}, "lock dropped"})
	case is(n, "with_statement"):
		items := find(n, "with_item")
		if len(items) == 1 && strings.Contains(strings.ToLower(c.text(items[0])), "lock") && len(find(items[0], "as_pattern")) == 0 {
			return one(mutation{[]edit{{n.Start, items[0].End, "if True"}}, "lock dropped"})
		}
	case is(n, "declaration") && c.cpp():
		typ := c.text(n.Get("type"))
		if strings.Contains(typ, "lock_guard") || strings.Contains(typ, "unique_lock") || strings.Contains(typ, "scoped_lock") {
			return one(mutation{[]edit{c.erase(n)}, "lock dropped"})
		}
	}
	return nil
}
