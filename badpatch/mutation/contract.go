package mutation

import (
	"fmt"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// otherLiterals are the values that people mistake a literal for.
func otherLiterals(c *code.File, n *syntax.Node) []string {
	switch text := c.Text(n); {
	case code.Is(n, "true"):
		return []string{boolean(c, false)}
	case code.Is(n, "false"):
		return []string{boolean(c, true)}
	case code.IsNull(n) && c.Python():
		return []string{"False", "''"}
	case code.IsNull(n):
		return nil
	case text == "0":
		return []string{"1"}
	case text == "1":
		return []string{"0"}
	case code.Is(n, "integer", "decimal_integer_literal") || code.Is(n, "number_literal") && isDigits(text):
		return []string{"0"}
	case code.IsText(n) && strings.Trim(text, `"'`) != "":
		return []string{empty(text)}
	case code.Is(n, "list", "dictionary", "tuple") && len(n.Items()) == 0:
		return []string{"None"}
	}
	return nil
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// boolean is a truth value in the language's words.
func boolean(c *code.File, value bool) string {
	switch {
	case c.Python() && value:
		return "True"
	case c.Python():
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
func changeDefault(c *code.File, n *syntax.Node) []code.Mutation {
	var values []*syntax.Node
	switch {
	case code.Is(n, "default_parameter", "typed_default_parameter"):
		values = append(values, n.Get("value"))
	case code.Is(n, "optional_parameter_declaration"):
		values = append(values, n.Get("default_value"))
	case code.Is(n, "explicit_constructor_invocation"):
		values = n.Get("arguments").Items()
	case code.Is(n, "method_invocation"):
		if k, ok := c.AsCall(n); ok && c.Function(n) != nil && c.CalledName(k) == c.Name(c.Function(n)) && (k.Receiver == nil || code.Is(k.Receiver, "this")) {
			values = k.Args
		}
	}
	var out []code.Mutation
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, other := range otherLiterals(c, v) {
			out = append(out, replace(v, other, fmt.Sprintf("default %s in place of %s", other, code.Excerpt(c.Text(v)))))
		}
	}
	return out
}

func swapArguments(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok {
		return nil
	}
	var out []code.Mutation
	for i := 0; i+1 < len(k.Args); i++ {
		a, b := k.Args[i], k.Args[i+1]
		if c.Text(a) == c.Text(b) || code.ByName(a) || code.ByName(b) || !c.Python() && !sameType(c, a, b) {
			continue
		}
		out = append(out, code.Mutation{
			Edits: []code.Edit{{Start: a.Start, End: a.End, Text: c.Text(b)}, {Start: b.Start, End: b.End, Text: c.Text(a)}},
			What:  fmt.Sprintf("arguments %s and %s swapped", code.Excerpt(c.Text(a)), code.Excerpt(c.Text(b))),
		})
	}
	return out
}

// sameType reports whether two arguments are seen to be of one type or, where
// neither's type is seen, are at least of one shape.
func sameType(c *code.File, a, b *syntax.Node) bool {
	x, okX := typeSeen(c, a)
	y, okY := typeSeen(c, b)
	if code.IsNull(a) || code.IsNull(b) {
		return false
	}
	return okX && okY && x == y || !okX && !okY && a.Kind == b.Kind
}

// typeSeen is the type of a variable, field or literal.
func typeSeen(c *code.File, n *syntax.Node) (string, bool) {
	switch {
	case code.Is(n, "identifier"):
		if v, ok := c.Lookup(n); ok {
			return v.Type, v.Type != "auto" && v.Type != "var"
		}
		for _, f := range c.Fields(n) {
			if f.Name == c.Text(n) {
				return f.Type, true
			}
		}
	case code.Is(n, "true", "false", "string_literal", "character_literal", "char_literal", "decimal_integer_literal"):
		return n.Kind, true
	}
	return "", false
}

func dropKeyword(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "keyword_argument") || !code.Is(n.Parent, "argument_list") {
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{withoutItem(n)}, What: "argument " + code.Excerpt(c.Text(n)) + " dropped"})
}

// withoutItem removes one item of a list that is parted by commas.
func withoutItem(n *syntax.Node) code.Edit {
	if prev := code.Sibling(n, -1); prev != nil {
		return code.Edit{Start: prev.End, End: n.End, Text: ""}
	}
	if next := code.Sibling(n, 1); next != nil {
		return code.Edit{Start: n.Start, End: next.Start, Text: ""}
	}
	return code.Edit{Start: n.Start, End: n.End, Text: ""}
}

// dropArgument leaves out the last argument: in Python always, elsewhere where
// the file has a form of the function that takes one less.
func dropArgument(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || len(k.Args) < 2 || code.ByName(code.Last(k.Args)) || !c.Python() && (k.Receiver != nil && !code.Is(k.Receiver, "this") || !overloaded(c, c.CalledName(k), len(k.Args)-1)) {
		return nil
	}
	drop := code.Last(k.Args)
	return one(code.Mutation{Edits: []code.Edit{withoutItem(drop)}, What: "argument " + code.Excerpt(c.Text(drop)) + " dropped"})
}

// overloaded reports whether the file has a function with that many
// parameters, or one that takes fewer by its defaults.
func overloaded(c *code.File, name string, parameters int) bool {
	for _, fn := range code.Find(c.Root, "method_declaration", "constructor_declaration", "function_definition") {
		if c.Name(fn) != name {
			continue
		}
		all := c.Parameters(fn)
		optional := 0
		for _, p := range all {
			if code.Is(p, "optional_parameter_declaration") {
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
func nullArgument(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || c.Cpp() {
		return nil
	}
	switch c.CalledName(k) {
	case "append", "valueOf", "println", "isinstance", "len", "super", "type":
		return nil // overloaded for what null might be, or sure to crash
	}
	var out []code.Mutation
	for _, a := range k.Args {
		if code.ByName(a) || code.IsNull(a) || code.IsLambda(a) || !c.Python() && !reference(c, a) {
			continue
		}
		null := "None"
		if !c.Python() {
			null = "null"
		}
		out = append(out, replace(a, null, fmt.Sprintf("%s passed in place of %s", null, code.Excerpt(c.Text(a)))))
	}
	return out
}

// reference reports whether an argument is seen to be of a type that has null.
func reference(c *code.File, n *syntax.Node) bool {
	typ, ok := typeSeen(c, n)
	if !ok || !code.Is(n, "identifier") {
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
func flipLiteral(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "true", "false") || !n.Named || code.Is(n.Parent, "parenthesized_expression", "condition_clause", "while_statement") {
		return nil
	}
	other := boolean(c, n.Kind == "false")
	return one(replace(n, other, other+" in place of "+c.Text(n)))
}

// exceptionTwins are errors that are mistaken for one another.
func exceptionTwins(c *code.File, name string) []string {
	var groups [][]string
	switch {
	case c.Python():
		groups = [][]string{{"ValueError", "TypeError"}, {"KeyError", "IndexError"}, {"AttributeError", "TypeError"},
			{"RuntimeError", "NotImplementedError"}, {"KeyError", "ValueError"}}
	case c.Java():
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
	if len(out) == 0 && c.Python() && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) {
		out = []string{"RuntimeError"}
	}
	if len(out) > alternatives {
		out = out[:alternatives]
	}
	return out
}

func swapException(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "raise_statement", "throw_statement") {
		return nil
	}
	items := n.Items()
	if len(items) == 0 {
		return nil
	}
	name := items[0]
	if k, ok := c.AsCall(name); ok {
		name = k.Name
	}
	for code.Is(name, "qualified_identifier") {
		name = name.Get("name")
	}
	if !code.Is(name, "identifier", "type_identifier") {
		return nil
	}
	var out []code.Mutation
	for _, other := range exceptionTwins(c, c.Text(name)) {
		out = append(out, replace(name, other, fmt.Sprintf("%s in place of %s", other, c.Text(name))))
	}
	return out
}
