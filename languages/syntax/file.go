package syntax

import (
	"fmt"
	"sort"
	"unsafe"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

// The languages that Parse knows.
const (
	languagePython = "python"
	languageJava   = "java"
	languageCpp    = "cpp"
)

// maxSource bounds a file's size in bytes: larger ones are generated, and
// would cost minutes and gigabytes.
const maxSource = 16 << 20

// SymbolKind is what a symbol is.
type SymbolKind string

// The kinds. TestCase and Section are C++'s test macros; tests of Python and
// Java are functions.
const (
	Class    SymbolKind = "class"
	Function SymbolKind = "function"
	TestCase SymbolKind = "test_case"
	Section  SymbolKind = "section"
)

// Range is a span of lines, counted from 1, both ends included.
type Range struct{ Start, End int }

// File is the structure of one source file.
type File struct {
	// Symbols are in order of their lines, outer ones first. What is
	// declared inside a function's body belongs to the function.
	Symbols []Symbol
	// Errors counts the tree's ERROR and MISSING nodes. It is not zero for
	// valid C++ with macros of its own: compare two versions of a file by it.
	Errors int
	// Imports are the top-level import or include statements.
	Imports []Range

	pkg     string             // Java's package
	plain   []Range            // C++: imports outside of preprocessor conditions other than include guards
	doctest bool               // C++: doctest's headers, not Catch2's
	values  map[string][]Range // where parameter cases are, by name (see cases.go)
}

// Symbol is a class, a function or a test macro.
type Symbol struct {
	Kind    SymbolKind
	Name    string
	Parents []string // enclosing classes, for C++ namespaces too; for a Section the case and sections around it
	Start   int      // first line, decorators and annotations included
	End     int      // last line
	// HeadEnd is the last line of decorators or annotations above the
	// definition; 0 where there is none or none has lines of its own.
	HeadEnd int
	Bases   []string // of a class, as written
	// Annotations are decorators and annotations as written, with "@" and
	// arguments; for a TestCase or Section the macro's name.
	Annotations []string
	// Suite is the GoogleTest suite of a TestCase.
	Suite string

	params   []Range  // annotations that hold only parameter cases
	refs     []string // names that these refer to
	abstract bool     // an abstract class or an interface
	traits   traits
}

// traits are facts about a symbol that decide whether it is a test.
type traits struct {
	noTest    bool // Python: __test__ = False
	yesTest   bool // Python: __test__ = True
	public    bool // Java
	static    bool // Java
	void      bool // Java
	arguments int  // Java: number of formal parameters
	templated bool // C++: one case per type
}

// Parse reads a file's structure. language is python, java or cpp. Damaged
// source gives what can be read, and Errors above zero. It fails for other
// languages and for sources over 16 MiB.
func Parse(language string, src []byte) (*File, error) {
	if len(src) > maxSource {
		return nil, tooLarge(language, len(src))
	}
	file := &File{values: map[string][]Range{}}
	var walk func(*source, *tree_sitter.Node)
	switch language {
	case languagePython:
		walk = walkPython
	case languageJava:
		walk = walkJava
	case languageCpp:
		walk = walkCpp
	}
	if walk == nil {
		return nil, fmt.Errorf("parsing: language %q is not known", language)
	}
	parser := tree_sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(tree_sitter.NewLanguage(grammar(language))); err != nil {
		return nil, fmt.Errorf("parsing %s: %w", language, err)
	}
	if language == languageCpp {
		src = scanTests(src, file)
	}
	tree := parser.Parse(src, nil)
	if tree == nil {
		return nil, fmt.Errorf("parsing %s: the parser gave up", language)
	}
	defer tree.Close()
	root := tree.RootNode()
	file.Errors = countErrors(root)
	walk(&source{text: src, file: file}, root)
	sortSymbols(file.Symbols)
	return file, nil
}

func tooLarge(language string, size int) error {
	return fmt.Errorf("parsing %s: %d bytes are more than %d", language, size, maxSource)
}

func grammar(language string) unsafe.Pointer {
	switch language {
	case languagePython:
		return python.Language()
	case languageJava:
		return java.Language()
	}
	return cpp.Language()
}

func sortSymbols(s []Symbol) {
	sort.SliceStable(s, func(i, j int) bool {
		if s[i].Start != s[j].Start {
			return s[i].Start < s[j].Start
		}
		return s[i].End > s[j].End
	})
}

// HeadImports is the last line of the imports before the first symbol; 0 where
// there are none. In C++ those count that are in no preprocessor condition, or in
// the fewest.
func (f *File) HeadImports() int {
	list := f.Imports
	if f.plain != nil {
		list = f.plain
	}
	last := 0
	for _, r := range list {
		if len(f.Symbols) == 0 || r.End < f.Symbols[0].Start {
			last = max(last, r.End)
		}
	}
	return last
}
