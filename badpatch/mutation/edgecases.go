package mutation

import (
	"fmt"
	"strconv"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// swapOperator changes an operator of two operands by a table.
func swapOperator(c *code.File, n *syntax.Node, other func(op string) []string) []code.Mutation {
	b, ok := code.AsBinary(n)
	if !ok {
		return nil
	}
	op := strings.Join(strings.Fields(c.Text(b.Operator)), " ")
	var out []code.Mutation
	for _, to := range other(op) {
		out = append(out, replace(b.Operator, to, fmt.Sprintf("%s in place of %s", to, op)))
	}
	return out
}

func boundary(c *code.File, n *syntax.Node) []code.Mutation {
	if code.Up(n, "template_argument_list") != nil {
		return nil
	}
	return swapOperator(c, n, func(op string) []string {
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

func flipComparison(c *code.File, n *syntax.Node) []code.Mutation {
	return swapOperator(c, n, func(op string) []string {
		if other := code.Contrary(op); other != "" {
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
func joins(c *code.File, n *syntax.Node) bool {
	b, ok := code.AsBinary(n)
	if !ok {
		return code.IsText(n) || !c.Python() && (ofText(c, n) || code.Is(n, "call_expression") && strings.Contains(c.Text(n), "string("))
	}
	return c.Text(b.Operator) == "+" && (joins(c, b.Left) || joins(c, b.Right)) || code.IsText(b.Left) || code.IsText(b.Right)
}

func swapArithmetic(c *code.File, n *syntax.Node) []code.Mutation {
	b, ok := code.AsBinary(n)
	if !ok || joins(c, n) {
		return nil
	}
	return swapOperator(c, n, func(op string) []string {
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
		if code.Is(b.Right, "integer", "decimal_integer_literal", "number_literal") && c.Java() {
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
func plainAssignment(c *code.File, n *syntax.Node) []code.Mutation {
	op := n.Get("operator")
	if !code.Is(n, "augmented_assignment", "assignment_expression") || op == nil || c.Text(op) == "=" {
		return nil
	}
	return one(replace(op, "=", "= in place of "+c.Text(op)))
}

func integerStep(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "integer", "decimal_integer_literal", "number_literal") || code.Is(n.Parent, "case_pattern", "switch_label", "case_statement", "bitfield_clause") {
		return nil
	}
	text := c.Text(n)
	digits := strings.TrimRight(text, "uUlLzZ")
	v, err := strconv.ParseInt(digits, 10, 63)
	if err != nil || len(digits) > 1 && digits[0] == '0' {
		return nil
	}
	suffix := text[len(digits):]
	var out []code.Mutation
	for _, to := range []int64{v + 1, v - 1} {
		if to >= 0 {
			out = append(out, replace(n, strconv.FormatInt(to, 10)+suffix, fmt.Sprintf("%d in place of %d", to, v)))
		}
	}
	return out
}

// sliceBound moves or forgets a bound.
func sliceBound(c *code.File, n *syntax.Node) []code.Mutation {
	if code.Is(n, "slice") {
		return pythonSlice(c, n)
	}
	if code.Is(n, "subscript") && c.Python() {
		if i := n.Get("subscript"); c.Text(i) == "0" {
			return one(replace(i, "-1", "the last in place of the first"))
		} else if c.Text(i) == "-1" {
			return one(replace(i, "0", "the first in place of the last"))
		}
		return nil
	}
	k, ok := c.AsCall(n)
	if !ok || k.Receiver == nil {
		return nil
	}
	var out []code.Mutation
	switch c.CalledName(k) {
	case "substring", "subList", "subSequence", "substr", "charAt", "at":
		for _, a := range k.Args {
			if !code.Is(a, "decimal_integer_literal", "number_literal") {
				out = append(out, code.Mutation{Edits: []code.Edit{{Start: a.End, End: a.End, Text: " + 1"}}, What: "one past " + code.Excerpt(c.Text(a))})
			}
		}
		if name := c.CalledName(k); len(k.Args) == 2 && (name == "substring" || name == "substr") {
			out = append(out, code.Mutation{Edits: []code.Edit{withoutItem(k.Args[1])}, What: "no end"})
		}
	}
	return out
}

func pythonSlice(c *code.File, n *syntax.Node) []code.Mutation {
	var out []code.Mutation
	for _, bound := range n.Items() {
		if bound.Start > n.Start && len(n.Items()) == 3 && bound == n.Items()[2] {
			break // the step
		}
		out = append(out, replace(bound, "", "bound "+code.Excerpt(c.Text(bound))+" dropped"))
		if code.Is(bound, "identifier", "call", "attribute", "binary_operator") {
			out = append(out, code.Mutation{Edits: []code.Edit{{Start: bound.End, End: bound.End, Text: " + 1"}}, What: "one past " + code.Excerpt(c.Text(bound))})
		}
	}
	return out
}

func swapJump(c *code.File, n *syntax.Node) []code.Mutation {
	if code.Is(n, "continue_statement") && len(n.Items()) == 0 && code.Up(n, "switch_block", "switch_statement", "case_statement") == nil {
		return one(code.Mutation{Edits: []code.Edit{{Start: n.Start, End: n.Start + len("continue"), Text: "break"}}, What: "break in place of continue"})
	}
	if loop := code.Up(n, "while_statement", "do_statement", "for_statement", "enhanced_for_statement", "for_range_loop"); code.Is(loop, "while_statement", "do_statement") {
		return nil // might never end
	}
	if code.Is(n, "break_statement") && len(n.Items()) == 0 && code.Up(n, "switch_block", "switch_statement", "case_statement") == nil {
		return one(code.Mutation{Edits: []code.Edit{{Start: n.Start, End: n.Start + len("break"), Text: "continue"}}, What: "continue in place of break"})
	}
	return nil
}
