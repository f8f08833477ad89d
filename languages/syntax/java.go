package syntax

import (
	"strings"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// walkJava collects the symbols of a compilation unit.
func walkJava(s *source, root *tree_sitter.Node) {
	for _, n := range named(root) {
		switch n.Kind() {
		case "package_declaration":
			for _, name := range named(&n) {
				if k := name.Kind(); k == "scoped_identifier" || k == "identifier" {
					s.file.pkg = strings.Join(strings.Fields(s.str(&name)), "")
				}
			}
		case "import_declaration":
			s.file.Imports = append(s.file.Imports, lines(&n))
		}
	}
	s.javaBody(root, nil, 0)
}

// javaBody looks through a compilation unit or the body of a type.
func (s *source) javaBody(body *tree_sitter.Node, parents []string, depth int) {
	if depth > maxDepth {
		return
	}
	for _, n := range named(body) {
		switch n.Kind() {
		case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
			s.javaType(&n, parents, depth)
		case "method_declaration", "constructor_declaration", "compact_constructor_declaration":
			s.javaMethod(&n, parents)
		case "field_declaration":
			s.javaField(&n, parents)
		case "enum_body_declarations", "ERROR":
			s.javaBody(&n, parents, depth+1)
		}
	}
}

func (s *source) javaType(n *tree_sitter.Node, parents []string, depth int) {
	sym := s.javaSymbol(n, Class, parents)
	sym.abstract = sym.abstract || n.Kind() == "interface_declaration"
	for _, c := range named(n) {
		switch c.Kind() {
		case "superclass", "super_interfaces", "extends_interfaces":
			sym.Bases = append(sym.Bases, s.javaBases(&c)...)
		}
	}
	s.file.Symbols = append(s.file.Symbols, sym)
	if body := n.ChildByFieldName("body"); body != nil && sym.Name != "" {
		s.javaBody(body, with(parents, sym.Name), depth+1)
	}
}

func (s *source) javaBases(n *tree_sitter.Node) []string {
	var out []string
	for _, c := range named(n) {
		switch {
		case c.Kind() == "type_list":
			out = append(out, s.javaBases(&c)...)
		case !c.IsExtra():
			out = append(out, s.str(&c))
		}
	}
	return out
}

func (s *source) javaMethod(n *tree_sitter.Node, parents []string) {
	sym := s.javaSymbol(n, Function, parents)
	if t := n.ChildByFieldName("type"); t != nil {
		sym.traits.void = t.Kind() == "void_type"
	}
	for _, p := range named(n.ChildByFieldName("parameters")) {
		if k := p.Kind(); k == "formal_parameter" || k == "spread_parameter" {
			sym.traits.arguments++
		}
	}
	s.file.Symbols = append(s.file.Symbols, sym)
}

// javaField notes where a constant is, for @FieldSource.
func (s *source) javaField(n *tree_sitter.Node, parents []string) {
	for _, d := range named(n) {
		if d.Kind() == "variable_declarator" {
			key := strings.Join(with(parents, s.str(d.ChildByFieldName("name"))), ".")
			s.file.values[key] = append(s.file.values[key], lines(n))
		}
	}
}

// javaSymbol reads what all declarations have: name, lines, modifiers.
func (s *source) javaSymbol(n *tree_sitter.Node, kind SymbolKind, parents []string) Symbol {
	span := lines(n)
	sym := Symbol{Kind: kind, Name: s.str(n.ChildByFieldName("name")), Parents: parents, Start: span.Start, End: span.End}
	cursor := n.Walk()
	defer cursor.Close()
	definition := 0
	for _, c := range n.Children(cursor) {
		if c.Kind() == "modifiers" {
			definition = s.modifiers(&sym, &c)
			if definition > 0 {
				break
			}
			continue
		}
		if !c.IsExtra() {
			definition = lines(&c).Start
			break
		}
	}
	// An annotation in the definition's own line is not a head.
	if sym.HeadEnd = min(sym.HeadEnd, definition-1); sym.HeadEnd < sym.Start {
		sym.HeadEnd = 0
	}
	return sym
}

// modifiers reads annotations and keywords; it returns the line of the first
// keyword, 0 where there is none.
func (s *source) modifiers(sym *Symbol, n *tree_sitter.Node) (keyword int) {
	cursor := n.Walk()
	defer cursor.Close()
	for _, m := range n.Children(cursor) {
		switch m.Kind() {
		case "marker_annotation", "annotation":
			s.annotation(sym, &m)
			continue
		case "public":
			sym.traits.public = true
		case "static":
			sym.traits.static = true
		case "abstract":
			sym.abstract = true
		}
		if keyword == 0 && !m.IsExtra() {
			keyword = lines(&m).Start
		}
	}
	return keyword
}

func (s *source) annotation(sym *Symbol, n *tree_sitter.Node) {
	text := s.str(n)
	sym.Annotations = append(sym.Annotations, text)
	sym.HeadEnd = lines(n).End
	source := isCaseSource(text)
	if source && s.alone(n) {
		sym.params = append(sym.params, lines(n))
	}
	if source || strings.Contains(text, "dataProvider") {
		sym.refs = append(sym.refs, sourceNames(sym.Name, text)...)
	}
}

// isCaseSource recognises JUnit's annotations that list a test's cases:
// @ValueSource, @CsvSource, @MethodSource, @EnumSources and the like.
func isCaseSource(text string) bool {
	name := annotationName(text)
	return strings.HasSuffix(name, "Source") || strings.HasSuffix(name, "Sources")
}

// sourceNames are the methods or fields that an annotation names; JUnit takes
// the test's own name where it names none.
func sourceNames(test, text string) []string {
	name := annotationName(text)
	if name != "MethodSource" && name != "FieldSource" && name != "Test" {
		return nil
	}
	var out []string
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 || part == "" {
			continue
		}
		part, _, _ = strings.Cut(part[strings.LastIndexByte(part, '#')+1:], "(")
		out = append(out, part)
	}
	if len(out) == 0 {
		out = append(out, test)
	}
	return out
}
