package syntax

import (
	"strings"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// walkCpp adds the classes and functions of a translation unit to what
// scanTests found.
func walkCpp(s *source, root *tree_sitter.Node) {
	s.cppBlock(root, nil, 0)
	s.file.Symbols = dropInside(s.file.Symbols)
}

// cppBlock looks through a namespace, a class or anything else that may
// contain declarations.
func (s *source) cppBlock(block *tree_sitter.Node, parents []string, depth int) {
	if depth > maxDepth {
		return
	}
	for _, n := range named(block) {
		s.cppDeclaration(&n, &n, parents, depth)
	}
}

// cppDeclaration handles one declaration; whole is the node with its template
// head.
func (s *source) cppDeclaration(n, whole *tree_sitter.Node, parents []string, depth int) {
	if depth > maxDepth {
		return
	}
	switch n.Kind() {
	case "namespace_definition":
		inner := parents
		if name := s.str(n.ChildByFieldName("name")); name != "" {
			inner = with(parents, strings.Split(name, "::")...)
		}
		s.cppBlock(n.ChildByFieldName("body"), inner, depth+1)
	case "template_declaration":
		for _, c := range named(n) {
			s.cppDeclaration(&c, whole, parents, depth+1)
		}
	case "class_specifier", "struct_specifier", "union_specifier":
		s.cppClass(n, whole, parents, depth)
	case "function_definition":
		s.cppFunction(n, whole, parents)
	case "declaration", "field_declaration", "type_definition", "friend_declaration":
		if t := n.ChildByFieldName("type"); t != nil && strings.HasSuffix(t.Kind(), "_specifier") {
			s.cppDeclaration(t, whole, parents, depth+1)
		}
	case "linkage_specification":
		s.cppBlock(n.ChildByFieldName("body"), parents, depth+1)
	case "declaration_list", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef", "ERROR":
		s.cppBlock(n, parents, depth+1)
	}
}

func (s *source) cppClass(n, whole *tree_sitter.Node, parents []string, depth int) {
	body, name := n.ChildByFieldName("body"), n.ChildByFieldName("name")
	if body == nil {
		return // a mere mention
	}
	sym := s.cppSymbol(Class, whole, parents, s.str(name))
	for _, c := range named(n) {
		if c.Kind() != "base_class_clause" {
			continue
		}
		for _, b := range named(&c) {
			if strings.HasSuffix(b.Kind(), "identifier") || b.Kind() == "template_type" {
				sym.Bases = append(sym.Bases, s.str(&b))
			}
		}
	}
	s.addCpp(sym)
	inner := parents
	if sym.Name != "" {
		inner = with(sym.Parents, sym.Name)
	}
	s.cppBlock(body, inner, depth+1)
}

func (s *source) cppFunction(n, whole *tree_sitter.Node, parents []string) {
	d := n.ChildByFieldName("declarator")
	for i := 0; i < maxDepth && d != nil && d.Kind() != "function_declarator"; i++ {
		inner := d.ChildByFieldName("declarator")
		if inner == nil && (d.Kind() == "reference_declarator" || d.Kind() == "parenthesized_declarator") && d.NamedChildCount() > 0 {
			inner = d.NamedChild(0)
		}
		if inner == nil || d.Kind() == "operator_cast" {
			break
		}
		d = inner
	}
	if d == nil {
		return
	}
	if d.Kind() == "function_declarator" {
		s.addCpp(s.cppSymbol(Function, whole, parents, s.str(d.ChildByFieldName("declarator"))))
		return
	}
	// A conversion: its parameters are not declarators of their own.
	if name, _, _ := strings.Cut(s.str(d), "("); strings.Contains(name, "operator") {
		s.addCpp(s.cppSymbol(Function, whole, parents, strings.TrimSpace(name)))
	}
}

// cppSymbol splits a qualified name into parents and name.
func (s *source) cppSymbol(kind SymbolKind, whole *tree_sitter.Node, parents []string, name string) Symbol {
	span := lines(whole)
	for {
		scope, rest, ok := cutScope(name)
		if !ok {
			break
		}
		if scope != "" {
			parents = with(parents, scope)
		}
		name = rest
	}
	return Symbol{Kind: kind, Name: name, Parents: parents, Start: span.Start, End: span.End}
}

// cutScope cuts at the first "::" outside of template arguments.
func cutScope(name string) (scope, rest string, ok bool) {
	if strings.HasPrefix(name, "operator") {
		return "", name, false
	}
	depth := 0
	for i := 0; i+1 < len(name); i++ {
		switch name[i] {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			return "", name, false
		case ':':
			if depth == 0 && name[i+1] == ':' {
				return strings.TrimSpace(name[:i]), strings.TrimSpace(name[i+2:]), true
			}
		}
	}
	return "", name, false
}

// addCpp keeps a symbol unless it is a test macro mistaken for a function.
func (s *source) addCpp(sym Symbol) {
	if _, macro := testMacro(sym.Name, false); !macro || sym.Kind != Function {
		s.file.Symbols = append(s.file.Symbols, sym)
	}
}
