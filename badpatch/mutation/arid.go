package mutation

import (
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// arid reports whether n is part of something that is only printed, not done:
// logging, printing, warnings, messages of errors, decorators, docstrings.
func arid(c *code.File, n *syntax.Node) bool {
	for at := n; at != nil && !c.IsFunction(at) && !c.IsClass(at); at = at.Parent {
		switch {
		case code.Is(at, "decorator", "annotation", "marker_annotation", "assert_statement", "print_statement", "static_assert_declaration",
			"attribute_declaration", "import_statement", "import_declaration", "preproc_include", "import_from_statement"):
			return true
		case code.Is(at, "expression_statement") && len(at.Items()) == 1 && code.Is(at.Items()[0], "string"):
			return true
		case code.Is(at, "call", "method_invocation", "call_expression"):
			if k, ok := c.AsCall(at); ok && isLogging(c, k) {
				return true
			}
		case code.Is(at, "expression_statement") && len(at.Items()) == 1 && stream(c, at.Items()[0]):
			return true
		}
	}
	return false
}

// stream reports whether an expression is a call of a logging kind, or one that
// things are streamed to.
func stream(c *code.File, n *syntax.Node) bool {
	for b, ok := code.AsBinary(n); ok; b, ok = code.AsBinary(n) {
		n = b.Left
	}
	text := c.Text(n)
	if text == "std::cerr" || text == "std::cout" {
		return true
	}
	k, ok := c.AsCall(n)
	return ok && isLogging(c, k)
}

// isLogging reports whether a call is of a logging kind.
func isLogging(c *code.File, k code.Call) bool {
	receiver := strings.ToLower(c.Text(k.Receiver))
	receiver = receiver[strings.LastIndexAny(receiver, ".>")+1:]
	switch strings.Trim(receiver, "_() ") {
	case "log", "logger", "logging", "out", "err", "warnings", "slf4j", "spdlog", "stderr", "stdout":
		return true
	}
	switch name := c.CalledName(k); name {
	case "print", "println", "printf", "fprintf", "pprint", "warn", "log", "debug", "perror", "to_screen", "report_warning", "write_debug":
		return k.Receiver == nil || !c.Java()
	default:
		upper := strings.ToUpper(name) == name
		return upper && (strings.Contains(name, "LOG") || strings.Contains(name, "ASSERT") || strings.Contains(name, "CHECK") || strings.Contains(name, "WARN"))
	}
}

// inError reports whether n is part of what an exception is made of.
func inError(n *syntax.Node) bool { return code.Up(n, "raise_statement", "throw_statement") != nil }
