package code

import (
	"assay/languages"
	"assay/languages/token"
)

// Cpp reports whether the file is C++.
func (c *File) Cpp() bool { return c.Language == languages.Cpp }

func cppSpelling() spelling { return spelling{language: languages.Cpp, lex: token.Cpp} }
