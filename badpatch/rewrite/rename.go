package rewrite

import (
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// renameLocals gives the local variables that gold's lines use other names.
// Where a name may mean something else as well it stays. Parameters of
// Python, which callers may name, are copied by new variables.
func renameLocals(d draft) []code.Edit {
	var out []code.Edit
	for _, fn := range d.functions() {
		if d.reflective(fn) {
			continue
		}
		done := map[string]bool{}
		for _, v := range d.Variables(fn) {
			key := v.Name
			if !d.Python() {
				key += "@" + d.Text(v.Scope)
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

// dropOverlaps gives up where two renamings overlap: a nested scope would get
// two names.
func dropOverlaps(edits []code.Edit) []code.Edit {
	kept := outermost(edits)
	if len(kept) == len(edits) {
		return kept
	}
	return nil
}

func (d draft) renamed(fn *syntax.Node, v code.Variable, uses []*syntax.Node) []code.Edit {
	name := d.fresh.take()
	var out []code.Edit
	body := fn.Get("body")
	alias := d.Python() && v.Param
	if alias && len(body.Items()) == 0 {
		return nil
	}
	for _, use := range uses {
		if !alias || code.Inside(use, body) {
			out = append(out, code.Edit{Start: use.Start, End: use.End, Text: name})
		}
	}
	if alias {
		items := body.Items()
		first := items[0]
		if code.Is(first, "expression_statement") && code.Is(first.Items()[0], "string") && len(items) > 1 {
			first = items[1]
		}
		out = append(out, d.InsertBefore(first, name+" = "+v.Name))
	}
	return out
}

// reflective reports whether a function looks at its own names.
func (d draft) reflective(fn *syntax.Node) bool {
	text := d.Text(fn)
	for _, word := range []string{"locals(", "vars(", "eval(", "exec(", "dir(", "globals(", "=}"} {
		if d.Python() && strings.Contains(text, word) {
			return true
		}
	}
	return code.Broken(fn)
}

// uses are all places where a variable is named. It fails where one may mean
// something else.
func (d draft) uses(fn *syntax.Node, v code.Variable) ([]*syntax.Node, bool) {
	var out []*syntax.Node
	ok := true
	v.Scope.Walk(func(n *syntax.Node) bool {
		if d.Text(n) == v.Name {
			switch {
			case code.Is(n, "type_identifier", "namespace_identifier", "preproc_arg", "statement_identifier"):
				ok = false
			case code.Is(n, "identifier") && d.mine(n):
				out = append(out, n)
				ok = ok && (d.Python() || n.Start >= v.Decl.Start) && !d.foreign(n, fn)
			}
		}
		if code.Is(n, "preproc_arg", "preproc_directive") && strings.Contains(d.Text(n), v.Name) {
			ok = false
		}
		return ok
	})
	if !d.Python() && d.redeclared(v) {
		return nil, false
	}
	return out, ok && len(out) > 0
}

// mine distinguishes a variable's name from those that only look like it:
// members, keywords of calls, methods.
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

// foreign reports whether a name is where another scope may own it.
func (d draft) foreign(n, fn *syntax.Node) bool {
	for at := n.Parent; at != nil && at != fn; at = at.Parent {
		switch at.Kind {
		case "global_statement", "nonlocal_statement", "class_definition", "class_body", "switch_label", "scoped_identifier",
			"qualified_identifier", "import_statement", "import_from_statement", "case_pattern", "preproc_if", "preproc_ifdef",
			"struct_specifier", "class_specifier", "lambda_capture_initializer", "structured_binding_declarator":
			return true
		case "function_definition", "lambda":
			for _, p := range d.inner(at) {
				if d.Text(p) == d.Text(n) {
					return true
				}
			}
		}
	}
	return false
}

// inner are the names that a nested function of Python binds.
func (d draft) inner(fn *syntax.Node) []*syntax.Node {
	out := code.Find(fn.Get("parameters"), "identifier")
	if !d.IsFunction(fn) {
		return out
	}
	for _, v := range d.Variables(fn) {
		out = append(out, v.Decl)
	}
	return append(out, fn.Get("name"))
}

// redeclared reports whether a variable's scope holds another declaration of
// the name.
func (d draft) redeclared(v code.Variable) bool {
	for _, o := range d.Variables(d.Function(v.Decl)) {
		if o.Name == v.Name && o.Decl != v.Decl && code.Inside(o.Decl, v.Scope) {
			return true
		}
	}
	return false
}

// renameNew gives the functions, constants and fields that gold adds other
// names, as far as neither base nor the hidden tests know the name and gold
// itself uses it.
func renameNew(d draft) []code.Edit {
	var out []code.Edit
	names := newNames(d.subject)
	for _, f := range d.subject.Files {
		if f.Gold != nil && f != d.view.File {
			names = keepUnknown(names, string(f.After))
		}
	}
	for _, name := range names {
		nodes := d.spelt(name)
		if len(nodes) < 2 || strings.Count(string(d.Src), name) != len(nodes) {
			continue // known by no other way than its name
		}
		to := d.fresh.take()
		for _, n := range nodes {
			out = append(out, code.Edit{Start: n.Start, End: n.End, Text: to})
		}
	}
	return out
}

// spelt lists the nodes that are a name.
func (d draft) spelt(name string) []*syntax.Node {
	var out []*syntax.Node
	for _, n := range code.Find(d.Root, "identifier", "field_identifier") {
		if d.Text(n) == name {
			out = append(out, n)
		}
	}
	return out
}

func keepUnknown(names []string, text string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return strings.Contains(text, n) })
}

// newNames are the names that gold's files define and nothing else mentions.
func newNames(s *badpatch.Subject) []string {
	var out []string
	for _, f := range s.Files {
		if f.Gold == nil {
			continue
		}
		for _, name := range defined(f.Gold) {
			if len(name) > 3 && !strings.HasSuffix(name, "__") && !slices.Contains(out, name) && !strings.Contains(s.TestPatch, name) {
				out = append(out, name)
			}
		}
	}
	for _, f := range s.Files {
		out = keepUnknown(out, string(f.Before))
	}
	return out
}

// defined are the names of functions, constants and fields of a file. What may
// override a name of elsewhere is left out.
func defined(c *code.File) []string {
	var out []string
	c.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case c.IsFunction(n) && !code.Is(n, "constructor_declaration"):
			head := c.Text(n)[:n.Get("body").Start-n.Start]
			if !strings.Contains(head, "@Override") && !strings.Contains(head, "override") && !strings.Contains(head, "virtual") &&
				(!c.Java() || strings.Contains(head, "private") || strings.Contains(head, "static")) {
				out = append(out, c.Name(n))
			}
		case code.Is(n, "field_declaration") && (!c.Java() || strings.Contains(c.Text(n), "private")):
			for _, d := range n.Children {
				if code.Is(d, "variable_declarator") {
					out = append(out, c.Text(d.Get("name")))
				} else if id := code.DeclaredName(d); d.Field == "declarator" && id != nil {
					out = append(out, c.Text(id))
				}
			}
		case c.Python() && code.Is(n, "assignment") && c.Function(n) == nil && code.Is(n.Get("left"), "identifier"):
			out = append(out, c.Text(n.Get("left")))
		}
		return true
	})
	return out
}
