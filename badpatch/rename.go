package badpatch

import (
	"slices"
	"strings"

	"assay/languages/syntax"
)

// renameLocals gives the local variables that gold's lines speak of other
// names. Where a name may mean something else as well it stays. Parameters of
// Python, which callers may name, are taken over by new variables.
func renameLocals(d draft) []edit {
	var out []edit
	for _, fn := range d.functions() {
		if d.reflective(fn) {
			continue
		}
		done := map[string]bool{}
		for _, v := range d.variables(fn) {
			key := v.name
			if !d.python() {
				key += "@" + d.text(v.scope)
			}
			if done[key] {
				continue
			}
			done[key] = true
			uses, ok := d.uses(fn, v)
			if !ok || !slices.ContainsFunc(uses, d.on) {
				continue
			}
			out = append(out, d.renamed(fn, v, uses)...)
		}
	}
	return dropOverlaps(out)
}

// dropOverlaps gives up where two renamings meet: a nested scope would get two
// names.
func dropOverlaps(edits []edit) []edit {
	kept := outermost(edits)
	if len(kept) == len(edits) {
		return kept
	}
	return nil
}

func (d draft) renamed(fn *syntax.Node, v variable, uses []*syntax.Node) []edit {
	name := d.fresh.take()
	var out []edit
	body := fn.Get("body")
	alias := d.python() && v.param
	if alias && len(body.Items()) == 0 {
		return nil
	}
	for _, use := range uses {
		if !alias || inside(use, body) {
			out = append(out, edit{use.Start, use.End, name})
		}
	}
	if alias {
		items := body.Items()
		first := items[0]
		if is(first, "expression_statement") && is(first.Items()[0], "string") && len(items) > 1 {
			first = items[1]
		}
		out = append(out, d.before(first, name+" = "+v.name))
	}
	return out
}

// reflective reports whether a function looks at its own names.
func (d draft) reflective(fn *syntax.Node) bool {
	text := d.text(fn)
	for _, word := range []string{"locals(", "vars(", "eval(", "exec(", "dir(", "globals(", "=}"} {
		if d.python() && strings.Contains(text, word) {
			return true
		}
	}
	return broken(fn)
}

// uses are all places where a variable is named. It fails where one may mean
// something else.
func (d draft) uses(fn *syntax.Node, v variable) ([]*syntax.Node, bool) {
	var out []*syntax.Node
	ok := true
	v.scope.Walk(func(n *syntax.Node) bool {
		if d.text(n) == v.name {
			switch {
			case is(n, "type_identifier", "namespace_identifier", "preproc_arg", "statement_identifier"):
				ok = false
			case is(n, "identifier") && d.mine(n):
				out = append(out, n)
				ok = ok && (d.python() || n.Start >= v.decl.Start) && !d.foreign(n, fn)
			}
		}
		if is(n, "preproc_arg", "preproc_directive") && strings.Contains(d.text(n), v.name) {
			ok = false
		}
		return ok
	})
	if !d.python() && d.redeclared(v) {
		return nil, false
	}
	return out, ok && len(out) > 0
}

// mine tells a variable's name from those that only look like it: members,
// keywords of calls, methods.
func (d draft) mine(n *syntax.Node) bool {
	switch n.Parent.Kind {
	case "attribute":
		return n.Field != "attribute"
	case "keyword_argument", "method_invocation", "method_declaration", "element_value_pair":
		return n.Field != "name"
	case "field_access":
		return n.Field != "field"
	case "method_reference":
		return n.Parent.Items()[0] == n
	case "labeled_statement", "break_statement", "continue_statement", "marker_annotation", "annotation":
		return false
	}
	return true
}

// foreign reports whether a name stands where another scope may own it.
func (d draft) foreign(n, fn *syntax.Node) bool {
	for at := n.Parent; at != nil && at != fn; at = at.Parent {
		switch at.Kind {
		case "global_statement", "nonlocal_statement", "class_definition", "class_body", "switch_label", "scoped_identifier",
			"qualified_identifier", "import_statement", "import_from_statement", "case_pattern", "preproc_if", "preproc_ifdef",
			"struct_specifier", "class_specifier", "lambda_capture_initializer", "structured_binding_declarator":
			return true
		case "function_definition", "lambda":
			for _, p := range d.inner(at) {
				if d.text(p) == d.text(n) {
					return true
				}
			}
		}
	}
	return false
}

// inner are the names that a nested function of Python binds.
func (d draft) inner(fn *syntax.Node) []*syntax.Node {
	out := find(fn.Get("parameters"), "identifier")
	if !d.isFunction(fn) {
		return out
	}
	for _, v := range d.variables(fn) {
		out = append(out, v.decl)
	}
	return append(out, fn.Get("name"))
}

// redeclared reports whether a variable's scope holds another declaration of
// the name.
func (d draft) redeclared(v variable) bool {
	for _, o := range d.variables(d.function(v.decl)) {
		if o.name == v.name && o.decl != v.decl && inside(o.decl, v.scope) {
			return true
		}
	}
	return false
}

// renameNew gives the functions, constants and fields that gold brings other
// names, as far as neither base nor the hidden tests know the name and gold
// itself uses it.
func renameNew(d draft) []edit {
	var out []edit
	names := d.subject.newNames()
	for _, f := range d.subject.files {
		if f.gold != nil && f != d.view.file {
			names = keepUnknown(names, string(f.after))
		}
	}
	for _, name := range names {
		nodes := d.spelt(name)
		if len(nodes) < 2 || strings.Count(string(d.src), name) != len(nodes) {
			continue // known by no other way than its name
		}
		to := d.fresh.take()
		for _, n := range nodes {
			out = append(out, edit{n.Start, n.End, to})
		}
	}
	return out
}

// spelt lists the nodes that are a name.
func (d draft) spelt(name string) []*syntax.Node {
	var out []*syntax.Node
	for _, n := range find(d.root, "identifier", "field_identifier") {
		if d.text(n) == name {
			out = append(out, n)
		}
	}
	return out
}

func keepUnknown(names []string, text string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return strings.Contains(text, n) })
}

// newNames are the names that gold's files define and nothing else mentions.
func (s *Subject) newNames() []string {
	var out []string
	for _, f := range s.files {
		if f.gold == nil {
			continue
		}
		for _, name := range f.gold.defined() {
			if len(name) > 3 && !strings.HasSuffix(name, "__") && !slices.Contains(out, name) && !strings.Contains(s.testPatch, name) {
				out = append(out, name)
			}
		}
	}
	for _, f := range s.files {
		out = keepUnknown(out, string(f.before))
	}
	return out
}

// defined are the names of functions, constants and fields of a file. What may
// override a name of elsewhere is left out.
func (c *code) defined() []string {
	var out []string
	c.root.Walk(func(n *syntax.Node) bool {
		switch {
		case c.isFunction(n) && !is(n, "constructor_declaration"):
			head := c.text(n)[:n.Get("body").Start-n.Start]
			if !strings.Contains(head, "@Override") && !strings.Contains(head, "override") && !strings.Contains(head, "virtual") &&
				(!c.java() || strings.Contains(head, "private") || strings.Contains(head, "static")) {
				out = append(out, c.name(n))
			}
		case is(n, "field_declaration") && (!c.java() || strings.Contains(c.text(n), "private")):
			for _, d := range n.Children {
				if is(d, "variable_declarator") {
					out = append(out, c.text(d.Get("name")))
				} else if id := declarator(d); d.Field == "declarator" && id != nil {
					out = append(out, c.text(id))
				}
			}
		case c.python() && is(n, "assignment") && c.function(n) == nil && is(n.Get("left"), "identifier"):
			out = append(out, c.text(n.Get("left")))
		}
		return true
	})
	return out
}
