package otter

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// testFile is how a test file of our own is called.
type testFile struct {
	language string
	dir      string // where the repository has no tests
	name     string // with %s for a number
	// joins is set where the build names its test files: a new one would not be
	// built, so that the code goes into one that there is.
	joins bool
	// alone is code that only a file of its own may have, such as a main function.
	alone *regexp.Regexp
	// classes find the name that a file's name follows: the first that finds one
	// counts. None where any name will do.
	classes []*regexp.Regexp
}

// fitting is the path, in the folder of p, that a file's code asks for, with the
// code: where there is a file of that name already, its class is renamed.
func (t testFile) fitting(p, code string, exists func(string) bool) (string, string) {
	class := t.classIn(code)
	if class == "" {
		return p, code
	}
	own := path.Join(path.Dir(p), class+path.Ext(p))
	if !exists(own) {
		return own, code
	}
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	return p, regexp.MustCompile(`\b`+class+`\b`).ReplaceAllString(code, name)
}

// classIn is the class that a file with some code is called by; "" for none.
func (t testFile) classIn(code string) string {
	for _, c := range t.classes {
		if m := c.FindStringSubmatch(code); m != nil {
			return m[1]
		}
	}
	return ""
}

// path is that of the nth file, from 0.
func (t testFile) path(dir string, n int) string {
	number := ""
	if n > 0 {
		number = strconv.Itoa(n + 1)
	}
	return path.Join(dir, fmt.Sprintf(t.name, number))
}

// testFileOf is how a language's test files are called.
func testFileOf(language string) testFile {
	for _, t := range []testFile{pythonTestFile(), javaTestFile(), cppTestFile()} {
		if t.language == language {
			return t
		}
	}
	return testFile{language: language, dir: "tests", name: "test_issue%s"}
}
