package otter

import (
	"regexp"

	"assay/languages"
)

func cppTestFile() testFile {
	return testFile{language: languages.Cpp, dir: "tests", name: "issue%s_test.cpp", joins: true, alone: cppMain}
}

// cppMain is what makes a main function: the test libraries' own, or a short one.
var cppMain = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(?:DOCTEST_CONFIG_IMPLEMENT\w*|CATCH_CONFIG_(?:MAIN|RUNNER)|BOOST_TEST_(?:MAIN|MODULE)\b.*)[ \t]*$|^int main\([^{]*\{(?s:.*?)^\}[ \t]*$`)
