package syntax

import "strings"

// pythonTests follows pytest's default collection.
func pythonTests(path string, f *File) []Test {
	c := index(f)
	var out []Test
	for _, fn := range c.own[""] {
		if isPythonTest(fn) {
			out = append(out, c.pythonTest(path, fn))
		}
	}
	for i := range f.Symbols {
		class := &f.Symbols[i]
		if class.Kind == Class && c.byName[class.qualified()] == class && c.collected(class) {
			out = append(out, c.methods(path, class)...)
		}
	}
	return out
}

// methods are a class's tests, its own and those it inherits inside the file.
func (c classes) methods(path string, class *Symbol) []Test {
	var out []Test
	taken := map[string]bool{}
	inside, _ := c.ancestors(class)
	for _, from := range inside {
		var here []string
		for _, fn := range c.own[from.qualified()] {
			if taken[fn.Name] {
				continue
			}
			here = append(here, fn.Name)
			if isPythonTest(fn) {
				out = append(out, c.pythonTest(path, fn, class))
			}
		}
		for _, name := range here {
			taken[name] = true
		}
	}
	return out
}

func (c classes) pythonTest(path string, fn *Symbol, class ...*Symbol) Test {
	id := []string{path}
	if len(class) > 0 {
		id = append(append(id, class[0].Parents...), class[0].Name)
	}
	t := Test{ID: strings.Join(append(id, fn.Name), "::"), Start: fn.Start, End: fn.End, Params: c.casesOf(fn, class...)}
	t.Parametrized = len(t.Params) > 0
	for _, a := range fn.Annotations {
		t.numbered = t.numbered || parametrizes(a) && annotationName(a) != "parametrize"
	}
	return t
}

func isPythonTest(fn *Symbol) bool {
	return strings.HasPrefix(fn.Name, "test") && !fn.hasAnnotation("fixture", "property", "overload", "yield_fixture")
}

// collected reports whether pytest looks for tests in a class. Inside a
// TestCase it looks for no classes.
func (c classes) collected(class *Symbol) bool {
	for n := len(class.Parents); n > 0; n-- {
		outer := c.byName[joinDots(class.Parents[:n])]
		if outer == nil || c.isUnittest(outer) || !c.plainTestClass(outer) {
			return false
		}
	}
	if c.switchedOff(class) {
		return false
	}
	return c.isUnittest(class) || c.plainTestClass(class)
}

// plainTestClass is a class named Test* that pytest can make without
// arguments.
func (c classes) plainTestClass(class *Symbol) bool {
	if !strings.HasPrefix(class.Name, "Test") || c.switchedOff(class) {
		return false
	}
	inside, _ := c.ancestors(class)
	for _, a := range inside {
		for _, fn := range c.own[a.qualified()] {
			if fn.Name == "__init__" || fn.Name == "__new__" {
				return false
			}
		}
	}
	return true
}

// switchedOff follows __test__, of which the nearest counts.
func (c classes) switchedOff(class *Symbol) bool {
	inside, _ := c.ancestors(class)
	for _, a := range inside {
		if a.traits.noTest || a.traits.yesTest {
			return a.traits.noTest
		}
	}
	return false
}

// isUnittest reports whether a class is, or seems to be, a unittest.TestCase:
// of bases from other files only the name is known.
func (c classes) isUnittest(class *Symbol) bool {
	_, outside := c.ancestors(class)
	for _, base := range outside {
		name := typeName(base)
		if strings.HasSuffix(name, "TestCase") || !strings.HasPrefix(class.Name, "Test") && strings.Contains(name, "Test") {
			return true
		}
	}
	return false
}
