package otter

import (
	"regexp"

	"assay/languages"
)

func javaTestFile() testFile {
	return testFile{language: languages.Java, dir: "src/test/java", name: "Issue%sTest.java", classes: []*regexp.Regexp{javaPublic, javaTests, javaClass}}
}

// The class that a file is called by: a public one must be; else that of the
// tests should be, or the first one.
var (
	javaPublic = regexp.MustCompile(`(?m)^public (?:final |abstract )*class (\w+)`)
	javaTests  = regexp.MustCompile(`(?m)^(?:final |abstract )*class (\w*Test\w*)`)
	javaClass  = regexp.MustCompile(`(?m)^(?:final |abstract )*class (\w+)`)
)
