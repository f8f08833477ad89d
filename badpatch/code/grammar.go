package code

import (
	"strings"

	"assay/languages/syntax"
)

// IsImport reports whether a node imports names from elsewhere.
func IsImport(n *syntax.Node) bool {
	return Is(n, "import_statement", "import_from_statement", "future_import_statement", "import_declaration", "package_declaration",
		"preproc_include", "using_declaration")
}

// IsFunction reports whether a node is a function with a body.
func (c *File) IsFunction(n *syntax.Node) bool {
	return Is(n, "function_definition", "method_declaration", "constructor_declaration", "compact_constructor_declaration") &&
		n.Named && n.Get("body") != nil
}

// IsClass reports whether a node is a class with a body.
func (c *File) IsClass(n *syntax.Node) bool {
	return Is(n, "class_definition", "class_declaration", "enum_declaration", "record_declaration", "interface_declaration",
		"class_specifier", "struct_specifier") && n.Get("body") != nil
}

// Function is the innermost function round n, itself included.
func (c *File) Function(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.IsFunction(n) {
			return n
		}
	}
	return nil
}

// Class is the innermost class round n.
func (c *File) Class(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.IsClass(n) {
			return n
		}
	}
	return nil
}

// IsLambda recognises functions inside of expressions, whose returns are not
// the enclosing function's.
func IsLambda(n *syntax.Node) bool { return Is(n, "lambda", "lambda_expression") }

// InLambda reports whether a lambda or a local class is between n and its
// function.
func (c *File) InLambda(n *syntax.Node) bool {
	for ; n != nil && !c.IsFunction(n); n = n.Parent {
		if IsLambda(n) {
			return true
		}
	}
	return false
}

// Name is the name of a function or class.
func (c *File) Name(n *syntax.Node) string {
	if Is(n, "function_definition") && c.Cpp() {
		d := Find(n.Get("declarator"), "function_declarator")
		if len(d) == 0 {
			return ""
		}
		name := c.Text(d[0].Get("declarator"))
		return strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
	}
	return c.Text(n.Get("name"))
}

// Parameters are the nodes of a function's parameter list.
func (c *File) Parameters(fn *syntax.Node) []*syntax.Node {
	if c.Cpp() {
		if d := Find(fn.Get("declarator"), "function_declarator"); len(d) > 0 {
			return d[0].Get("parameters").Items()
		}
		return nil
	}
	return fn.Get("parameters").Items()
}

// Condition is the expression that a branch, loop or conditional expression
// decides by.
func (c *File) Condition(n *syntax.Node) *syntax.Node {
	var cond *syntax.Node
	switch n.Kind {
	case "if_statement", "elif_clause", "while_statement", "ternary_expression", "do_statement", "for_statement":
		cond = n.Get("condition")
	case "conditional_expression":
		if cond = n.Get("condition"); c.Python() && len(n.Items()) == 3 {
			cond = n.Items()[1]
		}
	}
	if Is(cond, "condition_clause") {
		cond = cond.Get("value")
	}
	if cond = Bare(cond); Is(cond, "declaration", "comma_expression", "named_expression") {
		return nil
	}
	return cond
}

// Binary is an expression of two operands.
type Binary struct {
	Left, Right, Operator *syntax.Node
}

// AsBinary parses arithmetic, comparison and logic of two operands.
func AsBinary(n *syntax.Node) (Binary, bool) {
	switch {
	case Is(n, "binary_expression", "binary_operator", "boolean_operator"):
		b := Binary{n.Get("left"), n.Get("right"), n.Get("operator")}
		return b, b.Left != nil && b.Right != nil && b.Operator != nil
	case Is(n, "comparison_operator"):
		items := n.Items()
		op := n.Get("operators")
		if len(items) == 2 && op != nil {
			return Binary{items[0], items[1], op}, true
		}
	}
	return Binary{}, false
}

// IsNull reports whether n is the language's null.
func IsNull(n *syntax.Node) bool { return Is(n, "none", "null_literal", "null") }

// IsString reports whether n is a string without parts that are computed.
func IsString(n *syntax.Node) bool {
	return Is(n, "string", "string_literal") && len(Find(n, "interpolation")) == 0
}

// IsText is IsString, or one that computes.
func IsText(n *syntax.Node) bool {
	return Is(n, "string", "string_literal", "concatenated_string", "raw_string_literal")
}

// IsStatement reports whether n is in a list of statements, or in the place
// of one.
func (c *File) IsStatement(n *syntax.Node) bool {
	return strings.HasSuffix(n.Kind, "_statement") && n.Kind != "compound_statement" || Is(n, "local_variable_declaration", "declaration", "for_range_loop") ||
		Is(n, "switch_expression") && Is(n.Parent, "block", "switch_block_statement_group", "constructor_body")
}

// Statement is the statement that n is part of.
func (c *File) Statement(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.IsStatement(n) {
			return n
		}
	}
	return nil
}

// IsBlock recognises lists of statements that may grow.
func IsBlock(n *syntax.Node) bool {
	return Is(n, "block", "compound_statement", "constructor_body", "switch_block_statement_group")
}

// Leaves reports whether a statement never continues to the next one.
func Leaves(n *syntax.Node) bool {
	switch {
	case Is(n, "return_statement", "raise_statement", "throw_statement", "break_statement", "continue_statement"):
		return true
	case Is(n, "block", "compound_statement"):
		items := n.Items()
		return len(items) > 0 && Leaves(Last(items))
	}
	return false
}
