package code

import "assay/languages/syntax"

// ScopeAt is the function or declaration that a line belongs to.
func (c *File) ScopeAt(line int) *syntax.Node {
	at, fn := c.Root, (*syntax.Node)(nil)
	for {
		var next *syntax.Node
		for _, child := range at.Children {
			if child.Named && child.Line <= line && line <= c.EndLine(child) && !child.Comment() {
				next = child
				break
			}
		}
		if next == nil {
			if fn != nil || at == c.Root || c.container(at) {
				return fn
			}
			return at
		}
		at = next
		if c.IsFunction(at) {
			fn = at
		}
		if fn == nil && !c.container(at) {
			return at
		}
	}
}

// container recognises what contains declarations without being one.
func (c *File) container(n *syntax.Node) bool {
	return c.IsClass(n) || Is(n, "module", "program", "translation_unit", "class_body", "field_declaration_list", "declaration_list",
		"namespace_definition", "template_declaration", "decorated_definition", "enum_body", "enum_body_declarations", "interface_body",
		"linkage_specification", "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "ERROR") ||
		Is(n, "block") && Is(n.Parent, "class_definition", "if_statement", "try_statement", "else_clause") && c.Function(n) == nil ||
		c.Python() && Is(n, "if_statement", "try_statement", "else_clause", "except_clause") && c.Function(n) == nil ||
		Is(n, "declaration", "field_declaration") && Is(n.Get("type"), "class_specifier", "struct_specifier")
}

// StatementAt is the innermost statement that begins at a line or goes over it;
// nil where there is none.
func (c *File) StatementAt(line int) *syntax.Node {
	start := c.Starts[line-1]
	for start < len(c.Src) && (c.Src[start] == ' ' || c.Src[start] == '\t') {
		start++
	}
	at := c.Root
	for {
		next := (*syntax.Node)(nil)
		for _, child := range at.Children {
			if child.Start <= start && start < child.End {
				next = child
				break
			}
		}
		if next == nil {
			return c.Statement(at)
		}
		at = next
	}
}
