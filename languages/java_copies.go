package languages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
	"assay/languages/syntax"
)

// javaCopies are test files with copies of some of their tests in them, each
// with assertions at its end that must fail. Code under test that has the
// runner forget the failures of the tests which call it has the copies pass,
// too. They are methods of the tests' own classes, so that nothing but a name
// distinguishes them.
type javaCopies struct {
	dir   string // where the run takes the files with copies from
	files []javaCopied
}

// javaCopied is one test file.
type javaCopied struct {
	file   string // its path in the repository
	module string // the folder of the module that compiles it
	text   string // with the copies
	copies []NonceCopy
}

// ordered are words of test classes whose tests are made for an order, or stop
// others when they fail: copies might change what the others do.
var ordered = regexp.MustCompile(`\b(?:TestMethodOrder|FixMethodOrder|PER_CLASS|dependsOn\w*|priority|Stepwise)\b`)

// javaCopiesOf chooses among the tests that decide; nil where none of them can
// be copied. The draw is the same in all runs, as what gold's copies show
// excuses others. A run of some tests alone has none: it only adds to a run
// that had.
func javaCopiesOf(suite Suite, module func(file string) string) *javaCopies {
	if len(suite.Decisive) == 0 || len(suite.Select) > 0 || suite.Bare {
		return nil
	}
	sources := map[string]*javaSource{}
	byID := map[string]javaTest{}
	for _, f := range intersection(suite.Files, suite.Changed) {
		if path.Ext(f) == ".java" && javaClass(suite.Repo, f) != "" {
			s := readJavaSource(f, suite.Repo.Text(f))
			sources[f] = s
			for _, t := range s.tests {
				byID[t.id] = t
			}
		}
	}
	chosen := map[string][]javaTest{}
	for _, id := range drawn(decidingJava(byID, suite.Decisive), suite.Fresh, mostCopies) {
		t := byID[id]
		chosen[t.file] = append(chosen[t.file], t)
	}
	out, inFiles := &javaCopies{dir: suite.dir() + "/copies"}, takenIn(suite)
	// A copy must not override one that its class inherits from another file: with
	// other modifiers that would not compile.
	given := map[string]bool{}
	taken := func(name string) bool { return given[name] || inFiles(name) }
	for _, f := range sortedKeys(chosen) {
		c := javaCopied{file: f, module: module(f)}
		c.text, c.copies = sources[f].with(chosen[f], newJavaNames(suite, f), taken)
		for _, copied := range c.copies {
			given[copied.ID[strings.LastIndex(copied.ID, "::")+2:]] = true
		}
		out.files = append(out.files, c)
	}
	if len(out.files) == 0 {
		return nil
	}
	return out
}

// decidingJava are the tests that published ids name, sorted.
func decidingJava(tests map[string]javaTest, published []string) []string {
	set := map[string]bool{}
	find := javaLanguage{}.Finder(sortedKeys(tests))
	for _, p := range published {
		for _, id := range find(p) {
			set[id] = true
		}
	}
	return sortedKeys(set)
}

// javaSource is a test file whose tests can be copied.
type javaSource struct {
	text    string
	tests   []javaTest
	highest int32 // hash of a method's name
}

// javaTest is a test that can be copied.
type javaTest struct {
	file, id string
	method   *syntax.Node
}

// readJavaSource finds the tests that can be copied: methods without
// parameters that do not return early, of a class that runs its tests in no
// order of its own.
func readJavaSource(file, text string) *javaSource {
	s := &javaSource{text: text, highest: -1 << 31}
	parsed, err := syntax.Parse(Java, []byte(text))
	if err != nil || parsed.Errors > 0 || ordered.MatchString(text) {
		return s
	}
	root, _, err := syntax.Nodes(Java, []byte(text))
	if err != nil {
		return s
	}
	methods := map[int]*syntax.Node{}
	root.Walk(func(n *syntax.Node) bool {
		if n.Kind == "method_declaration" {
			methods[n.Line] = n
			s.highest = max(s.highest, javaHash(n.Get("name").Text([]byte(text))))
		}
		return true
	})
	for _, t := range syntax.Tests(Java, file, parsed) {
		m := methods[t.Start]
		if m != nil && !t.Parametrized && !t.Abstract && strings.HasSuffix(t.ID, "::"+m.Get("name").Text([]byte(text))) && copyable(m, []byte(text)) {
			s.tests = append(s.tests, javaTest{file: file, id: t.ID, method: m})
		}
	}
	return s
}

// copyable reports whether a test can be copied into its class. A template, a
// test that overrides another one, and one that returns early cannot.
func copyable(m *syntax.Node, src []byte) bool {
	if m.Parent == nil || m.Parent.Kind != "class_body" || m.Parent.Parent == nil || m.Parent.Parent.Kind != "class_declaration" {
		return false
	}
	if len(m.Get("parameters").Items()) > 0 || m.Get("body") == nil {
		return false
	}
	for _, a := range annotationsOf(m) {
		if name := a.Get("name").Text(src); name == "Override" || name != "Test" && isKindOfTest(name) {
			return false
		}
	}
	returns := false
	m.Get("body").Walk(func(n *syntax.Node) bool {
		returns = returns || n.Kind == "return_statement"
		return n.Kind != "lambda_expression" && n.Kind != "class_body"
	})
	return !returns
}

// isKindOfTest recognises the annotations of tests that are more than a method
// that runs once.
func isKindOfTest(name string) bool {
	_, last := cutLast(name)
	return strings.HasSuffix(last, "Test") && last != "Test" || slices.Contains([]string{"TestFactory", "TestTemplate", "Theory", "Property", "Example"}, last)
}

// annotationsOf are a declaration's annotations.
func annotationsOf(n *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	for _, c := range n.Children {
		if c.Kind != "modifiers" {
			continue
		}
		for _, a := range c.Children {
			if a.Kind == "annotation" || a.Kind == "marker_annotation" {
				out = append(out, a)
			}
		}
	}
	return out
}

// with is the file with copies of these tests at the end of their classes, so
// that no line above moves.
func (s *javaSource) with(tests []javaTest, names javaNames, taken func(string) bool) (string, []NonceCopy) {
	var copies []NonceCopy
	var added []textEdit // before the classes' closing braces
	for _, t := range tests {
		name := s.name(names, taken)
		class, _, _ := strings.Cut(t.id, "::")
		copies = append(copies, NonceCopy{Of: t.id, ID: class + "::" + name})
		end := t.method.Parent.End - 1
		added = append(added, textEdit{end, end, "\n  " + s.copied(t.method, name) + "\n"})
		other := s.name(names, taken)
		if text := s.javaOther(t.method, other, other); text != "" {
			copies = append(copies, NonceCopy{Of: t.id, ID: class + "::" + other, Values: true})
			added = append(added, textEdit{end, end, "\n  " + text + "\n"})
		}
	}
	return edited(s.text, 0, len(s.text), added), copies
}

// name is a name that is not taken. JUnit runs tests in the order of their
// names' hashes: the copies should come last.
func (s *javaSource) name(names javaNames, taken func(string) bool) string {
	best := ""
	for i := range 400 {
		name := "test" + names.camel(2+i/100)
		if names.used[name] || best != "" && javaHash(name) < javaHash(best) || taken(name) {
			continue
		}
		best = name
		if javaHash(name) > s.highest {
			break
		}
	}
	for best == "" || names.used[best] {
		best = "test" + names.camel(6)
	}
	names.used[best] = true
	return best
}

// javaHash is String.hashCode of a name in ASCII.
func javaHash(name string) int32 {
	h := int32(0)
	for _, c := range name {
		h = 31*h + c
	}
	return h
}

// copied is a test's source under another name, with assertions that must fail
// below its own. By the rules of Java what comes after "if (true)" can always
// be reached.
func (s *javaSource) copied(m *syntax.Node, name string) string {
	src := []byte(s.text)
	body, id := m.Get("body"), m.Get("name")
	edits := []textEdit{{id.Start, id.End, name}, {body.Start, body.Start, "{ if (true) "}, {body.End, body.End, javaTail(s.text, body.Text(src))}}
	for _, a := range annotationsOf(m) {
		switch _, last := cutLast(a.Get("name").Text(src)); {
		case last == "DisplayName": // two tests of one name would be one in reports
			edits = append(edits, textEdit{a.Start, a.End, ""})
		case last == "Test" && strings.Contains(a.Text(src), "expected"):
			// Whether it throws what is expected or not: the copy fails.
			edits = append(edits, textEdit{a.Get("name").End, a.End, ""})
		}
	}
	return edited(s.text, m.Start, m.End, edits)
}

// javaWrong is a use of an assertion that must fail; "" if no such use is known.
func javaWrong(f javaForm) string {
	if f.method == "assertThat" {
		return map[string]string{
			"org.assertj.core.api.Assertions": `org.assertj.core.api.Assertions.assertThat("a").isEqualTo("b")`,
			"com.google.common.truth.Truth":   `com.google.common.truth.Truth.assertThat("a").isEqualTo("b")`,
			"org.hamcrest.MatcherAssert":      `org.hamcrest.MatcherAssert.assertThat("a", false)`,
		}[f.class]
	}
	arguments, ok := map[string]string{
		"assertEquals":  `(Object) "a", (Object) "b"`,
		"assertTrue":    `false`,
		"assertFalse":   `true`,
		"assertNull":    `(Object) "a"`,
		"assertNotNull": `(Object) null`,
		"assertSame":    `(Object) "a", (Object) "b"`,
		"assertNotSame": `(Object) "a", (Object) "a"`,
		"assertThrows":  `RuntimeException.class, () -> { }`,
		"fail":          `"a"`,
	}[f.method]
	known := []string{"org.junit.Assert", "junit.framework.Assert", "junit.framework.TestCase", "org.junit.jupiter.api.Assertions", "org.testng.Assert"}
	if !ok || !slices.Contains(known, f.class) {
		return ""
	}
	return f.class + "." + f.method + "(" + arguments + ")"
}

// javaTail ends a copy: each way of asserting that its test uses is used
// wrongly, all of them must fail, and so must the test.
func javaTail(text, body string) string {
	wrong := map[string]bool{}
	for _, f := range javaForms(text) {
		use := javaWrong(f)
		if use != "" && f.then == "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(f.method)+`\s*\(`).MatchString(body) {
			wrong[use] = true
		}
	}
	var b strings.Builder
	b.WriteString(" int failed = 0;")
	for _, w := range sortedKeys(wrong) {
		fmt.Fprintf(&b, " try { %s; } catch (Throwable e) { failed++; }", w)
	}
	fmt.Fprintf(&b, " if (failed == %d) throw new AssertionError(\"expected: 1 but was: 2\"); }", len(wrong))
	return b.String()
}

// put are the files with copies.
func (c *javaCopies) put() []harness.File {
	if c == nil {
		return nil
	}
	var out []harness.File
	for i, f := range c.files {
		out = append(out, harness.File{Path: fmt.Sprintf("%s/%d.java", c.dir, i), Data: []byte(f.text)})
	}
	return out
}

// all are the copies of all files.
func (c *javaCopies) all() []NonceCopy {
	if c == nil {
		return nil
	}
	var out []NonceCopy
	for _, f := range c.files {
		out = append(out, f.copies...)
	}
	return out
}

// around is shell that runs the tests with the copies in place. If the code
// compiles and the test classes do not, it runs them again without copies: a
// project's compiler may be set to reject the code of copies.
func (c *javaCopies) around(run string) string {
	if c == nil {
		return run
	}
	var before, back, compiled strings.Builder
	for i, f := range c.files {
		kept, class := fmt.Sprintf("%s/%d", c.dir, i), strings.TrimSuffix(path.Base(f.file), ".java")+".class"
		module := quote("./" + f.module)
		fmt.Fprintf(&before, "cp %s\ncp %s\n", quoteAll([]string{f.file, kept + ".before"}), quoteAll([]string{kept + ".java", f.file}))
		fmt.Fprintf(&back, "  cp %s\n", quoteAll([]string{kept + ".before", f.file}))
		fmt.Fprintf(&compiled, "if assay_lacks %s %s %s; then assay_again=yes; fi\n", module, quote(class), quote(f.file))
	}
	return before.String() + run + "assay_rc=$?\n" + javaLacks + compiled.String() +
		"if [ \"$assay_again\" = yes ]; then\n" + back.String() + run + "assay_rc=$?\nfi\n(exit $assay_rc)\n"
}

// javaLacks is shell that reports whether a module's code was compiled and a test
// class that is newer than its source is not there.
const javaLacks = `assay_again=no
assay_made() { find "$1/target" "$1/build" -name "$2" $3 -print 2>/dev/null | head -n 1; }
assay_lacks() { # module, class, source
  [ -z "$(assay_made "$1" "$2" "-newer $3")" ] || return 1
  [ ! -d "$1/src/main" ] || [ -n "$(find "$1/target/classes" "$1/build/classes" -name '*.class' -not -path '*/test/*' -print 2>/dev/null | head -n 1)" ]
}
`
