package badpatch

import (
	"slices"
	"strings"

	"assay/languages/syntax"
)

// dropCopy shares what gold copies.
func dropCopy(c *code, n *syntax.Node) []mutation {
	if is(n, "subscript") && c.python() {
		if s := n.Get("subscript"); is(s, "slice") && c.text(s) == ":" && n.Field != "left" {
			return one(replace(n, c.text(n.Get("value")), "not copied"))
		}
		return nil
	}
	k, ok := c.asCall(n)
	if !ok {
		return nil
	}
	name := c.calledName(k)
	switch {
	case c.python() && name == "deepcopy" && len(k.args) == 1:
		out := one(replace(n, c.text(k.args[0]), "not copied"))
		if c.text(k.receiver) == "copy" {
			out = append(out, replace(k.name, "copy", "copied one level deep only"))
		}
		return out
	case c.python() && k.receiver == nil && slices.Contains([]string{"list", "dict", "tuple", "set", "frozenset", "OrderedDict"}, name) && len(k.args) == 1 && !named(k.args[0]),
		c.python() && name == "copy" && c.text(k.receiver) == "copy" && len(k.args) == 1,
		is(n, "object_creation_expression") && copies(name) && len(k.args) == 1 && is(k.args[0], "identifier", "field_access", "method_invocation"):
		return one(replace(n, c.text(k.args[0]), "not copied"))
	case (name == "copy" || name == "clone") && k.receiver != nil && len(k.args) == 0:
		return one(replace(n, c.text(k.receiver), "not copied"))
	}
	return nil
}

// copies tells Java's collections, whose constructors copy.
func copies(typ string) bool {
	switch typ {
	case "ArrayList", "LinkedList", "HashMap", "LinkedHashMap", "TreeMap", "HashSet", "LinkedHashSet", "TreeSet":
		return true
	}
	return false
}

// dropReference copies where gold refers, and refers where gold copies.
func dropReference(c *code, n *syntax.Node) []mutation {
	switch {
	case is(n, "parameter_declaration", "for_range_loop") && !constant(n), is(n, "init_declarator") && is(n.Parent, "declaration") && !constant(n.Parent):
		d := n.Get("declarator")
		id := declarator(d)
		if !is(d, "reference_declarator") || id == nil || strings.HasPrefix(c.text(d), "&&") {
			break
		}
		blank := ""
		if d.Start > 0 && c.src[d.Start-1] != ' ' {
			blank = " "
		}
		return one(mutation{[]edit{{d.Start, id.Start, blank}}, "a copy in place of a reference: " + c.text(id)})
	}
	if is(n, "init_declarator") && is(n.Get("declarator"), "identifier") && c.typeOf(n.Parent) == "auto" &&
		is(n.Get("value"), "identifier", "field_expression", "subscript_expression") {
		d := n.Get("declarator")
		return one(replace(d, "&"+c.text(d), "a reference in place of a copy: "+c.text(d)))
	}
	return nil
}

// constant tells declarations of what does not change: of that, a copy is as
// good.
func constant(n *syntax.Node) bool {
	return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return is(c, "type_qualifier") })
}

// dropSort leaves things in the order in which they came.
func dropSort(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok {
		return nil
	}
	name := c.calledName(k)
	switch {
	case c.python() && k.receiver == nil && (name == "sorted" || name == "reversed") && len(k.args) > 0 && !named(k.args[0]):
		return one(replace(n, "list("+c.text(k.args[0])+")", "not sorted"))
	case is(n.Parent, "expression_statement") && (name == "sort" || name == "stable_sort" || name == "reverse" || name == "unique"):
		return one(mutation{[]edit{c.erase(n.Parent)}, "not sorted"})
	case c.java() && (name == "sorted" || name == "distinct") && k.receiver != nil:
		return one(replace(n, c.text(k.receiver), "not sorted"))
	case c.java() && is(n, "object_creation_expression") && strings.HasPrefix(name, "LinkedHash"):
		return one(mutation{[]edit{{k.name.Start, k.name.Start + len("Linked"), ""}}, "order not kept"})
	case c.java() && is(n, "object_creation_expression") && (name == "TreeMap" || name == "TreeSet"):
		return one(mutation{[]edit{{k.name.Start, k.name.Start + len("Tree"), "Hash"}}, "order not kept"})
	}
	return nil
}
