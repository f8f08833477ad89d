package badpatch

import (
	"bytes"
	"strings"

	"assay/languages/syntax"
)

// invertIf asks gold's questions the other way round and swaps the branches.
func invertIf(d draft) []edit {
	var out []edit
	for _, fn := range d.functions() {
		for _, n := range find(fn, "if_statement") {
			if d.on(n) {
				out = append(out, d.inverted(n)...)
			}
		}
	}
	return outermost(out)
}

func (d draft) inverted(n *syntax.Node) []edit {
	cond, then := d.condition(n), n.Get("consequence")
	if cond == nil || then == nil || strings.Contains(d.text(n)[:cond.Start-n.Start], "constexpr") || len(find(cond, "instanceof_expression")) > 0 {
		return nil
	}
	var other *syntax.Node
	for _, c := range n.Children {
		switch {
		case c.Comment():
			return nil
		case c.Field == "alternative" && other != nil, is(c, "elif_clause"):
			return nil
		case c.Field == "alternative":
			other = c
		}
	}
	flip := edit{cond.Start, cond.End, d.inverse(cond)}
	if is(other, "else_clause") {
		other = last(other.Items())
	}
	if other == nil {
		return d.emptied(n, then, flip)
	}
	if is(other, "if_statement") || is(other, "block") != is(then, "block") || is(other, "compound_statement") != is(then, "compound_statement") {
		return nil
	}
	if d.python() && d.line(then.Start) == n.Line {
		return nil
	}
	return []edit{flip, {then.Start, then.End, d.text(other)}, {other.Start, other.End, d.text(then)}}
}

// emptied does nothing in the one case, and what is to do in the other.
func (d draft) emptied(n, then *syntax.Node, flip edit) []edit {
	if !d.python() {
		return []edit{flip, {then.Start, then.Start, "{ } else "}}
	}
	if d.line(then.Start) == n.Line {
		return nil
	}
	nl := d.newline()
	return []edit{flip, {then.Start, then.Start, "pass" + nl + d.indent(n.Start) + "else:" + nl + d.indent(then.Start)}}
}

// inverse is exact for all operands, those with operators of their own too.
func (d draft) inverse(cond *syntax.Node) string {
	b, ok := asBinary(cond)
	op := ""
	if ok {
		op = d.text(b.operator)
	}
	if d.python() && (op == "is" || op == "is not" || op == "in" || op == "not in") || d.java() && (op == "==" || op == "!=") {
		return d.not(cond)
	}
	if d.python() {
		return "not (" + d.text(cond) + ")"
	}
	return "!(" + d.text(cond) + ")"
}

// temporary gives a name to what gold returns and decides by.
func temporary(d draft) []edit {
	var out []edit
	for _, fn := range d.functions() {
		for _, n := range find(fn, "return_statement", "if_statement") {
			if !d.on(n) || !isBlock(n.Parent) || is(n.Parent, "switch_block_statement_group") || d.function(n) != fn {
				continue
			}
			value, typ := d.condition(n), "final boolean"
			if is(n, "return_statement") {
				value, typ = d.returned(n, fn)
			} else if d.cpp() {
				typ = "const bool"
			}
			if value == nil || len(find(value, "instanceof_expression", "named_expression", "yield", "true", "false")) > 0 && value.Kind != "call" {
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
	if len(items) != 1 || d.inLambda(n) || is(items[0], "initializer_list", "expression_list", "identifier") {
		return nil, ""
	}
	typ := d.returnType(fn)
	head := strings.ToLower(d.text(fn)[:fn.Get("body").Start-fn.Start])
	if d.cpp() && (typ == "" || typ == "auto" || strings.HasSuffix(typ, "&") || strings.Contains(head, "constexpr") || strings.Contains(head, "decltype")) {
		return nil, ""
	}
	return items[0], typ
}

// held writes the variable before the statement and names it there.
func (d draft) held(n, value *syntax.Node, typ string) []edit {
	name := d.fresh.take()
	text := d.text(value)
	switch {
	case d.python():
		text = name + " = " + text
	case typ == "const bool":
		text = typ + " " + name + " = static_cast<bool>(" + text + ");"
	default:
		text = typ + " " + name + " = " + text + ";"
	}
	if d.python() && strings.Contains(text, "\n") && !is(value, "call", "list", "dictionary", "tuple", "set", "parenthesized_expression", "subscript", "string",
		"list_comprehension", "generator_expression") {
		return nil
	}
	return []edit{d.before(n, text), {value.Start, value.End, name}}
}

// reorder swaps neighbouring assignments to local variables, of values that can
// neither fail nor change anything, where neither uses the other.
func reorder(d draft) []edit {
	var out []edit
	for _, fn := range d.functions() {
		if len(find(fn, "lambda", "lambda_expression")) > 0 || d.reflective(fn) {
			continue
		}
		for _, n := range find(fn, "expression_statement", "local_variable_declaration", "declaration") {
			next := sibling(n, 1)
			if next == nil || !isBlock(n.Parent) || !d.on(n) && !d.on(next) || !d.independent(n, next) {
				continue
			}
			out = append(out, edit{n.Start, next.End, d.text(next) + string(d.src[n.End:next.Start]) + d.text(n)})
		}
	}
	return outermost(out)
}

func (d draft) independent(a, b *syntax.Node) bool {
	nameA, valueA := d.assigned(a)
	nameB, valueB := d.assigned(b)
	if nameA == "" || nameB == "" || nameA == nameB || bytes.Contains(d.src[a.End:b.Start], []byte("#")) {
		return false
	}
	return d.plain(valueA, nameB) && d.plain(valueB, nameA)
}

// assigned takes an assignment to one local variable apart.
func (d draft) assigned(n *syntax.Node) (string, *syntax.Node) {
	items := n.Items()
	switch {
	case is(n, "expression_statement") && len(items) == 1 && is(items[0], "assignment") && is(items[0].Get("left"), "identifier"):
		return d.text(items[0].Get("left")), items[0].Get("right")
	case is(n, "local_variable_declaration", "declaration") && len(siblingsOf(last(items))) == 1 && is(last(items), "variable_declarator", "init_declarator"):
		v := last(items)
		name := v.Get("name")
		if d.cpp() {
			name = v.Get("declarator")
			if !is(n.Get("type"), "primitive_type", "placeholder_type_specifier", "sized_type_specifier") {
				return "", nil
			}
		}
		if is(name, "identifier") {
			return d.text(name), v.Get("value")
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
		case is(n, "identifier"):
			ok = ok && d.text(n) != without
		case !n.Named:
		default:
			ok = ok && is(n, "integer", "float", "string", "string_start", "string_content", "string_end", "none", "true", "false", "list",
				"dictionary", "tuple", "unary_operator", "null_literal", "decimal_integer_literal", "string_literal", "string_fragment",
				"number_literal", "null", "char_literal", "character_literal", "character", "expression_list", "pair", "escape_sequence")
		}
		return ok
	})
	return ok
}

// parenthesise puts parentheses round a value on each of gold's lines that is
// still as gold has it.
func parenthesise(d draft) []edit {
	verbatim := map[string]bool{}
	for _, l := range lines(d.view.file.after) {
		verbatim[string(bytes.TrimSpace(l))] = true
	}
	all := lines(d.src)
	done := map[int]bool{}
	var out []edit
	for _, scope := range d.view.scopes() {
		scope.Walk(func(n *syntax.Node) bool {
			if d.on(n) && !done[n.Line] && verbatim[string(bytes.TrimSpace(all[n.Line-1]))] && d.wraps(n) && d.endLine(n) == n.Line {
				done[n.Line] = true
				out = append(out, edit{n.Start, n.End, "(" + d.text(n) + ")"})
			}
			return !is(n, "decorator", "annotation", "type", "template_argument_list")
		})
	}
	return outermost(out)
}

// wraps reports whether an expression may have parentheses put round it.
func (d draft) wraps(n *syntax.Node) bool {
	p := n.Parent
	value := n.Field == "right" && !is(p, "for_range_loop", "for_in_clause") || n.Field == "value" && is(p, "variable_declarator", "keyword_argument", "pair") ||
		is(p, "return_statement", "argument_list") && n.Named || n.Field == "left" && is(p, "binary_expression", "binary_operator", "boolean_operator")
	if !value || d.text(n) == "self" || is(p.Parent, "explicit_constructor_invocation", "template_argument_list") {
		return false
	}
	return is(n, "binary_expression", "binary_operator", "boolean_operator", "comparison_operator", "not_operator", "unary_expression", "call",
		"method_invocation", "field_access", "attribute", "integer", "decimal_integer_literal", "true", "false", "none", "null_literal", "string",
		"object_creation_expression", "conditional_expression", "ternary_expression", "subscript") ||
		d.reads(n) || d.cpp() && is(n, "call_expression", "field_expression", "number_literal") && !is(p, "argument_list")
}
