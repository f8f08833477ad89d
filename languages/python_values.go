package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// pythonHeld is what a copy notes the assertions in that hold.
const pythonHeld = pythonFailed + "_held"

// pythonEqual are assertions that two values are equal.
var pythonEqual = regexp.MustCompile(`(?:^|\.)(?:assertEquals?|assert(?:List|Tuple|Dict|Set|Sequence|MultiLine|Count|Items|Almost)Equal|assert_equal|assert_array_equal|assert_allclose|assert_almost_equal|eq_)$`)

// pythonOther is a test's source under another name, whose assertions expect other
// constants; "" where none can be given. Each is tried, and the test fails where
// none of them holds: a value that is equal to everything has it pass.
func pythonOther(def *syntax.Node, text, name string) string {
	body := def.Get("body")
	first := body.Items()[0].Start
	indent := text[lineStart(text, first):first]
	edits := []textEdit{{def.Get("name").Start, def.Get("name").End, name}, {first, first, pythonHeld + " = []\n" + indent}}
	before := len(edits)
	body.Walk(func(n *syntax.Node) bool {
		if n.Kind == "expression_statement" || n.Kind == "assert_statement" {
			edits = append(edits, otherStatement(n, text, name)...)
			return false
		}
		return n.Kind != "function_definition" && n.Kind != "lambda" && n.Kind != "class_definition"
	})
	if len(edits) == before {
		return ""
	}
	whole := pythonDecorated(def)
	source := edited(text, lineStart(text, whole.Start), whole.End, edits)
	return source + "\n" + indent + "if not " + pythonHeld + ":\n" + indent + "    raise AssertionError('[1] != [2]')\n"
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// otherStatement are the changes of a statement that compares with a constant and
// has its lines to itself.
func otherStatement(n *syntax.Node, text, word string) []textEdit {
	src := []byte(text)
	indent := text[lineStart(text, n.Start):n.Start]
	rest, _, _ := strings.Cut(text[n.End:], "\n")
	rest, _, _ = strings.Cut(rest, "#")
	items := n.Items()
	if strings.TrimSpace(indent) != "" || strings.TrimSpace(rest) != "" || len(items) == 0 {
		return nil
	}
	var sides []*syntax.Node
	switch at := items[0]; {
	case n.Kind == "assert_statement" && at.Kind == "comparison_operator" && len(at.Items()) == 2 && strings.TrimSpace(text[at.Items()[0].End:at.Items()[1].Start]) == "==":
		sides = at.Items()
	case n.Kind == "expression_statement" && at.Kind == "call" && pythonEqual.MatchString(at.Get("function").Text(src)):
		sides = at.Get("arguments").Items()
	}
	if len(sides) < 2 || pythonConstant(sides[0], src) == pythonConstant(sides[1], src) {
		return nil
	}
	expected := sides[0]
	if !pythonConstant(expected, src) {
		expected = sides[1]
	}
	return []textEdit{
		{n.Start, n.Start, "try:\n" + indent + "    "},
		otherValue(expected, src, word),
		{n.End, n.End, "\n" + indent + "except Exception:\n" + indent + "    pass\n" + indent + "else:\n" + indent + "    " + pythonHeld + ".append(1)"},
	}
}

// pythonConstant reports whether an expression is written as a value, other than
// None, True and False.
func pythonConstant(n *syntax.Node, src []byte) bool {
	switch n.Kind {
	case "integer", "float":
		return len(n.Text(src)) < 10 || n.Kind == "float"
	case "string", "concatenated_string":
		plain := true
		n.Walk(func(c *syntax.Node) bool {
			plain = plain && c.Kind != "interpolation"
			return plain
		})
		return plain
	case "unary_operator":
		return strings.HasPrefix(n.Text(src), "-") && len(n.Items()) == 1 && pythonConstant(n.Items()[0], src)
	case "list", "tuple", "set", "dictionary":
		return !slices.ContainsFunc(n.Items(), func(c *syntax.Node) bool { return !pythonPart(c, src) })
	}
	return false
}

// pythonPart reports the same of an item of a collection.
func pythonPart(n *syntax.Node, src []byte) bool {
	switch n.Kind {
	case "none", "true", "false":
		return true
	case "pair":
		return pythonPart(n.Get("key"), src) && pythonPart(n.Get("value"), src)
	}
	return pythonConstant(n, src)
}

var bytesLiteral = regexp.MustCompile(`^[rR]?[bB][rR]?["']`)

// otherValue puts another constant of the same type in the place of one.
func otherValue(n *syntax.Node, src []byte, word string) textEdit {
	text := n.Text(src)
	switch n.Kind {
	case "string", "concatenated_string":
		if bytesLiteral.MatchString(text) {
			return textEdit{n.Start, n.End, "(" + text + ` b"` + word + `")`}
		}
		return textEdit{n.Start, n.End, "(" + text + ` "` + word + `")`}
	case "list", "tuple", "set":
		return textEdit{n.Start + 1, n.Start + 1, `"` + word + `", `}
	case "dictionary":
		return textEdit{n.Start + 1, n.Start + 1, `"` + word + `": 0, `}
	}
	return textEdit{n.Start, n.End, "(" + text + " * 3 + 7919)"}
}
