package syntax

import (
	"strings"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// walkPython collects the symbols of a module.
func walkPython(s *source, root *tree_sitter.Node) {
	for _, n := range named(root) {
		switch n.Kind() {
		case "import_statement", "import_from_statement", "future_import_statement":
			s.file.Imports = append(s.file.Imports, lines(&n))
		}
	}
	s.pythonBlock(root, nil, 0)
}

// pythonBlock looks through a module, a class or a compound statement in one
// of them. It returns what the block says about __test__.
func (s *source) pythonBlock(block *tree_sitter.Node, parents []string, depth int) traits {
	var t traits
	if depth > maxDepth {
		return t
	}
	for _, n := range named(block) {
		switch n.Kind() {
		case "decorated_definition", "class_definition", "function_definition":
			s.pythonDefinition(&n, parents, depth)
		case "expression_statement":
			t = s.pythonAssignment(&n, parents, t)
		case "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "except_group_clause",
			"finally_clause", "with_statement", "for_statement", "while_statement", "block", "ERROR":
			s.pythonBlock(&n, parents, depth+1)
		}
	}
	return t
}

func (s *source) pythonDefinition(n *tree_sitter.Node, parents []string, depth int) {
	def := n
	sym := Symbol{Parents: parents}
	if n.Kind() == "decorated_definition" {
		def = n.ChildByFieldName("definition")
		for _, d := range named(n) {
			if d.Kind() == "decorator" {
				s.decorator(&sym, &d)
			}
		}
	}
	if def == nil {
		return
	}
	sym.Name = s.str(def.ChildByFieldName("name"))
	span := lines(n)
	sym.Start, sym.End = span.Start, span.End
	body := def.ChildByFieldName("body")
	at := len(s.file.Symbols)
	if def.Kind() == "function_definition" {
		sym.Kind = Function
		s.file.Symbols = append(s.file.Symbols, sym)
		return
	}
	sym.Kind = Class
	sym.Bases = s.pythonBases(def.ChildByFieldName("superclasses"))
	s.file.Symbols = append(s.file.Symbols, sym)
	if body != nil {
		s.file.Symbols[at].traits = s.pythonBlock(body, with(parents, sym.Name), depth+1)
	}
}

func (s *source) decorator(sym *Symbol, d *tree_sitter.Node) {
	text := s.str(d)
	sym.Annotations = append(sym.Annotations, text)
	sym.HeadEnd = lines(d).End
	if !parametrizes(text) {
		return
	}
	sym.params = append(sym.params, lines(d))
	descend(d, func(n *tree_sitter.Node) bool {
		if n.Kind() == "identifier" {
			sym.refs = append(sym.refs, s.str(n))
		}
		return n.Kind() != "string"
	})
}

// parametrizes recognises the decorators that list cases: those of pytest, of
// the package parameterized, of absl.testing.parameterized and of ddt.
func parametrizes(decorator string) bool {
	qualified := annotationPath(decorator)
	owner, name := "", qualified
	if i := strings.LastIndexByte(qualified, '.'); i >= 0 {
		owner, name = qualified[:i], qualified[i+1:]
	}
	switch name {
	case "parametrize":
		return true
	case "expand":
		return strings.HasSuffix(owner, "parameterized")
	case "parameters", "named_parameters", "product", "parameterized_class":
		return strings.HasSuffix(owner, "parameterized") || name == "parameterized_class"
	case "data", "file_data", "idata", "named_data":
		return owner == "" || owner == "ddt"
	}
	return false
}

// pythonBases lists a class's bases without keywords such as metaclass.
func (s *source) pythonBases(list *tree_sitter.Node) []string {
	var out []string
	for _, b := range named(list) {
		switch b.Kind() {
		case "keyword_argument", "comment", "list_splat", "dictionary_splat":
		case "subscript":
			out = append(out, s.str(b.ChildByFieldName("value")))
		default:
			out = append(out, s.str(&b))
		}
	}
	return out
}

// pythonAssignment notes where a name gets its value, for parameter lists
// that are outside of decorators, and the value of __test__.
func (s *source) pythonAssignment(n *tree_sitter.Node, parents []string, t traits) traits {
	for _, a := range named(n) {
		if a.Kind() != "assignment" && a.Kind() != "augmented_assignment" {
			continue
		}
		name := s.str(a.ChildByFieldName("left"))
		if name == "__test__" {
			value := s.str(a.ChildByFieldName("right"))
			t.noTest, t.yesTest = value == "False", value == "True"
			continue
		}
		key := strings.Join(with(parents, name), ".")
		s.file.values[key] = append(s.file.values[key], lines(n))
	}
	return t
}
