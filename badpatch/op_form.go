package badpatch

import (
	"fmt"
	"strings"

	"assay/languages/syntax"
)

// encodingOff takes another encoding.
func encodingOff(c *code, n *syntax.Node) []mutation {
	text := c.text(n)
	if isString(n) {
		switch strings.ToLower(strings.Trim(text, `ub"'`)) {
		case "utf-8", "utf8":
			return one(swapContent(text, n, "ascii"))
		case "latin-1", "iso-8859-1", "ascii", "us-ascii", "utf-8-sig", "utf-16":
			return one(swapContent(text, n, "utf-8"))
		}
		return nil
	}
	if is(n, "field_access") && strings.HasPrefix(text, "StandardCharsets.") {
		other := "StandardCharsets.US_ASCII"
		if text != "StandardCharsets.UTF_8" {
			other = "StandardCharsets.UTF_8"
		}
		return one(replace(n, other, other+" in place of "+text))
	}
	return nil
}

// swapContent keeps a string's quotes.
func swapContent(text string, n *syntax.Node, content string) mutation {
	quote := text[len(text)-1:]
	return replace(n, quote+content+quote, content+" in place of "+strings.Trim(text, `ub"'`))
}

// numberKind takes one kind of number for another.
func numberKind(c *code, n *syntax.Node) []mutation {
	if c.python() {
		return c.pythonNumber(n)
	}
	if !is(n, "integral_type", "floating_point_type", "primitive_type", "type_identifier", "sized_type_specifier") || !c.ofNumber(n) {
		return nil
	}
	other := ""
	switch text := c.text(n); text {
	case "double":
		other = "float"
	case "float":
		other = "double"
	case "long", "int64_t", "ptrdiff_t", "long long":
		other = "int"
	case "size_t", "unsigned", "unsigned int", "uint32_t":
		other = "int"
	case "uint64_t", "unsigned long long", "unsigned long":
		other = "long long"
	case "uint8_t", "unsigned char":
		other = "char"
	case "int":
		if c.cpp() {
			other = "unsigned"
		} else {
			other = "short"
		}
	default:
		return nil
	}
	at := n
	if is(n.Parent, "qualified_identifier") {
		at = n.Parent // std::size_t
	}
	return one(replace(at, other, fmt.Sprintf("%s in place of %s", other, c.text(at))))
}

// ofNumber says where a type may change and the rest still compile: in casts
// and, in C++, in declarations of variables.
func (c *code) ofNumber(n *syntax.Node) bool {
	if is(n.Parent, "qualified_identifier") {
		n = n.Parent
	}
	if is(n.Parent, "cast_expression") || is(n.Parent, "type_descriptor") && is(n.Parent.Parent, "cast_expression") {
		return true
	}
	if is(n.Parent, "type_descriptor") && is(n.Parent.Parent, "template_argument_list") {
		return strings.HasPrefix(c.text(n.Parent.Parent.Parent), "static_cast")
	}
	return c.cpp() && is(n.Parent, "declaration") && len(find(n.Parent, "init_declarator")) > 0 && len(find(n.Parent.Get("declarator"), "reference_declarator", "pointer_declarator")) == 0
}

func (c *code) pythonNumber(n *syntax.Node) []mutation {
	if b, ok := asBinary(n); ok && c.text(b.operator) == "/" {
		return one(replace(b.operator, "//", "// in place of /"))
	}
	k, ok := c.asCall(n)
	if !ok || k.receiver != nil || len(k.args) != 1 {
		return nil
	}
	other := ""
	switch c.calledName(k) {
	case "Decimal", "Fraction", "Rational":
		other = "float"
	case "float":
		other = "int"
	case "int":
		other = "float"
	case "bytes", "bytearray":
		other = "str"
	default:
		return nil
	}
	return one(replace(k.name, other, fmt.Sprintf("%s in place of %s", other, c.calledName(k))))
}

// regexAnchor matches more than gold's expression does.
func regexAnchor(c *code, n *syntax.Node) []mutation {
	if !isString(n) || !c.inRegex(n) {
		return nil
	}
	text := c.text(n)
	var out []mutation
	for _, form := range [][2]string{{"^", ""}, {"$", ""}, {`\b`, ""}, {`\\b`, ""}, {"+?", "+"}, {"*?", "*"}, {"+", "*"}, {`\.`, "."}, {`\\.`, "."}, {"?:", ""}} {
		i := strings.Index(text, form[0])
		if i < 0 || form[0] == "^" && i > 0 && text[i-1] == '[' || form[0] == "+" && i > 0 && text[i-1] == '\\' ||
			(form[0] == `\b` || form[0] == `\.`) && i > 0 && text[i-1] == '\\' {
			continue
		}
		out = append(out, mutation{
			[]edit{{n.Start + i, n.Start + i + len(form[0]), form[1]}},
			fmt.Sprintf("expression without its %s", form[0]),
		})
	}
	return out
}

// inRegex reports whether a string is a regular expression: raw in Python, or
// given to what compiles one.
func (c *code) inRegex(n *syntax.Node) bool {
	at := n
	for is(at.Parent, "concatenated_string", "parenthesized_expression", "binary_operator", "argument_list") {
		at = at.Parent
	}
	if k, ok := c.asCall(at.Parent); ok {
		receiver := c.text(k.receiver)
		switch name := c.calledName(k); name {
		case "compile", "matches", "replaceAll", "replaceFirst", "regex", "regex_match", "regex_search", "_search_regex", "_html_search_regex":
			return true
		default:
			return receiver == "re" || receiver == "regex" || receiver == "Pattern"
		}
	}
	return c.python() && strings.HasPrefix(strings.ToLower(c.text(n)), "r") && !is(n.Parent, "expression_statement")
}

// iteratorStep begins one too late, or ends one too early.
func iteratorStep(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || len(k.args) > 0 || k.receiver == nil {
		return nil
	}
	switch c.calledName(k) {
	case "begin", "cbegin", "data":
		return one(mutation{[]edit{{n.End, n.End, " + 1"}}, "begins one too late"})
	case "end", "cend":
		return one(mutation{[]edit{{n.End, n.End, " - 1"}}, "ends one too early"})
	case "size", "length":
		return one(mutation{[]edit{{n.Start, n.Start, "("}, {n.End, n.End, " - 1)"}}, "one less than the size"})
	}
	return nil
}
