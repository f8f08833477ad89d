package badpatch

import (
	"fmt"
	"strings"

	"assay/languages/syntax"
)

// otherLiterals are the values that people mistake a literal for.
func (c *code) otherLiterals(n *syntax.Node) []string {
	switch text := c.text(n); {
	case is(n, "true"):
		return []string{c.boolean(false)}
	case is(n, "false"):
		return []string{c.boolean(true)}
	case isNull(n) && c.python():
		return []string{"False", "''"}
	case isNull(n):
		return nil
	case text == "0":
		return []string{"1"}
	case text == "1":
		return []string{"0"}
	case is(n, "integer", "decimal_integer_literal") || is(n, "number_literal") && isDigits(text):
		return []string{"0"}
	case isText(n) && strings.Trim(text, `"'`) != "":
		return []string{empty(text)}
	case is(n, "list", "dictionary", "tuple") && len(n.Items()) == 0:
		return []string{"None"}
	}
	return nil
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// boolean is a truth value in the language's words.
func (c *code) boolean(value bool) string {
	switch {
	case c.python() && value:
		return "True"
	case c.python():
		return "False"
	case value:
		return "true"
	}
	return "false"
}

// empty is the empty string with the quotes of another one.
func empty(text string) string {
	if strings.HasSuffix(text, "'") {
		return "''"
	}
	return `""`
}

// changeDefault gives a parameter another default. Java has no defaults but
// overloads that call the full form: the literals that they pass are.
func changeDefault(c *code, n *syntax.Node) []mutation {
	var values []*syntax.Node
	switch {
	case is(n, "default_parameter", "typed_default_parameter"):
		values = append(values, n.Get("value"))
	case is(n, "optional_parameter_declaration"):
		values = append(values, n.Get("default_value"))
	case is(n, "explicit_constructor_invocation"):
		values = n.Get("arguments").Items()
	case is(n, "method_invocation"):
		if k, ok := c.asCall(n); ok && c.function(n) != nil && c.calledName(k) == c.name(c.function(n)) && (k.receiver == nil || is(k.receiver, "this")) {
			values = k.args
		}
	}
	var out []mutation
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, other := range c.otherLiterals(v) {
			out = append(out, replace(v, other, fmt.Sprintf("default %s in place of %s", other, short(c.text(v)))))
		}
	}
	return out
}

func swapArguments(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok {
		return nil
	}
	var out []mutation
	for i := 0; i+1 < len(k.args); i++ {
		a, b := k.args[i], k.args[i+1]
		if c.text(a) == c.text(b) || named(a) || named(b) || !c.python() && !c.sameType(a, b) {
			continue
		}
		out = append(out, mutation{
			[]edit{{a.Start, a.End, c.text(b)}, {b.Start, b.End, c.text(a)}},
			fmt.Sprintf("arguments %s and %s swapped", short(c.text(a)), short(c.text(b))),
		})
	}
	return out
}

// named tells arguments that are not told by their place.
func named(n *syntax.Node) bool {
	return is(n, "keyword_argument", "list_splat", "dictionary_splat", "generator_expression", "parenthesized_list_splat")
}

// sameType reports whether two arguments are seen to be of one type or, where
// neither's type is seen, are at least of one shape.
func (c *code) sameType(a, b *syntax.Node) bool {
	x, okX := c.typeSeen(a)
	y, okY := c.typeSeen(b)
	if isNull(a) || isNull(b) {
		return false
	}
	return okX && okY && x == y || !okX && !okY && a.Kind == b.Kind
}

// typeSeen is the type of a variable, field or literal.
func (c *code) typeSeen(n *syntax.Node) (string, bool) {
	switch {
	case is(n, "identifier"):
		if v, ok := c.lookup(n); ok {
			return v.typ, v.typ != "auto" && v.typ != "var"
		}
		for _, f := range c.fields(n) {
			if f.name == c.text(n) {
				return f.typ, true
			}
		}
	case is(n, "true", "false", "string_literal", "character_literal", "char_literal", "decimal_integer_literal"):
		return n.Kind, true
	}
	return "", false
}

func dropKeyword(c *code, n *syntax.Node) []mutation {
	if !is(n, "keyword_argument") || !is(n.Parent, "argument_list") {
		return nil
	}
	return one(mutation{[]edit{c.withoutItem(n)}, "argument " + short(c.text(n)) + " dropped"})
}

// withoutItem removes one item of a list that is parted by commas.
func (c *code) withoutItem(n *syntax.Node) edit {
	if prev := sibling(n, -1); prev != nil {
		return edit{prev.End, n.End, ""}
	}
	if next := sibling(n, 1); next != nil {
		return edit{n.Start, next.Start, ""}
	}
	return edit{n.Start, n.End, ""}
}

// dropArgument leaves out the last argument: in Python always, elsewhere where
// the file has a form of the function that takes one less.
func dropArgument(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || len(k.args) < 2 || named(last(k.args)) || !c.python() && (k.receiver != nil && !is(k.receiver, "this") || !c.overloaded(c.calledName(k), len(k.args)-1)) {
		return nil
	}
	drop := last(k.args)
	return one(mutation{[]edit{c.withoutItem(drop)}, "argument " + short(c.text(drop)) + " dropped"})
}

// overloaded reports whether the file has a function with that many
// parameters, or one that takes fewer by its defaults.
func (c *code) overloaded(name string, parameters int) bool {
	for _, fn := range find(c.root, "method_declaration", "constructor_declaration", "function_definition") {
		if c.name(fn) != name {
			continue
		}
		all := c.parameters(fn)
		optional := 0
		for _, p := range all {
			if is(p, "optional_parameter_declaration") {
				optional++
			}
		}
		if len(all) >= parameters && len(all)-optional <= parameters {
			return true
		}
	}
	return false
}

// nullArgument passes null in place of a variable of a reference's type.
func nullArgument(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || c.cpp() {
		return nil
	}
	switch c.calledName(k) {
	case "append", "valueOf", "println", "isinstance", "len", "super", "type":
		return nil // overloaded for what null might be, or sure to crash
	}
	var out []mutation
	for _, a := range k.args {
		if named(a) || isNull(a) || isLambda(a) || !c.python() && !c.reference(a) {
			continue
		}
		null := "None"
		if !c.python() {
			null = "null"
		}
		out = append(out, replace(a, null, fmt.Sprintf("%s passed in place of %s", null, short(c.text(a)))))
	}
	return out
}

// reference reports whether an argument is seen to be of a type that has null.
func (c *code) reference(n *syntax.Node) bool {
	typ, ok := c.typeSeen(n)
	if !ok || !is(n, "identifier") {
		return false
	}
	switch typ {
	case "int", "long", "short", "byte", "char", "boolean", "double", "float":
		return false
	}
	return true
}

// flipLiteral turns a truth value round where it is passed, assigned or
// returned.
func flipLiteral(c *code, n *syntax.Node) []mutation {
	if !is(n, "true", "false") || !n.Named || is(n.Parent, "parenthesized_expression", "condition_clause", "while_statement") {
		return nil
	}
	other := c.boolean(n.Kind == "false")
	return one(replace(n, other, other+" in place of "+c.text(n)))
}

// exceptionTwins are errors that are taken for one another.
func (c *code) exceptionTwins(name string) []string {
	var groups [][]string
	switch {
	case c.python():
		groups = [][]string{{"ValueError", "TypeError"}, {"KeyError", "IndexError"}, {"AttributeError", "TypeError"},
			{"RuntimeError", "NotImplementedError"}, {"KeyError", "ValueError"}}
	case c.java():
		groups = [][]string{{"IllegalArgumentException", "IllegalStateException"}, {"NullPointerException", "IllegalArgumentException"},
			{"UnsupportedOperationException", "IllegalStateException"}, {"IndexOutOfBoundsException", "IllegalArgumentException"}}
	default:
		groups = [][]string{{"invalid_argument", "runtime_error"}, {"out_of_range", "runtime_error"}, {"logic_error", "runtime_error"},
			{"length_error", "runtime_error"}, {"domain_error", "runtime_error"}}
	}
	var out []string
	for _, g := range groups {
		switch name {
		case g[0]:
			out = append(out, g[1])
		case g[1]:
			out = append(out, g[0])
		}
	}
	if len(out) == 0 && c.python() && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) {
		out = []string{"RuntimeError"}
	}
	if len(out) > alternatives {
		out = out[:alternatives]
	}
	return out
}

func swapException(c *code, n *syntax.Node) []mutation {
	if !is(n, "raise_statement", "throw_statement") {
		return nil
	}
	items := n.Items()
	if len(items) == 0 {
		return nil
	}
	name := items[0]
	if k, ok := c.asCall(name); ok {
		name = k.name
	}
	for is(name, "qualified_identifier") {
		name = name.Get("name")
	}
	if !is(name, "identifier", "type_identifier") {
		return nil
	}
	var out []mutation
	for _, other := range c.exceptionTwins(c.text(name)) {
		out = append(out, replace(name, other, fmt.Sprintf("%s in place of %s", other, c.text(name))))
	}
	return out
}
