package syntax

import "sort"

// Test is a test that a file declares.
type Test struct {
	// ID is canonical and without parameters: path::Class::name for Python,
	// package.Class$Nested::name for Java, Suite.Name for GoogleTest, case
	// and case/section for Catch2 and doctest, without outer blanks. Several
	// tests of a file may share one: overloads, redefinitions, branches.
	ID         string
	Start, End int // lines, decorators and annotations included
	// Params are lines that hold only parameter cases: decorators or
	// annotations of the test or its class, and, outside of Start and End,
	// the constant, the provider method or the instantiation that they name,
	// as far as it is in the same file.
	Params       []Range
	Parametrized bool
	// Abstract tests are in abstract classes or interfaces (Java): they run
	// under the ids of classes that inherit them.
	Abstract bool

	family   string // C++: the case's name, where the runner appends a type to it
	typed    bool   // GoogleTest: the runner appends a type to the suite
	numbered bool   // Python: the runner appends numbers to the name
	method   string // Java: the name, for Abstract
}

// Tests lists the tests that a file declares, in order of their lines. path is
// the file's path in the repository, as a runner names it.
//
//   - Python: pytest's defaults (python_functions = test*, python_classes =
//     Test*, unittest.TestCase by any name), with tests inherited inside the
//     file. A class with a base from elsewhere whose name mentions tests is
//     treated as a TestCase.
//   - Java: JUnit 3 to 5 and TestNG, and annotations of their kin that end in
//     Test.
//   - C++: see testMacro.
func Tests(language, path string, f *File) []Test {
	var tests []Test
	switch language {
	case languagePython:
		tests = pythonTests(path, f)
	case languageJava:
		tests = javaTests(f)
	case languageCpp:
		tests = cppTests(f)
	}
	sort.SliceStable(tests, func(i, j int) bool {
		a, b := tests[i], tests[j]
		switch {
		case a.Start != b.Start:
			return a.Start < b.Start
		case a.End != b.End:
			return a.End > b.End
		}
		return a.ID < b.ID
	})
	return tests
}

// classes indexes a file's classes.
type classes struct {
	file   *File
	byName map[string]*Symbol   // by qualified name; the last one counts
	own    map[string][]*Symbol // functions by qualified name of the class, "" for the file
}

func index(f *File) classes {
	c := classes{file: f, byName: map[string]*Symbol{}, own: map[string][]*Symbol{}}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		switch s.Kind {
		case Class:
			c.byName[s.qualified()] = s
		case Function:
			key := joinDots(s.Parents)
			c.own[key] = append(c.own[key], s)
		}
	}
	return c
}

// maxAncestors bounds the walk through a class's bases.
const maxAncestors = 50

// ancestors are a class and its bases inside the file, nearest first, and the
// names of bases that are not in the file.
func (c classes) ancestors(class *Symbol) (inside []*Symbol, outside []string) {
	inside = []*Symbol{class}
	for i := 0; i < len(inside) && len(inside) < maxAncestors; i++ {
		for _, base := range inside[i].Bases {
			known := c.resolve(base, inside[i])
			switch {
			case known == nil:
				outside = append(outside, base)
			case !contains(inside, known):
				inside = append(inside, known)
			}
		}
	}
	return inside, outside
}

// resolve finds a base as its class sees it: next to it, or further out.
func (c classes) resolve(base string, from *Symbol) *Symbol {
	name := typePath(base)
	for n := len(from.Parents); n >= 0; n-- {
		if s := c.byName[joinDots(with(from.Parents[:n], name))]; s != nil && s != from {
			return s
		}
	}
	return nil
}

func contains(list []*Symbol, s *Symbol) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
