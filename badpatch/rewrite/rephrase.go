package rewrite

import (
	"bytes"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// invertIf asks gold's questions the other way round and swaps the branches.
func invertIf(d draft) []code.Edit {
	var out []code.Edit
	for _, fn := range d.functions() {
		for _, n := range code.Find(fn, "if_statement") {
			if d.on(n) {
				out = append(out, d.inverted(n)...)
			}
		}
	}
	return outermost(out)
}

func (d draft) inverted(n *syntax.Node) []code.Edit {
	cond, then := d.Condition(n), n.Get("consequence")
	if cond == nil || then == nil || strings.Contains(d.Text(n)[:cond.Start-n.Start], "constexpr") || len(code.Find(cond, "instanceof_expression")) > 0 {
		return nil
	}
	var other *syntax.Node
	for _, c := range n.Children {
		switch {
		case c.Comment():
			return nil
		case c.Field == "alternative" && other != nil, code.Is(c, "elif_clause"):
			return nil
		case c.Field == "alternative":
			other = c
		}
	}
	flip := code.Edit{Start: cond.Start, End: cond.End, Text: d.inverse(cond)}
	if code.Is(other, "else_clause") {
		other = code.Last(other.Items())
	}
	if other == nil {
		return d.emptied(n, then, flip)
	}
	if code.Is(other, "if_statement") || code.Is(other, "block") != code.Is(then, "block") || code.Is(other, "compound_statement") != code.Is(then, "compound_statement") {
		return nil
	}
	if d.Python() && d.Line(then.Start) == n.Line {
		return nil
	}
	return []code.Edit{flip, {Start: then.Start, End: then.End, Text: d.Text(other)}, {Start: other.Start, End: other.End, Text: d.Text(then)}}
}

// emptied does nothing in the one case, and what is to do in the other.
func (d draft) emptied(n, then *syntax.Node, flip code.Edit) []code.Edit {
	if !d.Python() {
		return []code.Edit{flip, {Start: then.Start, End: then.Start, Text: "{ } else "}}
	}
	if d.Line(then.Start) == n.Line {
		return nil
	}
	nl := d.Newline()
	return []code.Edit{flip, {Start: then.Start, End: then.Start, Text: "pass" + nl + d.Indent(n.Start) + "else:" + nl + d.Indent(then.Start)}}
}

// inverse is exact for all operands, those with operators of their own too.
func (d draft) inverse(cond *syntax.Node) string {
	b, ok := code.AsBinary(cond)
	op := ""
	if ok {
		op = d.Text(b.Operator)
	}
	if d.Python() && (op == "is" || op == "is not" || op == "in" || op == "not in") || d.Java() && (op == "==" || op == "!=") {
		return d.Negation(cond)
	}
	if d.Python() {
		return "not (" + d.Text(cond) + ")"
	}
	return "!(" + d.Text(cond) + ")"
}

// temporary gives a name to what gold returns and decides by.
func temporary(d draft) []code.Edit {
	var out []code.Edit
	for _, fn := range d.functions() {
		for _, n := range code.Find(fn, "return_statement", "if_statement") {
			if !d.on(n) || !code.IsBlock(n.Parent) || code.Is(n.Parent, "switch_block_statement_group") || d.Function(n) != fn {
				continue
			}
			value, typ := d.Condition(n), "final boolean"
			if code.Is(n, "return_statement") {
				value, typ = d.returned(n, fn)
			} else if d.Cpp() {
				typ = "const bool"
			}
			if value == nil || len(code.Find(value, "instanceof_expression", "named_expression", "yield", "true", "false")) > 0 && value.Kind != "call" {
				continue
			}
			out = append(out, d.held(n, value, typ)...)
		}
	}
	return outermost(out)
}

// returned is what a return gives, with the type to hold it in; nil where that
// is not clear.
func (d draft) returned(n, fn *syntax.Node) (*syntax.Node, string) {
	items := n.Items()
	if len(items) != 1 || d.InLambda(n) || code.Is(items[0], "initializer_list", "expression_list", "identifier") {
		return nil, ""
	}
	typ := d.ReturnType(fn)
	head := strings.ToLower(d.Text(fn)[:fn.Get("body").Start-fn.Start])
	if d.Cpp() && (typ == "" || typ == "auto" || strings.HasSuffix(typ, "&") || strings.Contains(head, "constexpr") || strings.Contains(head, "decltype")) {
		return nil, ""
	}
	return items[0], typ
}

// held writes the variable before the statement and names it there.
func (d draft) held(n, value *syntax.Node, typ string) []code.Edit {
	name := d.fresh.take()
	text := d.Text(value)
	switch {
	case d.Python():
		text = name + " = " + text
	case typ == "const bool":
		text = typ + " " + name + " = static_cast<bool>(" + text + ");"
	default:
		text = typ + " " + name + " = " + text + ";"
	}
	if d.Python() && strings.Contains(text, "\n") && !code.Is(value, "call", "list", "dictionary", "tuple", "set", "parenthesized_expression", "subscript", "string",
		"list_comprehension", "generator_expression") {
		return nil
	}
	return []code.Edit{d.InsertBefore(n, text), {Start: value.Start, End: value.End, Text: name}}
}

// reorder swaps neighbouring assignments to local variables, of values that can
// neither fail nor change anything, where neither uses the other.
func reorder(d draft) []code.Edit {
	var out []code.Edit
	for _, fn := range d.functions() {
		if len(code.Find(fn, "lambda", "lambda_expression")) > 0 || d.reflective(fn) {
			continue
		}
		for _, n := range code.Find(fn, "expression_statement", "local_variable_declaration", "declaration") {
			next := code.Sibling(n, 1)
			if next == nil || !code.IsBlock(n.Parent) || !d.on(n) && !d.on(next) || !d.independent(n, next) {
				continue
			}
			out = append(out, code.Edit{Start: n.Start, End: next.End, Text: d.Text(next) + string(d.Src[n.End:next.Start]) + d.Text(n)})
		}
	}
	return outermost(out)
}

func (d draft) independent(a, b *syntax.Node) bool {
	nameA, valueA := d.assigned(a)
	nameB, valueB := d.assigned(b)
	if nameA == "" || nameB == "" || nameA == nameB || bytes.Contains(d.Src[a.End:b.Start], []byte("#")) {
		return false
	}
	return d.plain(valueA, nameB) && d.plain(valueB, nameA)
}

// assigned parses an assignment to one local variable.
func (d draft) assigned(n *syntax.Node) (string, *syntax.Node) {
	items := n.Items()
	switch {
	case code.Is(n, "expression_statement") && len(items) == 1 && code.Is(items[0], "assignment") && code.Is(items[0].Get("left"), "identifier"):
		return d.Text(items[0].Get("left")), items[0].Get("right")
	case code.Is(n, "local_variable_declaration", "declaration") && len(code.SameKind(code.Last(items))) == 1 && code.Is(code.Last(items), "variable_declarator", "init_declarator"):
		v := code.Last(items)
		name := v.Get("name")
		if d.Cpp() {
			name = v.Get("declarator")
			if !code.Is(n.Get("type"), "primitive_type", "placeholder_type_specifier", "sized_type_specifier") {
				return "", nil
			}
		}
		if code.Is(name, "identifier") {
			return d.Text(name), v.Get("value")
		}
	}
	return "", nil
}

// plain reports whether a value is made of literals and variables alone, and
// not of the one named.
func (d draft) plain(value *syntax.Node, without string) bool {
	if value == nil {
		return false
	}
	ok := true
	value.Walk(func(n *syntax.Node) bool {
		switch {
		case code.Is(n, "identifier"):
			ok = ok && d.Text(n) != without
		case !n.Named:
		default:
			ok = ok && code.Is(n, "integer", "float", "string", "string_start", "string_content", "string_end", "none", "true", "false", "list",
				"dictionary", "tuple", "unary_operator", "null_literal", "decimal_integer_literal", "string_literal", "string_fragment",
				"number_literal", "null", "char_literal", "character_literal", "character", "expression_list", "pair", "escape_sequence")
		}
		return ok
	})
	return ok
}

// parenthesise puts parentheses around a value on each of gold's lines that
// is still as gold has it.
func parenthesise(d draft) []code.Edit {
	verbatim := map[string]bool{}
	for _, l := range code.Lines(d.view.File.After) {
		verbatim[string(bytes.TrimSpace(l))] = true
	}
	all := code.Lines(d.Src)
	done := map[int]bool{}
	var out []code.Edit
	for _, scope := range d.view.Scopes() {
		scope.Walk(func(n *syntax.Node) bool {
			if d.on(n) && !done[n.Line] && verbatim[string(bytes.TrimSpace(all[n.Line-1]))] && d.wraps(n) && d.EndLine(n) == n.Line {
				done[n.Line] = true
				out = append(out, code.Edit{Start: n.Start, End: n.End, Text: "(" + d.Text(n) + ")"})
			}
			return !code.Is(n, "decorator", "annotation", "type", "template_argument_list")
		})
	}
	return outermost(out)
}

// wraps reports whether an expression may have parentheses put around it.
func (d draft) wraps(n *syntax.Node) bool {
	p := n.Parent
	value := n.Field == "right" && !code.Is(p, "for_range_loop", "for_in_clause") || n.Field == "value" && code.Is(p, "variable_declarator", "keyword_argument", "pair") ||
		code.Is(p, "return_statement", "argument_list") && n.Named || n.Field == "left" && code.Is(p, "binary_expression", "binary_operator", "boolean_operator")
	if !value || d.Text(n) == "self" || code.Is(p.Parent, "explicit_constructor_invocation", "template_argument_list") {
		return false
	}
	return code.Is(n, "binary_expression", "binary_operator", "boolean_operator", "comparison_operator", "not_operator", "unary_expression", "call",
		"method_invocation", "field_access", "attribute", "integer", "decimal_integer_literal", "true", "false", "none", "null_literal", "string",
		"object_creation_expression", "conditional_expression", "ternary_expression", "subscript") ||
		d.Reads(n) || d.Cpp() && code.Is(n, "call_expression", "field_expression", "number_literal") && !code.Is(p, "argument_list")
}
