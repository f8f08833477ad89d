package languages

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// javaTried is Java that calls an assertion with many arguments until one
// makes it fail, by reflection: the nonce class need not be compiled against
// the libraries of assertions.
//
//go:embed assets/java_tried.java
var javaTried string

// javaForm is an assertion that tests use: a static method of a class and, for
// those that begin a chain, what is called on its result.
type javaForm struct{ class, method, then string }

func (f javaForm) name() string {
	if f.then == "" {
		return f.class + "." + f.method
	}
	return f.class + "." + f.method + "()." + f.then
}

var (
	javaImport    = regexp.MustCompile(`(?m)^\s*import\s+(static\s+)?([\w.]+?)(?:\.(\*))?\s*;`)
	javaAssertion = regexp.MustCompile(`(?:\b(\w+)\.)?\b(assert\w*|fail\w*|expectThrows)\s*\(`)
	javaChained   = regexp.MustCompile(`\.((?:is|has|contains|does|starts|ends|matches)\w*)\s*\(`)
)

// javaForms are the assertions in a test file whose class its imports show,
// sorted.
func javaForms(text string) []javaForm {
	direct, classes, wildcards := map[string]string{}, map[string]string{}, []string{}
	for _, m := range javaImport.FindAllStringSubmatch(text, -1) {
		owner, last := cutLast(m[2])
		switch {
		case m[1] != "" && m[3] != "":
			wildcards = append(wildcards, m[2])
		case m[1] != "":
			direct[last] = owner
		case m[3] == "":
			classes[last] = m[2]
		}
	}
	if strings.Contains(text, "extends TestCase") && classes["TestCase"] != "" {
		wildcards = append(wildcards, classes["TestCase"])
	}
	set, chains := map[string]javaForm{}, map[string]bool{}
	for _, m := range javaChained.FindAllStringSubmatch(text, -1) {
		chains[m[1]] = true
	}
	add := func(class, method string) {
		f := javaForm{class: class, method: method}
		set[f.name()] = f
		if method != "assertThat" && method != "assertWithMessage" {
			return
		}
		for _, then := range sortedKeys(chains) {
			f.then = then
			set[f.name()] = f
		}
	}
	for _, m := range javaAssertion.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "" && classes[m[1]] != "":
			add(classes[m[1]], m[2])
		case m[1] != "":
		case direct[m[2]] != "":
			add(direct[m[2]], m[2])
		default:
			for _, w := range wildcards {
				add(w, m[2])
			}
		}
	}
	var out []javaForm
	for _, name := range sortedKeys(set) {
		out = append(out, set[name])
	}
	return out[:min(len(out), mostForms)]
}

// cutLast splits a dotted name before its last part.
func cutLast(name string) (before, last string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// call is the statement of a test that must fail by the assertion.
func (f javaForm) call() string {
	return fmt.Sprintf("tried(%q, %q, %q);", f.class, f.method, f.then)
}
