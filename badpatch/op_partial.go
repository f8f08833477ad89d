package badpatch

import (
	"fmt"
	"strings"

	"assay/languages/syntax"
)

func dropOperand(c *code, n *syntax.Node) []mutation {
	b, ok := asBinary(n)
	if !ok || is(n, "comparison_operator") || !c.python() && (isText(b.left) || isText(b.right)) {
		return nil
	}
	switch c.text(b.operator) {
	case "==", "!=", "<", ">", "<=", ">=", "<<", ">>":
		return nil
	case "%":
		if isText(b.left) {
			return nil
		}
	}
	var out []mutation
	for _, keep := range []*syntax.Node{b.left, b.right} {
		drop := b.right
		if keep == b.right {
			drop = b.left
		}
		if is(keep, "conditional_expression", "ternary_expression", "lambda", "assignment_expression") {
			continue
		}
		out = append(out, replace(n, c.text(keep), fmt.Sprintf("operand %s dropped", short(c.text(drop)))))
	}
	return out
}

// short is the beginning of a text, for people to read.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 40 {
		return string(r[:37]) + "..."
	}
	return text
}

func dropBranch(c *code, n *syntax.Node) []mutation {
	what := ""
	if c.settles(n) {
		return nil
	}
	switch {
	case is(n, "elif_clause"):
		what = "branch elif " + short(c.text(c.condition(n))) + " dropped"
	case is(n, "else_clause") && is(n.Parent, "if_statement"):
		what = "branch else dropped"
	case is(n, "switch_rule", "switch_block_statement_group", "case_statement", "case_clause") && len(find(n.Parent, n.Kind)) > 1:
		what = "case dropped"
		if is(n.Parent, "switch_block") && is(n.Parent.Parent, "switch_expression") && !c.isStatement(n.Parent.Parent) && strings.HasPrefix(c.text(n), "default") {
			return nil // an expression must have a value
		}
	case n.Field == "alternative" && is(n.Parent, "if_statement") && c.java():
		return []mutation{{[]edit{{n.Parent.Get("consequence").End, n.End, ""}}, "branch else dropped"}}
	default:
		return nil
	}
	if c.cpp() && is(n, "else_clause") {
		return []mutation{{[]edit{{n.Parent.Get("consequence").End, n.End, ""}}, what}}
	}
	if start, end, ok := c.alone(n.Start, n.End); ok {
		return []mutation{{[]edit{{start, end, ""}}, what}}
	}
	return []mutation{replace(n, "", what)}
}

func dropCaughtType(c *code, n *syntax.Node) []mutation {
	switch {
	case is(n, "catch_type") && len(n.Items()) > 1:
		return c.dropEach(n, n.Items(), " | ", "", "")
	case is(n, "tuple") && len(n.Items()) > 1 && up(n, "except_clause", "block") != nil && up(n, "except_clause", "block").Kind == "except_clause":
		if len(n.Items()) == 2 {
			return c.dropEach(n, n.Items(), ", ", "", "")
		}
		return c.dropEach(n, n.Items(), ", ", "(", ")")
	case is(n, "except_clause", "catch_clause") && len(siblingsOf(n)) > 1:
		if start, end, ok := c.alone(n.Start, n.End); ok {
			return one(mutation{[]edit{{start, end, ""}}, "a handler dropped"})
		}
		return one(replace(n, "", "a handler dropped"))
	}
	return nil
}

// siblingsOf lists the children of n's parent that are of its kind.
func siblingsOf(n *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	if n.Parent == nil {
		return nil
	}
	for _, s := range n.Parent.Children {
		if s.Kind == n.Kind {
			out = append(out, s)
		}
	}
	return out
}

// dropEach leaves out one item of a list at a time.
func (c *code) dropEach(n *syntax.Node, items []*syntax.Node, comma, open, end string) []mutation {
	var out []mutation
	for i, drop := range items {
		var kept []string
		for j, item := range items {
			if j != i {
				kept = append(kept, c.text(item))
			}
		}
		out = append(out, replace(n, open+strings.Join(kept, comma)+end, short(c.text(drop))+" dropped"))
	}
	return out
}

// deleteStatement removes a statement that can be missed. Declarations cannot,
// nor can the last return of a function that must give something.
func deleteStatement(c *code, n *syntax.Node) []mutation {
	if !c.isStatement(n) || is(n, "local_variable_declaration", "declaration", "pass_statement", "global_statement", "nonlocal_statement",
		"try_statement", "import_statement", "import_from_statement", "future_import_statement", "else_clause") || c.function(n) == nil {
		return nil
	}
	if is(n, "return_statement") && c.inLambda(n) || is(n, "if_statement") && is(n.Parent, "else_clause", "if_statement") {
		return nil
	}
	if !c.python() && leaves(n) && sibling(n, 1) == nil && (c.function(n).Get("body") == n.Parent || is(n, "break_statement")) {
		return nil
	}
	if is(n, "expression_statement") && len(n.Items()) == 1 && is(n.Items()[0], "string") || c.binds(n) || c.settles(n) {
		return nil
	}
	return one(mutation{[]edit{c.erase(n)}, "statement dropped: " + short(c.text(n))})
}

// binds reports whether a Python statement is the first to give a local name
// its value: without it all that follows fails.
func (c *code) binds(n *syntax.Node) bool {
	if !c.python() || !is(n, "expression_statement") || !is(n.Items()[0], "assignment") {
		return false
	}
	left := n.Items()[0].Get("left")
	for _, v := range c.variables(c.function(n)) {
		if v.decl.Start >= left.Start && v.decl.End <= left.End {
			return true
		}
	}
	return false
}

// duplicateStatement does a thing twice.
func duplicateStatement(c *code, n *syntax.Node) []mutation {
	if !is(n, "expression_statement") || !isBlock(n.Parent) || len(n.Items()) == 0 {
		return nil
	}
	switch e := n.Items()[0]; e.Kind {
	case "call", "call_expression", "method_invocation", "update_expression", "augmented_assignment":
	case "assignment_expression":
		if c.text(e.Get("operator")) == "=" {
			return nil
		}
	default:
		return nil
	}
	return one(mutation{[]edit{c.before(n, c.text(n))}, "done twice: " + short(c.text(n))})
}

// earlyReturn makes a statement, and all behind it, unreachable. It only goes
// before statements that something follows from.
func earlyReturn(c *code, n *syntax.Node) []mutation {
	fn := c.function(n)
	if fn == nil || !c.isStatement(n) || !isBlock(n.Parent) || c.inLambda(n) || leaves(n) || is(fn, "constructor_declaration") ||
		is(n, "pass_statement", "case_statement") || strings.Contains(c.text(n.Parent), "yield") ||
		is(n, "expression_statement") && len(n.Items()) == 1 && is(n.Items()[0], "string") {
		return nil
	}
	var out []mutation
	for _, value := range c.earlyValues(fn) {
		statement := "return " + value
		if statement = strings.TrimSpace(statement); !c.python() {
			statement = "if (true) " + statement + ";"
		}
		out = append(out, mutation{[]edit{c.before(n, statement)}, "never comes to: " + short(c.text(n))})
	}
	return out
}

// earlyValues are what a function may return before its time: its first
// parameter where that is of the type, and a default.
func (c *code) earlyValues(fn *syntax.Node) []string {
	values := c.defaults(fn)
	if len(values) > 1 {
		values = values[:1]
	}
	if c.python() && c.name(fn) == "__init__" {
		return []string{""}
	}
	for _, v := range c.variables(fn) {
		if v.param && v.typ == c.returnType(fn) && v.typ != "void" {
			return append([]string{v.name}, values...)
		}
	}
	return values
}
