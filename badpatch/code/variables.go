package code

import (
	"strings"

	"assay/languages/syntax"
)

// Variable is a parameter or local variable: where it is declared, and the
// node in which it can be seen.
type Variable struct {
	Name  string
	Type  string // as written; empty in Python
	Decl  *syntax.Node
	Scope *syntax.Node
	Param bool
}

// Variables lists what a function declares, in order; a name may come twice in
// Java and C++, in scopes of their own. In Python a name comes once, at its
// first binding.
func (c *File) Variables(fn *syntax.Node) []Variable {
	if fn == nil {
		return nil
	}
	if out, ok := c.cache[fn]; ok {
		return out
	}
	var out []Variable
	if c.Python() {
		out = c.pythonVariables(fn)
	} else {
		fn.Walk(func(n *syntax.Node) bool {
			if v, ok := c.Declared(n); ok && v.Name != "" {
				out = append(out, v)
			}
			return n == fn || !c.IsFunction(n) && !c.IsClass(n)
		})
	}
	c.cache[fn] = out
	return out
}

func (c *File) pythonVariables(fn *syntax.Node) []Variable {
	var out []Variable
	seen := map[string]bool{}
	add := func(n *syntax.Node, param bool) {
		if name := c.Text(n); Is(n, "identifier") && !seen[name] && name != "self" && name != "cls" && name != "_" {
			seen[name] = true
			out = append(out, Variable{Name: name, Decl: n, Scope: fn, Param: param})
		}
	}
	for _, p := range c.Parameters(fn) {
		for _, id := range Find(p, "identifier")[:min(1, len(Find(p, "identifier")))] {
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
func (c *File) targets(n *syntax.Node, add func(*syntax.Node, bool)) {
	switch {
	case Is(n, "identifier"):
		add(n, false)
	case Is(n, "pattern_list", "tuple_pattern", "list_pattern", "as_pattern_target", "list_splat_pattern"):
		for _, item := range n.Items() {
			c.targets(item, add)
		}
	}
}

// Declared reads one declaration of Java or C++.
func (c *File) Declared(n *syntax.Node) (Variable, bool) {
	switch n.Kind {
	case "formal_parameter", "catch_formal_parameter", "resource", "enhanced_for_statement":
		name := n.Get("name")
		if name == nil {
			return Variable{}, false
		}
		return Variable{c.Text(name), c.TypeOf(n), name, javaScope(n), n.Kind == "formal_parameter"}, true
	case "variable_declarator":
		if Is(n.Parent, "local_variable_declaration") {
			return Variable{c.Text(n.Get("name")), c.TypeOf(n.Parent), n.Get("name"), scopeOf(n.Parent), false}, true
		}
	case "parameter_declaration", "optional_parameter_declaration":
		if id := DeclaredName(n.Get("declarator")); id != nil && Is(n.Parent, "parameter_list") {
			return Variable{c.Text(id), c.TypeOf(n), id, scopeOf(n), true}, true
		}
	case "for_range_loop":
		if id := DeclaredName(n.Get("declarator")); id != nil {
			return Variable{c.Text(id), c.TypeOf(n), id, n, false}, true
		}
	case "init_declarator":
		if id := DeclaredName(n.Get("declarator")); id != nil && Is(n.Parent, "declaration") {
			return Variable{c.Text(id), c.TypeOf(n.Parent), id, scopeOf(n.Parent), false}, true
		}
	case "identifier":
		if Is(n.Parent, "declaration") && n.Field == "declarator" {
			return Variable{c.Text(n), c.TypeOf(n.Parent), n, scopeOf(n.Parent), false}, true
		}
	}
	return Variable{}, false
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
// around it.
func scopeOf(n *syntax.Node) *syntax.Node {
	s := Up(n.Parent, "block", "compound_statement", "constructor_body", "for_statement", "for_range_loop", "function_definition",
		"lambda_expression", "catch_clause", "if_statement", "switch_block_statement_group", "method_declaration", "case_statement")
	if s == nil {
		return n.Parent
	}
	return s
}

// DeclaredName finds the name in a declarator of C++.
func DeclaredName(n *syntax.Node) *syntax.Node {
	for depth := 0; n != nil && depth < 8; depth++ {
		switch {
		case Is(n, "identifier", "field_identifier"):
			return n
		case Is(n, "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator"):
			if inner := n.Get("declarator"); inner != nil {
				n = inner
			} else if items := n.Items(); len(items) > 0 {
				n = Last(items)
			} else {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// TypeOf is the type of a declaration as written, with the marks of pointers
// and arrays but without const and references.
func (c *File) TypeOf(n *syntax.Node) string {
	typ := strings.Join(strings.Fields(c.Text(n.Get("type"))), " ")
	if len(Find(n.Get("declarator"), "pointer_declarator")) > 0 {
		typ += "*"
	}
	if Is(n.Get("declarator"), "array_declarator") || n.Get("dimensions") != nil {
		typ += "[]"
	}
	return typ
}

// Fields lists the fields of the class round n, with their types in Java and
// C++; in Python the attributes of self that the class assigns.
func (c *File) Fields(n *syntax.Node) []Variable {
	class := c.Class(n)
	if class == nil {
		return nil
	}
	if out, ok := c.cache[class]; ok {
		return out
	}
	var out []Variable
	seen := map[string]bool{}
	add := func(name, typ string, decl *syntax.Node) {
		if name != "" && !seen[name] {
			seen[name] = true
			out = append(out, Variable{Name: name, Type: typ, Decl: decl, Scope: class})
		}
	}
	class.Get("body").Walk(func(n *syntax.Node) bool {
		switch {
		case c.Python() && Is(n, "attribute") && n.Field == "left" && c.Text(n.Get("object")) == "self":
			add(c.Text(n.Get("attribute")), "", n)
		case Is(n, "field_declaration"):
			for _, d := range n.Children {
				if Is(d, "variable_declarator") {
					add(c.Text(d.Get("name")), c.TypeOf(n), d)
				} else if id := DeclaredName(d); d.Field == "declarator" && id != nil {
					add(c.Text(id), c.TypeOf(n), d)
				}
			}
		}
		return !c.IsClass(n) && (c.Python() || !c.IsFunction(n))
	})
	c.cache[class] = out
	return out
}

// Methods lists the functions that a class defines itself.
func (c *File) Methods(class *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	if class == nil {
		return nil
	}
	class.Get("body").Walk(func(n *syntax.Node) bool {
		if c.IsFunction(n) {
			out = append(out, n)
			return false
		}
		return !c.IsClass(n)
	})
	return out
}

// Visible lists the variables that can be used at n in place of one with a
// type, nearest declaration first.
func (c *File) Visible(n *syntax.Node, typ string) []string {
	var out []string
	seen := map[string]bool{}
	vars := c.Variables(c.Function(n))
	for i := len(vars) - 1; i >= 0; i-- {
		v := vars[i]
		if v.Type == typ && v.Decl.End <= n.Start && Inside(n, v.Scope) && !seen[v.Name] && typ != "auto" && typ != "var" {
			seen[v.Name] = true
			out = append(out, v.Name)
		}
	}
	return out
}

// Lookup finds the variable that an identifier names.
func (c *File) Lookup(n *syntax.Node) (Variable, bool) {
	vars := c.Variables(c.Function(n))
	for i := len(vars) - 1; i >= 0; i-- {
		if v := vars[i]; v.Name == c.Text(n) && v.Decl.Start <= n.Start && Inside(n, v.Scope) {
			return v, true
		}
	}
	return Variable{}, false
}

// Inside reports whether a node is in a scope; a nil node is in no scope.
func Inside(n, scope *syntax.Node) bool {
	return scope != nil && scope.Start <= n.Start && n.End <= scope.End
}

// Reads reports whether an identifier is read as a value where it is.
func (c *File) Reads(n *syntax.Node) bool {
	p := n.Parent
	if !Is(n, "identifier") || p == nil || n.Field == "name" || n.Field == "function" || n.Field == "attribute" || n.Field == "field" ||
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
	return Up(n, "type_annotation", "template_argument_list") == nil
}

// Local finds a variable of the function by its name alone.
func (c *File) Local(n *syntax.Node, name string) (Variable, bool) {
	for _, v := range c.Variables(c.Function(n)) {
		if v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}

// Binds reports whether a Python statement is the first to give a local name
// its value: without it all that follows fails.
func (c *File) Binds(n *syntax.Node) bool {
	if !c.Python() || !Is(n, "expression_statement") || !Is(n.Items()[0], "assignment") {
		return false
	}
	left := n.Items()[0].Get("left")
	for _, v := range c.Variables(c.Function(n)) {
		if v.Decl.Start >= left.Start && v.Decl.End <= left.End {
			return true
		}
	}
	return false
}
