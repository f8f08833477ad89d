package badpatch

import (
	"fmt"
	"slices"

	"assay/languages/syntax"
)

// alternatives is how many other names a site is tried with.
const alternatives = 3

// reads reports whether an identifier is read as a value where it stands.
func (c *code) reads(n *syntax.Node) bool {
	p := n.Parent
	if !is(n, "identifier") || p == nil || n.Field == "name" || n.Field == "function" || n.Field == "attribute" || n.Field == "field" ||
		n.Field == "declarator" || n.Field == "alias" || n.Field == "parameters" {
		return false
	}
	switch p.Kind {
	case "parameters", "lambda_parameters", "default_parameter", "typed_parameter", "typed_default_parameter", "inferred_parameters",
		"decorator", "type", "global_statement", "nonlocal_statement", "import_list", "dotted_name", "aliased_import",
		"as_pattern_target", "lambda_capture_specifier", "qualified_identifier", "scoped_identifier", "labeled_statement",
		"break_statement", "continue_statement", "switch_label", "goto_statement", "pattern_list", "tuple_pattern", "except_clause",
		"preproc_defined", "list_splat_pattern", "dictionary_splat_pattern", "throws", "reference_declarator", "pointer_declarator":
		return false
	case "assignment", "augmented_assignment", "assignment_expression", "for_statement", "for_in_clause":
		return n.Field != "left"
	case "lambda_expression":
		return n.Field == "body"
	}
	return up(n, "type_annotation", "template_argument_list") == nil
}

func wrongVariable(c *code, n *syntax.Node) []mutation {
	if !c.reads(n) {
		return nil
	}
	v, ok := c.lookup(n)
	if !ok {
		return nil
	}
	var out []mutation
	for _, other := range c.visible(n, v.typ) {
		if other != v.name && len(out) < alternatives && !c.beside(n, other) {
			out = append(out, replace(n, other, fmt.Sprintf("%s in place of %s", other, v.name)))
		}
	}
	return out
}

// beside reports whether the other operand or a neighbouring argument is the
// same name: a == a is a mistake that nobody makes.
func (c *code) beside(n *syntax.Node, name string) bool {
	if _, ok := asBinary(n.Parent); !ok && !is(n.Parent, "assignment", "assignment_expression") {
		return false
	}
	for _, s := range n.Parent.Items() {
		if s != n && c.text(s) == name {
			return true
		}
	}
	return false
}

func wrongField(c *code, n *syntax.Node) []mutation {
	name, own := c.fieldRead(n)
	if name == nil {
		return nil
	}
	var out []mutation
	fields := c.fields(n)
	at := slices.IndexFunc(fields, func(v variable) bool { return v.name == c.text(name) })
	if at < 0 {
		return nil
	}
	for i := 1; i < len(fields) && len(out) < alternatives; i++ {
		other := fields[(at+i)%len(fields)]
		if _, local := c.local(n, other.name); other.typ == fields[at].typ && (own || !local) {
			out = append(out, replace(name, other.name, fmt.Sprintf("field %s in place of %s", other.name, c.text(name))))
		}
	}
	return out
}

// fieldRead finds the name of a field that n reads; own says that it stands
// behind self or this.
func (c *code) fieldRead(n *syntax.Node) (name *syntax.Node, own bool) {
	switch {
	case is(n, "attribute") && n.Field != "left" && n.Field != "function" && c.text(n.Get("object")) == "self":
		return n.Get("attribute"), true
	case is(n, "field_access") && n.Field != "left" && is(n.Get("object"), "this"):
		return n.Get("field"), true
	case is(n, "field_expression") && n.Field != "left" && n.Field != "function" && is(n.Get("argument"), "this"):
		return n.Get("field"), true
	case !c.python() && c.reads(n):
		if _, local := c.lookup(n); !local {
			return n, false
		}
	}
	return nil, false
}

// local finds a variable of the function by its name alone.
func (c *code) local(n *syntax.Node, name string) (variable, bool) {
	for _, v := range c.variables(c.function(n)) {
		if v.name == name {
			return v, true
		}
	}
	return variable{}, false
}

// siblingMethod calls another method of the same class with as many
// parameters.
func siblingMethod(c *code, n *syntax.Node) []mutation {
	k, ok := c.asCall(n)
	if !ok || is(n, "object_creation_expression") {
		return nil
	}
	receiver := c.text(k.receiver)
	if receiver != "self" && receiver != "cls" && receiver != "this" && !(receiver == "" && !c.python()) {
		return nil
	}
	own := c.methods(c.class(n))
	name := c.calledName(k)
	at := slices.IndexFunc(own, func(m *syntax.Node) bool { return c.name(m) == name })
	if at < 0 {
		return nil
	}
	var out []mutation
	for i := 1; i < len(own) && len(out) < alternatives; i++ {
		other := own[(at+i)%len(own)]
		if c.name(other) != name && other != c.function(n) && c.alike(own[at], other) {
			out = append(out, replace(k.name, c.name(other), fmt.Sprintf("%s called in place of %s", c.name(other), name)))
		}
	}
	return out
}

// alike reports whether one method may be called in place of another one.
func (c *code) alike(a, b *syntax.Node) bool {
	if is(b, "constructor_declaration") || len(c.parameters(a)) != len(c.parameters(b)) || c.text(a.Get("type")) != c.text(b.Get("type")) {
		return false
	}
	for i, p := range c.parameters(a) {
		if !c.python() && c.typeOf(p) != c.typeOf(c.parameters(b)[i]) {
			return false
		}
	}
	name := c.name(b)
	return len(name) > 0 && !(len(name) > 4 && name[:2] == "__") && name[0] != '~' && name[0] != '('
}
