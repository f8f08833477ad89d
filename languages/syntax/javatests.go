package syntax

import "strings"

// javaTests lists the methods that JUnit 3, 4 and 5 or TestNG run.
func javaTests(f *File) []Test {
	c := index(f)
	modern := usesAnnotations(f)
	var out []Test
	for i := range f.Symbols {
		fn := &f.Symbols[i]
		if fn.Kind != Function || len(fn.Parents) == 0 {
			continue
		}
		class := c.byName[joinDots(fn.Parents)]
		if class == nil || !isJavaTest(fn) && !isTestNG(fn, class) && !c.isJUnit3(fn, class, modern) {
			continue
		}
		out = append(out, c.javaTest(fn, class))
	}
	return out
}

func (c classes) javaTest(fn, class *Symbol) Test {
	name := strings.Join(fn.Parents, "$")
	if c.file.pkg != "" {
		name = c.file.pkg + "." + name
	}
	t := Test{
		ID: name + "::" + fn.Name, Start: fn.Start, End: fn.End,
		Params:   c.casesOf(c.withProviders(fn, class)),
		Abstract: class.abstract,
		method:   fn.Name,
	}
	t.Parametrized = len(t.Params) > 0 || len(fn.refs) > 0 || isTemplate(fn)
	return t
}

// withProviders adds what a test's cases come from by other ways than its own
// annotations: TestNG's data providers have names of their own, and JUnit 4
// parametrizes the class.
func (c classes) withProviders(fn, class *Symbol) *Symbol {
	with := *fn
	for _, m := range c.own[class.qualified()] {
		for _, a := range m.Annotations {
			name := annotationName(a)
			wanted := name == "Parameters"
			for _, ref := range fn.refs {
				wanted = wanted || name == "DataProvider" && strings.Contains(a, `"`+ref+`"`)
			}
			if wanted {
				with.refs = append(with.refs[:len(with.refs):len(with.refs)], m.Name)
			}
		}
	}
	return &with
}

// isJavaTest uses a method's own annotations.
func isJavaTest(fn *Symbol) bool {
	for _, a := range fn.Annotations {
		switch name := annotationName(a); name {
		case "BeforeTest", "AfterTest": // TestNG's fixtures
		case "LargeTest", "MediumTest", "SmallTest", "FlakyTest": // Android's marks next to @Test
		case "TestFactory", "TestTemplate", "Theory", "Property", "Example":
			return true
		default:
			if strings.HasSuffix(name, "Test") {
				return true
			}
		}
	}
	return false
}

// isTemplate recognises the annotations under which one method is many tests.
func isTemplate(fn *Symbol) bool {
	return fn.hasAnnotation("ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "CartesianTest")
}

// isTestNG follows TestNG's rule for classes that are annotated as a whole:
// every public method is a test.
func isTestNG(fn, class *Symbol) bool {
	return class.hasAnnotation("Test") && fn.traits.public && fn.traits.void && !fn.traits.static &&
		!fn.hasAnnotation("BeforeClass", "AfterClass", "BeforeMethod", "AfterMethod", "BeforeTest", "AfterTest",
			"BeforeSuite", "AfterSuite", "BeforeGroups", "AfterGroups", "DataProvider", "Factory")
}

// isJUnit3 follows JUnit 3's rule. Where a class's base is in another file,
// its name decides, and whether the file has annotated tests.
func (c classes) isJUnit3(fn, class *Symbol, modern bool) bool {
	t := fn.traits
	if !strings.HasPrefix(fn.Name, "test") || !t.public || !t.void || t.static || t.arguments > 0 {
		return false
	}
	_, outside := c.ancestors(class)
	for _, base := range outside {
		name := typeName(base)
		if strings.HasSuffix(name, "TestCase") || !modern && strings.Contains(name, "Test") {
			return true
		}
	}
	return false
}

func usesAnnotations(f *File) bool {
	for i := range f.Symbols {
		if f.Symbols[i].Kind == Function && isJavaTest(&f.Symbols[i]) {
			return true
		}
	}
	return false
}
