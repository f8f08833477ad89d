package reports

import (
	"strings"
	"unicode"

	"assay/bench"
)

// readJava reads a TEST-*.xml of Surefire, Failsafe or Gradle.
func readJava(c *collector, data []byte) bool {
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	found := scan.each(func(tc junitCase) {
		class := tc.class
		if class == "" {
			class = tc.suite
		}
		status, text := tc.outcome()
		id := javaID(class, tc.name)
		if classLevel(class, tc.name) && !status.OK() {
			id = class
			if status == bench.Failed {
				status = bench.Error
			}
		}
		c.add(bench.Test{ID: id, Status: status, Message: text, Seconds: tc.seconds})
		if tc.cut {
			c.died(id, "the report ends within this test")
		}
	})
	if scan.cut {
		c.cut("the XML report")
	}
	return found
}

// classLevel reports whether a case stands for something outside the test
// methods: Surefire 3 leaves the name empty, 2 repeats the class, JUnit 4
// and Gradle have words for it.
func classLevel(class, name string) bool {
	switch name {
	case "", class, "initializationError", "executionError", "classMethod":
		return true
	}
	return false
}

// javaID is the canonical id of a method.
func javaID(class, name string) string {
	if name == "" || name == class {
		return class
	}
	return class + "::" + javaMethod(name)
}

// javaMethod drops parameter types from a method's name as reports give it:
// odd(int)[1], odd{int}[1], odd()[1] and plain(). Names that are not
// signatures (display names, Spock's and Kotlin's sentences) stay.
func javaMethod(name string) string {
	open := strings.IndexAny(name, "({[")
	if open <= 0 || name[open] == '[' {
		return name
	}
	stop := map[byte]byte{'(': ')', '{': '}'}[name[open]]
	end := strings.IndexByte(name[open:], stop)
	if end < 0 {
		return name
	}
	types, rest := name[open+1:open+end], name[open+end+1:]
	if rest != "" && !strings.HasPrefix(rest, "[") {
		return name
	}
	head := name[:open]
	if types != "" && (strings.ContainsAny(head, " \t") || !javaTypes(types)) {
		return name
	}
	return head + rest
}

// javaTypes reports whether s may be a list of parameter types.
func javaTypes(s string) bool {
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		if item == "" || strings.ContainsAny(item, " \t\"'=:#%/") || item[0] >= '0' && item[0] <= '9' {
			return false
		}
	}
	return true
}

// javaClass reports whether s can be the qualified name of a class.
func javaClass(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" {
			return false
		}
		for i, r := range part {
			if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
				return false
			}
		}
	}
	return true
}
