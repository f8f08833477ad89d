package mutation

import (
	"fmt"
	"slices"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// alternatives is how many other names a site is tried with.
const alternatives = 3

func wrongVariable(c *code.File, n *syntax.Node) []code.Mutation {
	if !c.Reads(n) {
		return nil
	}
	v, ok := c.Lookup(n)
	if !ok {
		return nil
	}
	var out []code.Mutation
	for _, other := range c.Visible(n, v.Type) {
		if other != v.Name && len(out) < alternatives && !besideItself(c, n, other) {
			out = append(out, replace(n, other, fmt.Sprintf("%s in place of %s", other, v.Name)))
		}
	}
	return out
}

// besideItself reports whether the other operand or a neighbouring argument
// is the same name: people do not write a == a by mistake.
func besideItself(c *code.File, n *syntax.Node, name string) bool {
	if _, ok := code.AsBinary(n.Parent); !ok && !code.Is(n.Parent, "assignment", "assignment_expression") {
		return false
	}
	for _, s := range n.Parent.Items() {
		if s != n && c.Text(s) == name {
			return true
		}
	}
	return false
}

func wrongField(c *code.File, n *syntax.Node) []code.Mutation {
	name, own := fieldRead(c, n)
	if name == nil {
		return nil
	}
	var out []code.Mutation
	fields := c.Fields(n)
	at := slices.IndexFunc(fields, func(v code.Variable) bool { return v.Name == c.Text(name) })
	if at < 0 {
		return nil
	}
	for i := 1; i < len(fields) && len(out) < alternatives; i++ {
		other := fields[(at+i)%len(fields)]
		if _, local := c.Local(n, other.Name); other.Type == fields[at].Type && (own || !local) {
			out = append(out, replace(name, other.Name, fmt.Sprintf("field %s in place of %s", other.Name, c.Text(name))))
		}
	}
	return out
}

// fieldRead finds the name of a field that n reads; own says that it follows
// self or this.
func fieldRead(c *code.File, n *syntax.Node) (name *syntax.Node, own bool) {
	switch {
	case code.Is(n, "attribute") && n.Field != "left" && n.Field != "function" && c.Text(n.Get("object")) == "self":
		return n.Get("attribute"), true
	case code.Is(n, "field_access") && n.Field != "left" && code.Is(n.Get("object"), "this"):
		return n.Get("field"), true
	case code.Is(n, "field_expression") && n.Field != "left" && n.Field != "function" && code.Is(n.Get("argument"), "this"):
		return n.Get("field"), true
	case !c.Python() && c.Reads(n):
		if _, local := c.Lookup(n); !local {
			return n, false
		}
	}
	return nil, false
}

// siblingMethod calls another method of the same class with as many
// parameters.
func siblingMethod(c *code.File, n *syntax.Node) []code.Mutation {
	k, ok := c.AsCall(n)
	if !ok || code.Is(n, "object_creation_expression") {
		return nil
	}
	receiver := c.Text(k.Receiver)
	if receiver != "self" && receiver != "cls" && receiver != "this" && !(receiver == "" && !c.Python()) {
		return nil
	}
	own := c.Methods(c.Class(n))
	name := c.CalledName(k)
	at := slices.IndexFunc(own, func(m *syntax.Node) bool { return c.Name(m) == name })
	if at < 0 {
		return nil
	}
	var out []code.Mutation
	for i := 1; i < len(own) && len(out) < alternatives; i++ {
		other := own[(at+i)%len(own)]
		if c.Name(other) != name && other != c.Function(n) && alike(c, own[at], other) {
			out = append(out, replace(k.Name, c.Name(other), fmt.Sprintf("%s called in place of %s", c.Name(other), name)))
		}
	}
	return out
}

// alike reports whether one method may be called in place of another one.
func alike(c *code.File, a, b *syntax.Node) bool {
	if code.Is(b, "constructor_declaration") || len(c.Parameters(a)) != len(c.Parameters(b)) || c.Text(a.Get("type")) != c.Text(b.Get("type")) {
		return false
	}
	for i, p := range c.Parameters(a) {
		if !c.Python() && c.TypeOf(p) != c.TypeOf(c.Parameters(b)[i]) {
			return false
		}
	}
	name := c.Name(b)
	return len(name) > 0 && !(len(name) > 4 && name[:2] == "__") && name[0] != '~' && name[0] != '('
}
