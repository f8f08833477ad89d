package mutation

import (
	"fmt"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// noneFalsy takes "nothing" and "empty" for the same.
func noneFalsy(c *code.File, n *syntax.Node) []code.Mutation {
	if c.Python() {
		return pythonFalsy(c, n)
	}
	b, ok := code.AsBinary(n)
	if !ok || c.Cpp() || !code.IsNull(b.Right) || !measured(c, b.Left) {
		return emptyIsNull(c, n)
	}
	x := c.Text(b.Left)
	if strings.Contains(c.Text(n.Parent), x+".isEmpty()") {
		return nil // both are asked for already
	}
	switch c.Text(b.Operator) {
	case "==":
		return one(replace(n, fmt.Sprintf("(%s == null || %s.isEmpty())", x, x), "an empty one counts as null"))
	case "!=":
		return one(replace(n, fmt.Sprintf("(%s != null && !%s.isEmpty())", x, x), "an empty one counts as null"))
	}
	return nil
}

func pythonFalsy(c *code.File, n *syntax.Node) []code.Mutation {
	b, ok := code.AsBinary(n)
	if ok && code.IsNull(b.Right) && code.Is(n, "comparison_operator") {
		left := c.Text(b.Left)
		if !code.Is(b.Left, "identifier", "attribute", "call", "subscript", "parenthesized_expression") {
			left = "(" + left + ")"
		}
		switch c.Text(b.Operator) {
		case "is", "==":
			return one(replace(n, "not "+left, "falsy counts as None"))
		case "is not", "!=":
			return one(replace(n, left, "falsy counts as None"))
		}
		return nil
	}
	if code.Is(n, "not_operator") {
		if x := code.Last(n.Items()); code.Is(x, "identifier", "attribute") {
			return one(replace(n, c.Text(x)+" is None", "only None counts as empty"))
		}
	}
	if cond := n.Parent; code.Is(n, "identifier", "attribute") && cond != nil && c.Condition(cond) == n {
		return one(replace(n, c.Text(n)+" is not None", "only None counts as empty"))
	}
	return nil
}

// measured reports whether n is seen to be of a type with isEmpty.
func measured(c *code.File, n *syntax.Node) bool {
	typ, _ := typeSeen(c, n)
	base, _, _ := strings.Cut(typ, "<")
	switch base {
	case "String", "List", "Map", "Set", "Collection", "ArrayList", "HashMap", "LinkedHashMap", "HashSet":
		return code.Is(n, "identifier")
	}
	return false
}

// emptyIsNull is the other way round: only null counts as empty.
func emptyIsNull(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || !c.Java() || c.CalledName(k) != "isEmpty" || k.Receiver == nil || len(k.Args) > 0 || code.Is(n.Parent, "unary_expression") {
		return nil
	}
	return one(replace(n, c.Text(k.Receiver)+" == null", "only null counts as empty"))
}

// stringEmpty forgets a text. Messages for people are left alone.
func stringEmpty(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.IsText(n) || inError(n) || code.Is(n.Parent, "concatenated_string", "pair", "subscript", "linkage_specification") {
		return nil
	}
	text := c.Text(n)
	if len(strings.Trim(text, `"'`)) == 0 || strings.HasPrefix(text, "R\"") {
		return nil
	}
	return one(replace(n, empty(text), "empty in place of "+code.Excerpt(text)))
}

// unwrapCall leaves out that something is stripped, escaped or normalised.
func unwrapCall(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || code.Is(n.Parent, "expression_statement") || !normalises(c.CalledName(k)) {
		return nil
	}
	what := "without " + c.CalledName(k)
	if len(k.Args) == 1 && !code.ByName(k.Args[0]) && (k.Receiver == nil || !methodOfText(c.CalledName(k))) {
		return one(replace(n, c.Text(k.Args[0]), what))
	}
	if k.Receiver != nil && methodOfText(c.CalledName(k)) {
		return one(replace(n, c.Text(k.Receiver), what))
	}
	return nil
}

// methodOfText recognises methods that give their receiver in another form.
func methodOfText(name string) bool {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "trim", "tolowercase", "touppercase", "striptrailing",
		"stripleading", "expandtabs", "normalize", "replace", "replaceall", "zfill", "intern", "removeprefix", "removesuffix":
		return true
	}
	return false
}

// normalises recognises functions that clean what they are given.
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

// twins are functions that are mistaken for one another.
func twins(c *code.File, name string) string {
	pairs := [][2]string{
		{"find", "rfind"}, {"min", "max"}, {"lower_bound", "upper_bound"}, {"any_of", "all_of"}, {"front", "back"}, {"ceil", "floor"},
		{"isinf", "isnan"}, {"tolower", "toupper"}, {"find_first_of", "find_last_of"}, {"isalpha", "isalnum"},
	}
	switch {
	case c.Python():
		pairs = [][2]string{
			{"startswith", "endswith"}, {"find", "rfind"}, {"index", "rindex"}, {"split", "rsplit"}, {"partition", "rpartition"},
			{"lstrip", "rstrip"}, {"lower", "upper"}, {"min", "max"}, {"any", "all"}, {"append", "extend"}, {"match", "search"},
			{"first", "last"}, {"keys", "values"}, {"pop", "get"}, {"dirname", "basename"}, {"ceil", "floor"}, {"isdigit", "isalnum"},
			{"update", "setdefault"}, {"isinstance", "issubclass"},
		}
	case c.Java():
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

func swapTwin(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || code.Is(n, "object_creation_expression") {
		return nil
	}
	name := c.CalledName(k)
	other := twins(c, name)
	switch {
	case name == "fullmatch" && c.Python():
		other = "match"
	case name == "matches" && len(k.Args) == 0 && c.Java():
		other = "find"
	case other == "equalsIgnoreCase" && (len(k.Args) != 1 || !ofText(c, k.Args[0]) && !ofText(c, k.Receiver)):
		return nil // equals of what is not text
	}
	if other == "" || !strings.HasSuffix(c.Text(k.Name), name) {
		return nil
	}
	return one(code.Mutation{Edits: []code.Edit{{Start: k.Name.End - len(name), End: k.Name.End, Text: other}}, What: other + " in place of " + name})
}

// ofText reports whether n is seen to be a text.
func ofText(c *code.File, n *syntax.Node) bool {
	typ, _ := typeSeen(c, code.OrRoot(n, c))
	return code.IsText(code.OrRoot(n, c)) || typ == "String"
}
