package code

import (
	"slices"

	"assay/languages"
)

// Cpp reports whether the file is C++.
func (c *File) Cpp() bool { return c.Language == languages.Cpp }

func cppSpelling() spelling {
	return spelling{
		language: languages.Cpp, read: (*lexer).braces, directives: true, quotedDigits: true, rawStrings: true,
		prefix: func(letters string) bool {
			return slices.Contains([]string{"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"}, letters)
		},
	}
}
