package code

import "assay/languages/syntax"

// Negation is the contrary of an expression, as one writes it.
func (c *File) Negation(n *syntax.Node) string {
	if Is(n, "not_operator") || Is(n, "unary_expression") && c.Text(n.Get("operator")) == "!" {
		return c.Text(Last(n.Items()))
	}
	if b, ok := AsBinary(n); ok {
		if other := Contrary(c.Text(b.Operator)); other != "" {
			return string(c.Src[n.Start:b.Operator.Start]) + other + string(c.Src[b.Operator.End:n.End])
		}
	}
	simple := Is(n, "identifier", "call", "method_invocation", "call_expression", "attribute", "field_access", "field_expression",
		"parenthesized_expression", "subscript", "true", "false")
	switch {
	case c.Python() && simple:
		return "not " + c.Text(n)
	case c.Python():
		return "not (" + c.Text(n) + ")"
	case simple:
		return "!" + c.Text(n)
	}
	return "!(" + c.Text(n) + ")"
}

// Contrary is the operator that holds when another one does not, for those
// that are safe to negate with any operands.
func Contrary(op string) string {
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
