package badpatch

import (
	"fmt"
	"strings"

	"assay/languages/syntax"
)

// noneFalsy takes "nothing" and "empty" for the same.
func noneFalsy(c *code, n *syntax.Node) []mutation {
	if c.python() {
		return c.pythonFalsy(n)
	}
	b, ok := asBinary(n)
	if !ok || c.cpp() || !isNull(b.right) || !c.measured(b.left) {
		return c.emptyIsNull(n)
	}
	x := c.text(b.left)
	if strings.Contains(c.text(n.Parent), x+".isEmpty()") {
		return nil // both are asked for already
	}
	switch c.text(b.operator) {
	case "==":
		return one(replace(n, fmt.Sprintf("(%s == null || %s.isEmpty())", x, x), "an empty one counts as null"))
	case "!=":
		return one(replace(n, fmt.Sprintf("(%s != null && !%s.isEmpty())", x, x), "an empty one counts as null"))
	}
	return nil
}

func (c *code) pythonFalsy(n *syntax.Node) []mutation {
	b, ok := asBinary(n)
	if ok && isNull(b.right) && is(n, "comparison_operator") {
		left := c.text(b.left)
		if !is(b.left, "identifier", "attribute", "call", "subscript", "parenthesized_expression") {
			left = "(" + left + ")"
		}
		switch c.text(b.operator) {
		case "is", "==":
			return one(replace(n, "not "+left, "falsy counts as None"))
		case "is not", "!=":
			return one(replace(n, left, "falsy counts as None"))
		}
		return nil
	}
	if is(n, "not_operator") {
		if x := last(n.Items()); is(x, "identifier", "attribute") {
			return one(replace(n, c.text(x)+" is None", "only None counts as empty"))
		}
	}
	if cond := n.Parent; is(n, "identifier", "attribute") && cond != nil && c.condition(cond) == n {
		return one(replace(n, c.text(n)+" is not None", "only None counts as empty"))
	}
	return nil
}

// measured reports whether n is seen to be of a type with isEmpty.
func (c *code) measured(n *syntax.Node) bool {
	typ, _ := c.typeSeen(n)
	base, _, _ := strings.Cut(typ, "<")
	switch base {
	case "String", "List", "Map", "Set", "Collection", "ArrayList", "HashMap", "LinkedHashMap", "HashSet":
		return is(n, "identifier")
	}
	return false
}

// emptyIsNull is the other way round: only null counts as empty.
func (c *code) emptyIsNull(n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || !c.java() || c.calledName(k) != "isEmpty" || k.receiver == nil || len(k.args) > 0 || is(n.Parent, "unary_expression") {
		return nil
	}
	return one(replace(n, c.text(k.receiver)+" == null", "only null counts as empty"))
}

// stringEmpty forgets a text. What is told to people is left alone.
func stringEmpty(c *code, n *syntax.Node) []mutation {
	if !isText(n) || inError(n) || is(n.Parent, "concatenated_string", "pair", "subscript", "linkage_specification") {
		return nil
	}
	text := c.text(n)
	if len(strings.Trim(text, `"'`)) == 0 || strings.HasPrefix(text, "R\"") {
		return nil
	}
	return one(replace(n, empty(text), "empty in place of "+short(text)))
}

// unwrapCall leaves out that something is stripped, escaped or normalised.
func unwrapCall(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || is(n.Parent, "expression_statement") || !normalises(c.calledName(k)) {
		return nil
	}
	what := "without " + c.calledName(k)
	if len(k.args) == 1 && !named(k.args[0]) && (k.receiver == nil || !methodOfText(c.calledName(k))) {
		return one(replace(n, c.text(k.args[0]), what))
	}
	if k.receiver != nil && methodOfText(c.calledName(k)) {
		return one(replace(n, c.text(k.receiver), what))
	}
	return nil
}

// methodOfText tells methods that give their receiver in another form.
func methodOfText(name string) bool {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "trim", "tolowercase", "touppercase", "striptrailing",
		"stripleading", "expandtabs", "normalize", "replace", "replaceall", "zfill", "intern", "removeprefix", "removesuffix":
		return true
	}
	return false
}

// normalises tells functions that clean what they are given.
func normalises(name string) bool {
	if methodOfText(name) {
		return true
	}
	name = strings.ToLower(name)
	for _, word := range []string{"escape", "quote", "sanitize", "normaliz", "normalis", "clean", "canonical", "expanduser", "abspath",
		"realpath", "normpath", "tolower", "toupper", "to_lower", "to_upper", "sympify", "simplify", "expand", "force_text", "to_unsigned", "abs", "round"} {
		if strings.Contains(name, word) && (len(word) > 5 || strings.HasPrefix(name, word)) {
			return true
		}
	}
	return false
}

// twins are functions that are taken for one another.
func (c *code) twins(name string) string {
	pairs := [][2]string{
		{"find", "rfind"}, {"min", "max"}, {"lower_bound", "upper_bound"}, {"any_of", "all_of"}, {"front", "back"}, {"ceil", "floor"},
		{"isinf", "isnan"}, {"tolower", "toupper"}, {"find_first_of", "find_last_of"}, {"isalpha", "isalnum"},
	}
	switch {
	case c.python():
		pairs = [][2]string{
			{"startswith", "endswith"}, {"find", "rfind"}, {"index", "rindex"}, {"split", "rsplit"}, {"partition", "rpartition"},
			{"lstrip", "rstrip"}, {"lower", "upper"}, {"min", "max"}, {"any", "all"}, {"append", "extend"}, {"match", "search"},
			{"first", "last"}, {"keys", "values"}, {"pop", "get"}, {"dirname", "basename"}, {"ceil", "floor"}, {"isdigit", "isalnum"},
			{"update", "setdefault"}, {"isinstance", "issubclass"},
		}
	case c.java():
		pairs = [][2]string{
			{"startsWith", "endsWith"}, {"indexOf", "lastIndexOf"}, {"min", "max"}, {"addFirst", "addLast"}, {"getFirst", "getLast"},
			{"anyMatch", "allMatch"}, {"toLowerCase", "toUpperCase"}, {"containsKey", "containsValue"}, {"isInfinite", "isNaN"},
			{"floorDiv", "floorMod"}, {"ceil", "floor"}, {"equals", "equalsIgnoreCase"}, {"first", "last"}, {"keySet", "values"},
		}
	}
	for _, pair := range pairs {
		switch name {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return ""
}

func swapTwin(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || is(n, "object_creation_expression") {
		return nil
	}
	name := c.calledName(k)
	other := c.twins(name)
	switch {
	case name == "fullmatch" && c.python():
		other = "match"
	case name == "matches" && len(k.args) == 0 && c.java():
		other = "find"
	case other == "equalsIgnoreCase" && (len(k.args) != 1 || !c.ofText(k.args[0]) && !c.ofText(k.receiver)):
		return nil // equals of what is no text
	}
	if other == "" || !strings.HasSuffix(c.text(k.name), name) {
		return nil
	}
	return one(mutation{[]edit{{k.name.End - len(name), k.name.End, other}}, other + " in place of " + name})
}

// ofText reports whether n is seen to be a text.
func (c *code) ofText(n *syntax.Node) bool {
	typ, _ := c.typeSeen(orRoot(n, c))
	return isText(orRoot(n, c)) || typ == "String"
}
