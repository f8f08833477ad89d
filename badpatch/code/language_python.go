package code

import (
	"assay/languages"
	"assay/languages/token"
)

// Python reports whether the file is Python.
func (c *File) Python() bool { return IsPython(c.Language) }

// IsPython reports whether a language is Python, in which statements end with
// their lines and an assignment declares its target.
func IsPython(language string) bool { return language == languages.Python }

func pythonSpelling() spelling {
	return spelling{language: languages.Python, lex: token.Python, indented: true}
}
