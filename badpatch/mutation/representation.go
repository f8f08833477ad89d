package mutation

import (
	"fmt"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// encodingOff takes another encoding.
func encodingOff(c *code.File, n *syntax.Node) []code.Mutation {
	text := c.Text(n)
	if code.IsString(n) {
		switch strings.ToLower(strings.Trim(text, `ub"'`)) {
		case "utf-8", "utf8":
			return one(swapContent(text, n, "ascii"))
		case "latin-1", "iso-8859-1", "ascii", "us-ascii", "utf-8-sig", "utf-16":
			return one(swapContent(text, n, "utf-8"))
		}
		return nil
	}
	if code.Is(n, "field_access") && strings.HasPrefix(text, "StandardCharsets.") {
		other := "StandardCharsets.US_ASCII"
		if text != "StandardCharsets.UTF_8" {
			other = "StandardCharsets.UTF_8"
		}
		return one(replace(n, other, other+" in place of "+text))
	}
	return nil
}

// swapContent keeps a string's quotes.
func swapContent(text string, n *syntax.Node, content string) code.Mutation {
	quote := text[len(text)-1:]
	return replace(n, quote+content+quote, content+" in place of "+strings.Trim(text, `ub"'`))
}

// numberKind takes one kind of number for another.
func numberKind(c *code.File, n *syntax.Node) []code.Mutation {
	if c.Python() {
		return pythonNumber(c, n)
	}
	if !code.Is(n, "integral_type", "floating_point_type", "primitive_type", "type_identifier", "sized_type_specifier") || !ofNumber(c, n) {
		return nil
	}
	var other string
	switch text := c.Text(n); text {
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
		if c.Cpp() {
			other = "unsigned"
		} else {
			other = "short"
		}
	default:
		return nil
	}
	at := n
	if code.Is(n.Parent, "qualified_identifier") {
		at = n.Parent // std::size_t
	}
	return one(replace(at, other, fmt.Sprintf("%s in place of %s", other, c.Text(at))))
}

// ofNumber reports where a type may change and the rest still compile: in
// casts and, in C++, in declarations of variables.
func ofNumber(c *code.File, n *syntax.Node) bool {
	if code.Is(n.Parent, "qualified_identifier") {
		n = n.Parent
	}
	if code.Is(n.Parent, "cast_expression") || code.Is(n.Parent, "type_descriptor") && code.Is(n.Parent.Parent, "cast_expression") {
		return true
	}
	if code.Is(n.Parent, "type_descriptor") && code.Is(n.Parent.Parent, "template_argument_list") {
		return strings.HasPrefix(c.Text(n.Parent.Parent.Parent), "static_cast")
	}
	return c.Cpp() && code.Is(n.Parent, "declaration") && len(code.Find(n.Parent, "init_declarator")) > 0 && len(code.Find(n.Parent.Get("declarator"), "reference_declarator", "pointer_declarator")) == 0
}

func pythonNumber(c *code.File, n *syntax.Node) []code.Mutation {
	if b, ok := code.AsBinary(n); ok && c.Text(b.Operator) == "/" {
		return one(replace(b.Operator, "//", "// in place of /"))
	}
	k, ok := c.AsCall(n)
	if !ok || k.Receiver != nil || len(k.Args) != 1 {
		return nil
	}
	var other string
	switch c.CalledName(k) {
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
	return one(replace(k.Name, other, fmt.Sprintf("%s in place of %s", other, c.CalledName(k))))
}

// regexAnchor matches more than gold's expression does.
func regexAnchor(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.IsString(n) || !inRegex(c, n) {
		return nil
	}
	text := c.Text(n)
	var out []code.Mutation
	for _, form := range [][2]string{{"^", ""}, {"$", ""}, {`\b`, ""}, {`\\b`, ""}, {"+?", "+"}, {"*?", "*"}, {"+", "*"}, {`\.`, "."}, {`\\.`, "."}, {"?:", ""}} {
		i := strings.Index(text, form[0])
		if i < 0 || form[0] == "^" && i > 0 && text[i-1] == '[' || form[0] == "+" && i > 0 && text[i-1] == '\\' ||
			(form[0] == `\b` || form[0] == `\.`) && i > 0 && text[i-1] == '\\' {
			continue
		}
		out = append(out, code.Mutation{
			Edits: []code.Edit{{Start: n.Start + i, End: n.Start + i + len(form[0]), Text: form[1]}},
			What:  fmt.Sprintf("expression without its %s", form[0]),
		})
	}
	return out
}

// inRegex reports whether a string is a regular expression: raw in Python, or
// given to what compiles one.
func inRegex(c *code.File, n *syntax.Node) bool {
	at := n
	for code.Is(at.Parent, "concatenated_string", "parenthesized_expression", "binary_operator", "argument_list") {
		at = at.Parent
	}
	if k, ok := c.AsCall(at.Parent); ok {
		receiver := c.Text(k.Receiver)
		switch name := c.CalledName(k); name {
		case "compile", "matches", "replaceAll", "replaceFirst", "regex", "regex_match", "regex_search", "_search_regex", "_html_search_regex":
			return true
		default:
			return receiver == "re" || receiver == "regex" || receiver == "Pattern"
		}
	}
	return c.Python() && strings.HasPrefix(strings.ToLower(c.Text(n)), "r") && !code.Is(n.Parent, "expression_statement")
}

// iteratorStep begins one too late, or ends one too early.
func iteratorStep(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || len(k.Args) > 0 || k.Receiver == nil {
		return nil
	}
	switch c.CalledName(k) {
	case "begin", "cbegin", "data":
		return one(code.Mutation{Edits: []code.Edit{{Start: n.End, End: n.End, Text: " + 1"}}, What: "begins one too late"})
	case "end", "cend":
		return one(code.Mutation{Edits: []code.Edit{{Start: n.End, End: n.End, Text: " - 1"}}, What: "ends one too early"})
	case "size", "length":
		return one(code.Mutation{Edits: []code.Edit{{Start: n.Start, End: n.Start, Text: "("}, {Start: n.End, End: n.End, Text: " - 1)"}}, What: "one less than the size"})
	}
	return nil
}
