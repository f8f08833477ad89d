package review

import (
	"regexp"

	"assay/languages"
)

func cppWriting() writing {
	return writing{language: languages.Cpp, dialect: cLike, separator: "::", macros: true, test: cppTest}
}

// gtestID is Prefix/Suite.Name/parameter or Suite/type.Name of GoogleTest.
var gtestID = regexp.MustCompile(`^(?:\w+/)?([A-Za-z_]\w*)(?:/\d+)?\.(\w+)(?:/.*)?$`)

func cppTest(id string) string {
	if m := gtestID.FindStringSubmatch(id); m != nil {
		return m[1] + "." + m[2]
	}
	return id
}
