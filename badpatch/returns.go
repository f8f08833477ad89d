package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// returnType is a function's, as written, without const and references; empty
// in Python.
func (c *code) returnType(fn *syntax.Node) string {
	if c.python() || is(fn, "constructor_declaration") {
		return ""
	}
	typ := strings.Join(strings.Fields(c.text(fn.Get("type"))), " ")
	if len(find(fn.Get("declarator"), "trailing_return_type")) > 0 {
		return "auto"
	}
	if fn.Get("dimensions") != nil {
		typ += "[]"
	}
	for d := fn.Get("declarator"); is(d, "pointer_declarator", "reference_declarator"); {
		if is(d, "pointer_declarator") {
			typ += "*"
		} else {
			typ += "&"
		}
		if d = d.Get("declarator"); d == nil {
			break
		}
	}
	return typ
}

// defaults are the values that a function may return and that mean nothing, in
// the order in which people take to them. A function without a value has the
// empty text.
func (c *code) defaults(fn *syntax.Node) []string {
	switch {
	case fn == nil:
		return nil
	case c.python():
		return []string{"None"}
	case c.java():
		return javaDefaults(c.returnType(fn), is(fn, "constructor_declaration"))
	}
	return cppDefaults(c.returnType(fn))
}

func javaDefaults(typ string, constructor bool) []string {
	base, _, generic := strings.Cut(typ, "<")
	switch {
	case constructor || typ == "void":
		return []string{""}
	case typ == "boolean":
		return []string{"false", "true"}
	case typ == "int" || typ == "long" || typ == "short" || typ == "byte" || typ == "char":
		return []string{"0"}
	case typ == "double" || typ == "float":
		return []string{"0"}
	case typ == "String":
		return []string{"null", `""`}
	case base == "List" && generic:
		return []string{"null", "java.util.Collections.emptyList()"}
	case base == "Map" && generic:
		return []string{"null", "java.util.Collections.emptyMap()"}
	case base == "Set" && generic:
		return []string{"null", "java.util.Collections.emptySet()"}
	case base == "Optional" && generic:
		return []string{"java.util.Optional.empty()"}
	}
	return []string{"null"}
}

func cppDefaults(typ string) []string {
	switch {
	case typ == "void":
		return []string{""}
	case typ == "bool":
		return []string{"false", "true"}
	case typ == "" || typ == "auto" || strings.HasPrefix(typ, "decltype") || strings.HasSuffix(typ, "&"):
		return nil
	case strings.HasSuffix(typ, "*"):
		return []string{"nullptr"}
	case typ == "int" || typ == "long" || typ == "size_t" || typ == "unsigned" || strings.HasSuffix(typ, "_t") && !strings.Contains(typ, "::"):
		return []string{"0"}
	}
	return []string{"{}"}
}

// exits writes the statement that leaves a function with a default.
func (c *code) exits(value string) string {
	statement := strings.TrimSpace("return " + value)
	if c.python() {
		return statement
	}
	return statement + ";"
}

func returnDefault(c *code, n *syntax.Node) []mutation {
	fn := c.function(n)
	if !is(n, "return_statement") || len(n.Items()) == 0 || fn == nil || c.inLambda(n) {
		return nil
	}
	value := bare(n.Items()[0])
	values := c.defaults(fn)
	if c.python() {
		values = pythonDefaults(value)
	}
	var out []mutation
	for _, v := range values {
		if v != c.text(value) && v != "" {
			out = append(out, replace(n, c.exits(v), "returns "+v))
		}
	}
	return out
}

// pythonDefaults goes by the shape of what is returned.
func pythonDefaults(value *syntax.Node) []string {
	switch value.Kind {
	case "comparison_operator", "boolean_operator", "not_operator":
		return []string{"False", "True"}
	case "true":
		return []string{"False"}
	case "false":
		return []string{"True"}
	case "list", "list_comprehension":
		return []string{"[]", "None"}
	case "dictionary", "dictionary_comprehension":
		return []string{"{}", "None"}
	case "string", "concatenated_string":
		return []string{"''", "None"}
	case "integer", "float", "unary_operator":
		return []string{"0", "None"}
	case "tuple", "expression_list":
		return []string{"None"}
	}
	return []string{"None", "False"}
}

func dropReturnSelf(c *code, n *syntax.Node) []mutation {
	if !is(n, "return_statement") || len(n.Items()) != 1 || c.inLambda(n) {
		return nil
	}
	switch c.text(n.Items()[0]) {
	case "self":
		return one(replace(n, "return None", "does not return self"))
	case "this":
		return one(replace(n, "return null;", "does not return this"))
	}
	return nil
}
