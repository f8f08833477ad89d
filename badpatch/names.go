package badpatch

import (
	"strings"

	"assay/languages/syntax"
)

// variable is a parameter or local variable: where it is declared, and the
// node in which it can be seen.
type variable struct {
	name  string
	typ   string // as written; empty in Python
	decl  *syntax.Node
	scope *syntax.Node
	param bool
}

// variables lists what a function declares, in order; a name may come twice in
// Java and C++, in scopes of their own. In Python a name comes once, at its
// first binding.
func (c *code) variables(fn *syntax.Node) []variable {
	if fn == nil {
		return nil
	}
	if out, ok := c.cache[fn]; ok {
		return out
	}
	var out []variable
	if c.python() {
		out = c.pythonVariables(fn)
	} else {
		fn.Walk(func(n *syntax.Node) bool {
			if v, ok := c.declared(n); ok && v.name != "" {
				out = append(out, v)
			}
			return n == fn || !c.isFunction(n) && !c.isClass(n)
		})
	}
	c.cache[fn] = out
	return out
}

func (c *code) pythonVariables(fn *syntax.Node) []variable {
	var out []variable
	seen := map[string]bool{}
	add := func(n *syntax.Node, param bool) {
		if name := c.text(n); is(n, "identifier") && !seen[name] && name != "self" && name != "cls" && name != "_" {
			seen[name] = true
			out = append(out, variable{name: name, decl: n, scope: fn, param: param})
		}
	}
	for _, p := range c.parameters(fn) {
		for _, id := range find(p, "identifier")[:min(1, len(find(p, "identifier")))] {
			add(id, true)
		}
	}
	fn.Get("body").Walk(func(n *syntax.Node) bool {
		switch n.Kind {
		case "function_definition", "class_definition", "lambda", "list_comprehension", "set_comprehension",
			"dictionary_comprehension", "generator_expression":
			return false
		case "assignment", "augmented_assignment", "for_statement":
			c.targets(n.Get("left"), add)
		case "named_expression":
			add(n.Get("name"), false)
		case "as_pattern_target":
			c.targets(n, add)
		}
		return true
	})
	return out
}

// targets adds the plain names that a left side binds.
func (c *code) targets(n *syntax.Node, add func(*syntax.Node, bool)) {
	switch {
	case is(n, "identifier"):
		add(n, false)
	case is(n, "pattern_list", "tuple_pattern", "list_pattern", "as_pattern_target", "list_splat_pattern"):
		for _, item := range n.Items() {
			c.targets(item, add)
		}
	}
}

// declared reads one declaration of Java or C++.
func (c *code) declared(n *syntax.Node) (variable, bool) {
	switch n.Kind {
	case "formal_parameter", "catch_formal_parameter", "resource", "enhanced_for_statement":
		name := n.Get("name")
		if name == nil {
			return variable{}, false
		}
		return variable{c.text(name), c.typeOf(n), name, javaScope(n), n.Kind == "formal_parameter"}, true
	case "variable_declarator":
		if is(n.Parent, "local_variable_declaration") {
			return variable{c.text(n.Get("name")), c.typeOf(n.Parent), n.Get("name"), scopeOf(n.Parent), false}, true
		}
	case "parameter_declaration", "optional_parameter_declaration":
		if id := declarator(n.Get("declarator")); id != nil && is(n.Parent, "parameter_list") {
			return variable{c.text(id), c.typeOf(n), id, scopeOf(n), true}, true
		}
	case "for_range_loop":
		if id := declarator(n.Get("declarator")); id != nil {
			return variable{c.text(id), c.typeOf(n), id, n, false}, true
		}
	case "init_declarator":
		if id := declarator(n.Get("declarator")); id != nil && is(n.Parent, "declaration") {
			return variable{c.text(id), c.typeOf(n.Parent), id, scopeOf(n.Parent), false}, true
		}
	case "identifier":
		if is(n.Parent, "declaration") && n.Field == "declarator" {
			return variable{c.text(n), c.typeOf(n.Parent), n, scopeOf(n.Parent), false}, true
		}
	}
	return variable{}, false
}

// javaScope is where what a head declares can be seen.
func javaScope(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "enhanced_for_statement":
		return n
	case "catch_formal_parameter":
		return n.Parent
	}
	return n.Parent.Parent
}

// scopeOf is where a declaration can be seen: the block, loop or function
// round it.
func scopeOf(n *syntax.Node) *syntax.Node {
	s := up(n.Parent, "block", "compound_statement", "constructor_body", "for_statement", "for_range_loop", "function_definition",
		"lambda_expression", "catch_clause", "if_statement", "switch_block_statement_group", "method_declaration", "case_statement")
	if s == nil {
		return n.Parent
	}
	return s
}

// declarator finds the name in a declarator of C++.
func declarator(n *syntax.Node) *syntax.Node {
	for depth := 0; n != nil && depth < 8; depth++ {
		switch {
		case is(n, "identifier", "field_identifier"):
			return n
		case is(n, "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator"):
			if inner := n.Get("declarator"); inner != nil {
				n = inner
			} else if items := n.Items(); len(items) > 0 {
				n = last(items)
			} else {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// typeOf is the type of a declaration as written, with the marks of pointers
// and arrays but without const and references.
func (c *code) typeOf(n *syntax.Node) string {
	typ := strings.Join(strings.Fields(c.text(n.Get("type"))), " ")
	if len(find(n.Get("declarator"), "pointer_declarator")) > 0 {
		typ += "*"
	}
	if is(n.Get("declarator"), "array_declarator") || n.Get("dimensions") != nil {
		typ += "[]"
	}
	return typ
}

// fields lists the fields of the class round n, with their types in Java and
// C++; in Python the attributes of self that the class assigns.
func (c *code) fields(n *syntax.Node) []variable {
	class := c.class(n)
	if class == nil {
		return nil
	}
	if out, ok := c.cache[class]; ok {
		return out
	}
	var out []variable
	seen := map[string]bool{}
	add := func(name, typ string, decl *syntax.Node) {
		if name != "" && !seen[name] {
			seen[name] = true
			out = append(out, variable{name: name, typ: typ, decl: decl, scope: class})
		}
	}
	class.Get("body").Walk(func(n *syntax.Node) bool {
		switch {
		case c.python() && is(n, "attribute") && n.Field == "left" && c.text(n.Get("object")) == "self":
			add(c.text(n.Get("attribute")), "", n)
		case is(n, "field_declaration"):
			for _, d := range n.Children {
				if is(d, "variable_declarator") {
					add(c.text(d.Get("name")), c.typeOf(n), d)
				} else if id := declarator(d); d.Field == "declarator" && id != nil {
					add(c.text(id), c.typeOf(n), d)
				}
			}
		}
		return !c.isClass(n) && (c.python() || !c.isFunction(n))
	})
	c.cache[class] = out
	return out
}

// methods lists the functions that a class defines itself.
func (c *code) methods(class *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	if class == nil {
		return nil
	}
	class.Get("body").Walk(func(n *syntax.Node) bool {
		if c.isFunction(n) {
			out = append(out, n)
			return false
		}
		return !c.isClass(n)
	})
	return out
}

// visible lists the variables that can be used at n in place of one with a
// type, nearest declaration first.
func (c *code) visible(n *syntax.Node, typ string) []string {
	var out []string
	seen := map[string]bool{}
	vars := c.variables(c.function(n))
	for i := len(vars) - 1; i >= 0; i-- {
		v := vars[i]
		if v.typ == typ && v.decl.End <= n.Start && inside(n, v.scope) && !seen[v.name] && typ != "auto" && typ != "var" {
			seen[v.name] = true
			out = append(out, v.name)
		}
	}
	return out
}

// lookup finds the variable that an identifier names.
func (c *code) lookup(n *syntax.Node) (variable, bool) {
	vars := c.variables(c.function(n))
	for i := len(vars) - 1; i >= 0; i-- {
		if v := vars[i]; v.name == c.text(n) && v.decl.Start <= n.Start && inside(n, v.scope) {
			return v, true
		}
	}
	return variable{}, false
}

func inside(n, scope *syntax.Node) bool {
	return scope != nil && scope.Start <= n.Start && n.End <= scope.End
}
