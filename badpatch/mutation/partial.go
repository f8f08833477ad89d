package mutation

import (
	"fmt"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

func dropOperand(c *code.File, n *syntax.Node) []code.Mutation {
	b, ok := code.AsBinary(n)
	if !ok || code.Is(n, "comparison_operator") || !c.Python() && (code.IsText(b.Left) || code.IsText(b.Right)) {
		return nil
	}
	switch c.Text(b.Operator) {
	case "==", "!=", "<", ">", "<=", ">=", "<<", ">>":
		return nil
	case "%":
		if code.IsText(b.Left) {
			return nil
		}
	}
	var out []code.Mutation
	for _, keep := range []*syntax.Node{b.Left, b.Right} {
		drop := b.Right
		if keep == b.Right {
			drop = b.Left
		}
		if code.Is(keep, "conditional_expression", "ternary_expression", "lambda", "assignment_expression") {
			continue
		}
		out = append(out, replace(n, c.Text(keep), fmt.Sprintf("operand %s dropped", code.Excerpt(c.Text(drop)))))
	}
	return out
}

func dropBranch(c *code.File, n *syntax.Node) []code.Mutation {
	var what string
	if settles(c, n) {
		return nil
	}
	switch {
	case code.Is(n, "elif_clause"):
		what = "branch elif " + code.Excerpt(c.Text(c.Condition(n))) + " dropped"
	case code.Is(n, "else_clause") && code.Is(n.Parent, "if_statement"):
		what = "branch else dropped"
	case code.Is(n, "switch_rule", "switch_block_statement_group", "case_statement", "case_clause") && len(code.Find(n.Parent, n.Kind)) > 1:
		what = "case dropped"
		if code.Is(n.Parent, "switch_block") && code.Is(n.Parent.Parent, "switch_expression") && !c.IsStatement(n.Parent.Parent) && strings.HasPrefix(c.Text(n), "default") {
			return nil // an expression must have a value
		}
	case n.Field == "alternative" && code.Is(n.Parent, "if_statement") && c.Java():
		return []code.Mutation{{Edits: []code.Edit{{Start: n.Parent.Get("consequence").End, End: n.End, Text: ""}}, What: "branch else dropped"}}
	default:
		return nil
	}
	if c.Cpp() && code.Is(n, "else_clause") {
		return []code.Mutation{{Edits: []code.Edit{{Start: n.Parent.Get("consequence").End, End: n.End, Text: ""}}, What: what}}
	}
	if start, end, ok := c.OwnLines(n.Start, n.End); ok {
		return []code.Mutation{{Edits: []code.Edit{{Start: start, End: end, Text: ""}}, What: what}}
	}
	return []code.Mutation{replace(n, "", what)}
}

func dropCaughtType(c *code.File, n *syntax.Node) []code.Mutation {
	switch {
	case code.Is(n, "catch_type") && len(n.Items()) > 1:
		return dropEach(c, n, n.Items(), " | ", "", "")
	case code.Is(n, "tuple") && len(n.Items()) > 1 && code.Up(n, "except_clause", "block") != nil && code.Up(n, "except_clause", "block").Kind == "except_clause":
		if len(n.Items()) == 2 {
			return dropEach(c, n, n.Items(), ", ", "", "")
		}
		return dropEach(c, n, n.Items(), ", ", "(", ")")
	case code.Is(n, "except_clause", "catch_clause") && len(code.SameKind(n)) > 1:
		if start, end, ok := c.OwnLines(n.Start, n.End); ok {
			return one(code.Mutation{Edits: []code.Edit{{Start: start, End: end, Text: ""}}, What: "a handler dropped"})
		}
		return one(replace(n, "", "a handler dropped"))
	}
	return nil
}

// dropEach leaves out one item of a list at a time.
func dropEach(c *code.File, n *syntax.Node, items []*syntax.Node, comma, open, end string) []code.Mutation {
	var out []code.Mutation
	for i, drop := range items {
		var kept []string
		for j, item := range items {
			if j != i {
				kept = append(kept, c.Text(item))
			}
		}
		out = append(out, replace(n, open+strings.Join(kept, comma)+end, code.Excerpt(c.Text(drop))+" dropped"))
	}
	return out
}

// deleteStatement removes a statement that can be missed. Declarations cannot,
// nor can the last return of a function that must give something.
func deleteStatement(c *code.File, n *syntax.Node) []code.Mutation {
	if !c.IsStatement(n) || code.Is(n, "local_variable_declaration", "declaration", "pass_statement", "global_statement", "nonlocal_statement",
		"try_statement", "import_statement", "import_from_statement", "future_import_statement", "else_clause") || c.Function(n) == nil {
		return nil
	}
	if code.Is(n, "return_statement") && c.InLambda(n) || code.Is(n, "if_statement") && code.Is(n.Parent, "else_clause", "if_statement") {
		return nil
	}
	if !c.Python() && code.Leaves(n) && code.Sibling(n, 1) == nil && (c.Function(n).Get("body") == n.Parent || code.Is(n, "break_statement")) {
		return nil
	}
	if code.Is(n, "expression_statement") && len(n.Items()) == 1 && code.Is(n.Items()[0], "string") || c.Binds(n) || settles(c, n) {
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{c.Erase(n)}, What: "statement dropped: " + code.Excerpt(c.Text(n))})
}

// duplicateStatement does a thing twice.
func duplicateStatement(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "expression_statement") || !code.IsBlock(n.Parent) || len(n.Items()) == 0 {
		return nil
	}
	switch e := n.Items()[0]; e.Kind {
	case "call", "call_expression", "method_invocation", "update_expression", "augmented_assignment":
	case "assignment_expression":
		if c.Text(e.Get("operator")) == "=" {
			return nil
		}
	default:
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{c.InsertBefore(n, c.Text(n))}, What: "done twice: " + code.Excerpt(c.Text(n))})
}

// earlyReturn makes a statement, and all after it, unreachable. It is only
// put before statements that have an effect.
func earlyReturn(c *code.File, n *syntax.Node) []code.Mutation {
	fn := c.Function(n)
	if fn == nil || !c.IsStatement(n) || !code.IsBlock(n.Parent) || c.InLambda(n) || code.Leaves(n) || code.Is(fn, "constructor_declaration") ||
		code.Is(n, "pass_statement", "case_statement") || strings.Contains(c.Text(n.Parent), "yield") ||
		code.Is(n, "expression_statement") && len(n.Items()) == 1 && code.Is(n.Items()[0], "string") {
		return nil
	}
	var out []code.Mutation
	for _, value := range earlyValues(c, fn) {
		statement := "return " + value
		if statement = strings.TrimSpace(statement); !c.Python() {
			statement = "if (true) " + statement + ";"
		}
		out = append(out, code.Mutation{Edits: []code.Edit{c.InsertBefore(n, statement)}, What: "never comes to: " + code.Excerpt(c.Text(n))})
	}
	return out
}

// earlyValues are what a function may return before its time: its first
// parameter where that is of the type, and a default.
func earlyValues(c *code.File, fn *syntax.Node) []string {
	values := c.DefaultReturns(fn)
	if len(values) > 1 {
		values = values[:1]
	}
	if c.Python() && c.Name(fn) == "__init__" {
		return []string{""}
	}
	for _, v := range c.Variables(fn) {
		if v.Param && v.Type == c.ReturnType(fn) && v.Type != "void" {
			return append([]string{v.Name}, values...)
		}
	}
	return values
}
