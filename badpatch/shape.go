package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// What the three grammars call the same things.

func (c *code) isFunction(n *syntax.Node) bool {
	return is(n, "function_definition", "method_declaration", "constructor_declaration", "compact_constructor_declaration") &&
		n.Named && n.Get("body") != nil
}

func (c *code) isClass(n *syntax.Node) bool {
	return is(n, "class_definition", "class_declaration", "enum_declaration", "record_declaration", "interface_declaration",
		"class_specifier", "struct_specifier") && n.Get("body") != nil
}

// function is the innermost function round n, itself included.
func (c *code) function(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.isFunction(n) {
			return n
		}
	}
	return nil
}

// class is the innermost class round n.
func (c *code) class(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.isClass(n) {
			return n
		}
	}
	return nil
}

// isLambda tells functions inside of expressions, whose returns are not the
// enclosing function's.
func isLambda(n *syntax.Node) bool { return is(n, "lambda", "lambda_expression") }

// inLambda reports whether a lambda or a local class stands between n and its
// function.
func (c *code) inLambda(n *syntax.Node) bool {
	for ; n != nil && !c.isFunction(n); n = n.Parent {
		if isLambda(n) {
			return true
		}
	}
	return false
}

// name is the name of a function or class.
func (c *code) name(n *syntax.Node) string {
	if is(n, "function_definition") && c.cpp() {
		d := find(n.Get("declarator"), "function_declarator")
		if len(d) == 0 {
			return ""
		}
		name := c.text(d[0].Get("declarator"))
		return strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
	}
	return c.text(n.Get("name"))
}

// parameters are the nodes of a function's parameter list.
func (c *code) parameters(fn *syntax.Node) []*syntax.Node {
	if c.cpp() {
		if d := find(fn.Get("declarator"), "function_declarator"); len(d) > 0 {
			return d[0].Get("parameters").Items()
		}
		return nil
	}
	return fn.Get("parameters").Items()
}

// condition is the expression that a branch, loop or conditional expression
// decides by.
func (c *code) condition(n *syntax.Node) *syntax.Node {
	var cond *syntax.Node
	switch n.Kind {
	case "if_statement", "elif_clause", "while_statement", "ternary_expression", "do_statement", "for_statement":
		cond = n.Get("condition")
	case "conditional_expression":
		if cond = n.Get("condition"); c.python() && len(n.Items()) == 3 {
			cond = n.Items()[1]
		}
	}
	if is(cond, "condition_clause") {
		cond = cond.Get("value")
	}
	if cond = bare(cond); is(cond, "declaration", "comma_expression", "named_expression") {
		return nil
	}
	return cond
}

// call is a call taken apart.
type call struct {
	name     *syntax.Node // the last part of what is called
	receiver *syntax.Node // what stands before the dot; nil for none
	args     []*syntax.Node
	list     *syntax.Node // the arguments with their parentheses
}

// asCall takes a call apart; creations of Java are calls of their type.
func (c *code) asCall(n *syntax.Node) (call, bool) {
	var out call
	switch {
	case is(n, "method_invocation"):
		out.name, out.receiver = n.Get("name"), n.Get("object")
	case is(n, "object_creation_expression"):
		out.name = n.Get("type")
	case is(n, "call", "call_expression"):
		out.name = n.Get("function")
		if is(out.name, "attribute", "field_expression") {
			out.receiver = out.name.Items()[0]
			out.name = last(out.name.Items())
		}
	default:
		return out, false
	}
	out.list = n.Get("arguments")
	if out.name == nil || !is(out.list, "argument_list") {
		return out, false
	}
	out.args = out.list.Items()
	return out, true
}

// calledName is the plain name of what is called.
func (c *code) calledName(k call) string {
	name := c.text(k.name)
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	return strings.TrimSpace(name[strings.LastIndexAny(name, ".:")+1:])
}

// last is the last of some nodes; there must be one.
func last(nodes []*syntax.Node) *syntax.Node { return nodes[len(nodes)-1] }

// binary is an expression of two operands.
type binary struct {
	left, right, operator *syntax.Node
}

// asBinary takes arithmetic, comparison and logic of two operands apart.
func asBinary(n *syntax.Node) (binary, bool) {
	switch {
	case is(n, "binary_expression", "binary_operator", "boolean_operator"):
		b := binary{n.Get("left"), n.Get("right"), n.Get("operator")}
		return b, b.left != nil && b.right != nil && b.operator != nil
	case is(n, "comparison_operator"):
		items := n.Items()
		op := n.Get("operators")
		if len(items) == 2 && op != nil {
			return binary{items[0], items[1], op}, true
		}
	}
	return binary{}, false
}

// isNull reports whether n is the language's null.
func isNull(n *syntax.Node) bool { return is(n, "none", "null_literal", "null") }

// isString reports whether n is a string without parts that are computed.
func isString(n *syntax.Node) bool {
	return is(n, "string", "string_literal") && len(find(n, "interpolation")) == 0
}

// isText is isString, or one that computes.
func isText(n *syntax.Node) bool {
	return is(n, "string", "string_literal", "concatenated_string", "raw_string_literal")
}

// isStatement reports whether n stands in a list of statements, or in the
// place of one.
func (c *code) isStatement(n *syntax.Node) bool {
	return strings.HasSuffix(n.Kind, "_statement") && n.Kind != "compound_statement" || is(n, "local_variable_declaration", "declaration", "for_range_loop") ||
		is(n, "switch_expression") && is(n.Parent, "block", "switch_block_statement_group", "constructor_body")
}

// statement is the statement that n is part of.
func (c *code) statement(n *syntax.Node) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if c.isStatement(n) {
			return n
		}
	}
	return nil
}

// isBlock tells lists of statements that may grow.
func isBlock(n *syntax.Node) bool {
	return is(n, "block", "compound_statement", "constructor_body", "switch_block_statement_group")
}

// leaves reports whether a statement never goes on to the next one.
func leaves(n *syntax.Node) bool {
	switch {
	case is(n, "return_statement", "raise_statement", "throw_statement", "break_statement", "continue_statement"):
		return true
	case is(n, "block", "compound_statement"):
		items := n.Items()
		return len(items) > 0 && leaves(last(items))
	}
	return false
}

// arid reports whether n is part of something that is only told, not done:
// logging, printing, warnings, messages of errors, decorators, docstrings.
func (c *code) arid(n *syntax.Node) bool {
	for at := n; at != nil && !c.isFunction(at) && !c.isClass(at); at = at.Parent {
		switch {
		case is(at, "decorator", "annotation", "marker_annotation", "assert_statement", "print_statement", "static_assert_declaration",
			"attribute_declaration", "import_statement", "import_declaration", "preproc_include", "import_from_statement"):
			return true
		case is(at, "expression_statement") && len(at.Items()) == 1 && is(at.Items()[0], "string"):
			return true
		case is(at, "call", "method_invocation", "call_expression"):
			if k, ok := c.asCall(at); ok && c.tells(k) {
				return true
			}
		case is(at, "expression_statement") && len(at.Items()) == 1 && c.stream(at.Items()[0]):
			return true
		}
	}
	return false
}

// stream reports whether an expression is a call of a logging kind, or one that
// things are streamed to.
func (c *code) stream(n *syntax.Node) bool {
	for b, ok := asBinary(n); ok; b, ok = asBinary(n) {
		n = b.left
	}
	text := c.text(n)
	if text == "std::cerr" || text == "std::cout" {
		return true
	}
	k, ok := c.asCall(n)
	return ok && c.tells(k)
}

// tells reports whether a call is of a logging kind.
func (c *code) tells(k call) bool {
	receiver := strings.ToLower(c.text(k.receiver))
	receiver = receiver[strings.LastIndexAny(receiver, ".>")+1:]
	switch strings.Trim(receiver, "_() ") {
	case "log", "logger", "logging", "out", "err", "warnings", "slf4j", "spdlog", "stderr", "stdout":
		return true
	}
	switch name := c.calledName(k); name {
	case "print", "println", "printf", "fprintf", "pprint", "warn", "log", "debug", "perror", "to_screen", "report_warning", "write_debug":
		return k.receiver == nil || !c.java()
	default:
		upper := strings.ToUpper(name) == name
		return upper && (strings.Contains(name, "LOG") || strings.Contains(name, "ASSERT") || strings.Contains(name, "CHECK") || strings.Contains(name, "WARN"))
	}
}

// inError reports whether n is part of what an exception is made of.
func inError(n *syntax.Node) bool { return up(n, "raise_statement", "throw_statement") != nil }
