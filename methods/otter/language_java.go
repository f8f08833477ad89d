package otter

import (
	"regexp"

	"assay/languages"
)

func javaTestFile() testFile {
	return testFile{language: languages.Java, dir: "src/test/java", name: "Issue%sTest.java", class: javaPublic}
}

// javaPublic is the class that a file must be called by.
var javaPublic = regexp.MustCompile(`(?m)^public (?:final )?class (\w+)`)
