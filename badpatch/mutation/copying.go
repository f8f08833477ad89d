package mutation

import (
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// dropCopy shares what gold copies.
func dropCopy(c *code.File, n *syntax.Node) []code.Mutation {
	if code.Is(n, "subscript") && c.Python() {
		if s := n.Get("subscript"); code.Is(s, "slice") && c.Text(s) == ":" && n.Field != "left" {
			return one(replace(n, c.Text(n.Get("value")), "not copied"))
		}
		return nil
	}
	k, ok := c.AsCall(n)
	if !ok {
		return nil
	}
	name := c.CalledName(k)
	switch {
	case c.Python() && name == "deepcopy" && len(k.Args) == 1:
		out := one(replace(n, c.Text(k.Args[0]), "not copied"))
		if c.Text(k.Receiver) == "copy" {
			out = append(out, replace(k.Name, "copy", "copied one level deep only"))
		}
		return out
	case c.Python() && k.Receiver == nil && slices.Contains([]string{"list", "dict", "tuple", "set", "frozenset", "OrderedDict"}, name) && len(k.Args) == 1 && !code.ByName(k.Args[0]),
		c.Python() && name == "copy" && c.Text(k.Receiver) == "copy" && len(k.Args) == 1,
		code.Is(n, "object_creation_expression") && copies(name) && len(k.Args) == 1 && code.Is(k.Args[0], "identifier", "field_access", "method_invocation"):
		return one(replace(n, c.Text(k.Args[0]), "not copied"))
	case (name == "copy" || name == "clone") && k.Receiver != nil && len(k.Args) == 0:
		return one(replace(n, c.Text(k.Receiver), "not copied"))
	}
	return nil
}

// copies recognises Java's collections, whose constructors copy.
func copies(typ string) bool {
	switch typ {
	case "ArrayList", "LinkedList", "HashMap", "LinkedHashMap", "TreeMap", "HashSet", "LinkedHashSet", "TreeSet":
		return true
	}
	return false
}

// dropReference copies where gold refers, and refers where gold copies.
func dropReference(c *code.File, n *syntax.Node) []code.Mutation {
	switch {
	case code.Is(n, "parameter_declaration", "for_range_loop") && !constant(n), code.Is(n, "init_declarator") && code.Is(n.Parent, "declaration") && !constant(n.Parent):
		d := n.Get("declarator")
		id := code.DeclaredName(d)
		if !code.Is(d, "reference_declarator") || id == nil || strings.HasPrefix(c.Text(d), "&&") {
			break
		}
		blank := ""
		if d.Start > 0 && c.Src[d.Start-1] != ' ' {
			blank = " "
		}
		return one(code.Mutation{Edits: []code.Edit{{Start: d.Start, End: id.Start, Text: blank}}, What: "a copy in place of a reference: " + c.Text(id)})
	}
	if code.Is(n, "init_declarator") && code.Is(n.Get("declarator"), "identifier") && c.TypeOf(n.Parent) == "auto" &&
		code.Is(n.Get("value"), "identifier", "field_expression", "subscript_expression") {
		d := n.Get("declarator")
		return one(replace(d, "&"+c.Text(d), "a reference in place of a copy: "+c.Text(d)))
	}
	return nil
}

// constant recognises declarations of what does not change: a copy of that
// makes no difference.
func constant(n *syntax.Node) bool {
	return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return code.Is(c, "type_qualifier") })
}

// dropSort leaves things in the order in which they came.
func dropSort(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok {
		return nil
	}
	name := c.CalledName(k)
	switch {
	case c.Python() && k.Receiver == nil && (name == "sorted" || name == "reversed") && len(k.Args) > 0 && !code.ByName(k.Args[0]):
		return one(replace(n, "list("+c.Text(k.Args[0])+")", "not sorted"))
	case code.Is(n.Parent, "expression_statement") && (name == "sort" || name == "stable_sort" || name == "reverse" || name == "unique"):
		return one(code.Mutation{Edits: []code.Edit{c.Erase(n.Parent)}, What: "not sorted"})
	case c.Java() && (name == "sorted" || name == "distinct") && k.Receiver != nil:
		return one(replace(n, c.Text(k.Receiver), "not sorted"))
	case c.Java() && code.Is(n, "object_creation_expression") && strings.HasPrefix(name, "LinkedHash"):
		return one(code.Mutation{Edits: []code.Edit{{Start: k.Name.Start, End: k.Name.Start + len("Linked"), Text: ""}}, What: "order not kept"})
	case c.Java() && code.Is(n, "object_creation_expression") && (name == "TreeMap" || name == "TreeSet"):
		return one(code.Mutation{Edits: []code.Edit{{Start: k.Name.Start, End: k.Name.Start + len("Tree"), Text: "Hash"}}, What: "order not kept"})
	}
	return nil
}
