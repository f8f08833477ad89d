package badpatch

import (
	"fmt"
	"strconv"
	"strings"

	"assay/languages/syntax"
)

// swapOperator changes an operator of two operands by a table.
func (c *code) swapOperator(n *syntax.Node, other func(op string) []string) []mutation {
	b, ok := asBinary(n)
	if !ok {
		return nil
	}
	op := strings.Join(strings.Fields(c.text(b.operator)), " ")
	var out []mutation
	for _, to := range other(op) {
		out = append(out, replace(b.operator, to, fmt.Sprintf("%s in place of %s", to, op)))
	}
	return out
}

func boundary(c *code, n *syntax.Node) []mutation {
	if up(n, "template_argument_list") != nil {
		return nil
	}
	return c.swapOperator(n, func(op string) []string {
		switch op {
		case "<":
			return []string{"<="}
		case "<=":
			return []string{"<"}
		case ">":
			return []string{">="}
		case ">=":
			return []string{">"}
		}
		return nil
	})
}

func flipComparison(c *code, n *syntax.Node) []mutation {
	return c.swapOperator(n, func(op string) []string {
		if other := contrary(op); other != "" {
			return []string{other}
		}
		switch op {
		case "<", "<=":
			return []string{">"}
		case ">", ">=":
			return []string{"<"}
		}
		return nil
	})
}

// joins reports whether a sum puts texts together.
func (c *code) joins(n *syntax.Node) bool {
	b, ok := asBinary(n)
	if !ok {
		return isText(n) || !c.python() && (c.ofText(n) || is(n, "call_expression") && strings.Contains(c.text(n), "string("))
	}
	return c.text(b.operator) == "+" && (c.joins(b.left) || c.joins(b.right)) || isText(b.left) || isText(b.right)
}

func swapArithmetic(c *code, n *syntax.Node) []mutation {
	b, ok := asBinary(n)
	if !ok || c.joins(n) {
		return nil
	}
	return c.swapOperator(n, func(op string) []string {
		switch op {
		case "+":
			return []string{"-"}
		case "-":
			return []string{"+"}
		case "*":
			return []string{"/"}
		case "/":
			return []string{"*"}
		case "//":
			return []string{"/"}
		case "%":
			return []string{"*"}
		case "**":
			return []string{"*"}
		case "&":
			return []string{"|"}
		case "|":
			return []string{"&"}
		case "^":
			return []string{"|"}
		}
		if is(b.right, "integer", "decimal_integer_literal", "number_literal") && c.java() {
			switch op {
			case "<<":
				return []string{">>"}
			case ">>", ">>>":
				return []string{"<<"}
			}
		}
		return nil
	})
}

// plainAssignment overwrites where gold adds to.
func plainAssignment(c *code, n *syntax.Node) []mutation {
	op := n.Get("operator")
	if !is(n, "augmented_assignment", "assignment_expression") || op == nil || c.text(op) == "=" {
		return nil
	}
	return one(replace(op, "=", "= in place of "+c.text(op)))
}

func integerStep(c *code, n *syntax.Node) []mutation {
	if !is(n, "integer", "decimal_integer_literal", "number_literal") || is(n.Parent, "case_pattern", "switch_label", "case_statement", "bitfield_clause") {
		return nil
	}
	text := c.text(n)
	digits := strings.TrimRight(text, "uUlLzZ")
	v, err := strconv.ParseInt(digits, 10, 63)
	if err != nil || len(digits) > 1 && digits[0] == '0' {
		return nil
	}
	suffix := text[len(digits):]
	var out []mutation
	for _, to := range []int64{v + 1, v - 1} {
		if to >= 0 {
			out = append(out, replace(n, strconv.FormatInt(to, 10)+suffix, fmt.Sprintf("%d in place of %d", to, v)))
		}
	}
	return out
}

// sliceBound moves or forgets a bound.
func sliceBound(c *code, n *syntax.Node) []mutation {
	if is(n, "slice") {
		return c.pythonSlice(n)
	}
	if is(n, "subscript") && c.python() {
		if i := n.Get("subscript"); c.text(i) == "0" {
			return one(replace(i, "-1", "the last in place of the first"))
		} else if c.text(i) == "-1" {
			return one(replace(i, "0", "the first in place of the last"))
		}
		return nil
	}
	k, ok := c.asCall(n)
	if !ok || k.receiver == nil {
		return nil
	}
	var out []mutation
	switch c.calledName(k) {
	case "substring", "subList", "subSequence", "substr", "charAt", "at":
		for _, a := range k.args {
			if !is(a, "decimal_integer_literal", "number_literal") {
				out = append(out, mutation{[]edit{{a.End, a.End, " + 1"}}, "one past " + short(c.text(a))})
			}
		}
		if name := c.calledName(k); len(k.args) == 2 && (name == "substring" || name == "substr") {
			out = append(out, mutation{[]edit{c.withoutItem(k.args[1])}, "no end"})
		}
	}
	return out
}

func (c *code) pythonSlice(n *syntax.Node) []mutation {
	var out []mutation
	for _, bound := range n.Items() {
		if bound.Start > n.Start && len(n.Items()) == 3 && bound == n.Items()[2] {
			break // the step
		}
		out = append(out, replace(bound, "", "bound "+short(c.text(bound))+" dropped"))
		if is(bound, "identifier", "call", "attribute", "binary_operator") {
			out = append(out, mutation{[]edit{{bound.End, bound.End, " + 1"}}, "one past " + short(c.text(bound))})
		}
	}
	return out
}

func swapJump(c *code, n *syntax.Node) []mutation {
	if is(n, "continue_statement") && len(n.Items()) == 0 && up(n, "switch_block", "switch_statement", "case_statement") == nil {
		return one(mutation{[]edit{{n.Start, n.Start + len("continue"), "break"}}, "break in place of continue"})
	}
	if loop := up(n, "while_statement", "do_statement", "for_statement", "enhanced_for_statement", "for_range_loop"); is(loop, "while_statement", "do_statement") {
		return nil // might never end
	}
	if is(n, "break_statement") && len(n.Items()) == 0 && up(n, "switch_block", "switch_statement", "case_statement") == nil {
		return one(mutation{[]edit{{n.Start, n.Start + len("break"), "continue"}}, "continue in place of break"})
	}
	return nil
}
