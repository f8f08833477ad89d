package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// javaEqual are assertions that two values are equal; the number is the place of
// the value that is expected, from the receiver's own arguments.
var (
	javaEqual    = []string{"assertEquals", "assertArrayEquals", "assertIterableEquals"}
	javaIsEqual  = []string{"isEqualTo", "containsExactly"}
	javaMatchers = []string{"is", "equalTo"}
)

// javaOther is a test's source under another name, whose assertions expect other
// constants; "" where none can be given. Each is tried, and the test fails where
// none of them holds: a value that is equal to everything has it pass.
func (s *javaSource) javaOther(m *syntax.Node, name, word string) string {
	src := []byte(s.text)
	var edits []textEdit
	m.Get("body").Walk(func(n *syntax.Node) bool {
		if n.Kind == "expression_statement" {
			if changes := otherExpected(n, src, word, strings.Contains(s.text, "org.testng")); len(changes) > 0 {
				edits = append(edits, textEdit{n.Start, n.Start, "try { "}, textEdit{n.End, n.End, " heldValues++; } catch (Throwable otherValues) { }"})
				edits = append(edits, changes...)
			}
			return false
		}
		return n.Kind != "lambda_expression" && n.Kind != "class_body"
	})
	if len(edits) == 0 {
		return ""
	}
	body, id := m.Get("body"), m.Get("name")
	edits = append(edits,
		textEdit{id.Start, id.End, name}, textEdit{body.Start, body.Start, "{ int heldValues = 0; if (true) "},
		textEdit{body.End, body.End, ` if (heldValues == 0) throw new AssertionError("expected: 1 but was: 2"); }`})
	for _, a := range annotationsOf(m) {
		switch _, last := cutLast(a.Get("name").Text(src)); {
		case last == "DisplayName":
			edits = append(edits, textEdit{a.Start, a.End, ""})
		case last == "Test" && strings.Contains(a.Text(src), "expected"):
			return "" // what it throws is what it expects
		}
	}
	return edited(s.text, m.Start, m.End, edits)
}

// otherExpected are changes of what an assertion expects; nil if that is not a
// constant.
func otherExpected(statement *syntax.Node, src []byte, word string, actualFirst bool) []textEdit {
	items := statement.Items()
	if len(items) != 1 || items[0].Kind != "method_invocation" {
		return nil
	}
	call := items[0]
	name, given := call.Get("name").Text(src), call.Get("arguments").Items()
	var expected *syntax.Node
	switch {
	case slices.Contains(javaEqual, name) && len(given) > 1:
		at := 0
		switch {
		case actualFirst:
			at = 1
		case len(given) > 2 && given[0].Kind == "string_literal" && given[2].Kind != "string_literal":
			at = 1 // a message comes first in JUnit 4
		}
		expected = given[at]
	case slices.Contains(javaIsEqual, name) && len(given) > 0 && strings.HasPrefix(call.Text(src), "assertThat("):
		expected = given[0]
	case name == "assertThat" && len(given) > 1:
		matcher := given[len(given)-1]
		if matcher.Kind == "method_invocation" && slices.Contains(javaMatchers, matcher.Get("name").Text(src)) && len(matcher.Get("arguments").Items()) == 1 {
			expected = matcher.Get("arguments").Items()[0]
		}
	}
	if expected == nil {
		return nil
	}
	return otherConstants(expected, src, word)
}

var smallNumber = regexp.MustCompile(`^[0-9][0-9_]{0,8}(?:\.[0-9]+)?[lLfFdD]?$`)

// otherConstants changes the numbers and texts in an expression that is made of
// constants alone, also by constructors and by functions of classes.
func otherConstants(n *syntax.Node, src []byte, word string) []textEdit {
	var edits []textEdit
	fixed := true
	n.Walk(func(c *syntax.Node) bool {
		text := c.Text(src)
		switch c.Kind {
		case "lambda_expression", "method_reference", "class_body", "this", "assignment_expression", "update_expression", "array_access", "field_access":
			fixed = false
		case "identifier":
			// A name of a variable, not that of a function or a class.
			fixed = fixed && (isCalled(c) || text != "" && text[0] >= 'A' && text[0] <= 'Z')
		case "decimal_integer_literal", "decimal_floating_point_literal":
			if smallNumber.MatchString(text) {
				edits = append(edits, textEdit{c.Start, c.End, "(" + text + " * 3 + 7919)"})
			}
		case "string_literal":
			if strings.HasPrefix(text, `"`) && !strings.HasPrefix(text, `"""`) {
				edits = append(edits, textEdit{c.End - 1, c.End - 1, word})
			}
			return false
		}
		return fixed
	})
	if !fixed {
		return nil
	}
	return edits
}

// isCalled reports whether an identifier is the name of a method that is called.
func isCalled(n *syntax.Node) bool {
	return n.Parent != nil && n.Parent.Kind == "method_invocation" && n.Parent.Get("name") == n
}
