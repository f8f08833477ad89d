package code

import (
	"strings"

	"assay/languages/syntax"
)

// ReturnType is a function's, as written, without const and references; empty
// in Python.
func (c *File) ReturnType(fn *syntax.Node) string {
	if c.Python() || Is(fn, "constructor_declaration") {
		return ""
	}
	typ := strings.Join(strings.Fields(c.Text(fn.Get("type"))), " ")
	if len(Find(fn.Get("declarator"), "trailing_return_type")) > 0 {
		return "auto"
	}
	if fn.Get("dimensions") != nil {
		typ += "[]"
	}
	for d := fn.Get("declarator"); Is(d, "pointer_declarator", "reference_declarator"); {
		if Is(d, "pointer_declarator") {
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

// DefaultReturns are the values that a function may return and that mean nothing, in
// the order in which people take to them. A function without a value has the
// empty text.
func (c *File) DefaultReturns(fn *syntax.Node) []string {
	switch {
	case fn == nil:
		return nil
	case c.Python():
		return []string{"None"}
	case c.Java():
		return javaDefaults(c.ReturnType(fn), Is(fn, "constructor_declaration"))
	}
	return cppDefaults(c.ReturnType(fn))
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

// ReturnStatement writes the statement that leaves a function with a default.
func (c *File) ReturnStatement(value string) string {
	statement := strings.TrimSpace("return " + value)
	if c.Python() {
		return statement
	}
	return statement + ";"
}
