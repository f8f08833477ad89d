package code

import (
	"assay/languages"
	"assay/languages/token"
)

// Java reports whether the file is Java.
func (c *File) Java() bool { return c.Language == languages.Java }

func javaSpelling() spelling { return spelling{language: languages.Java, lex: token.Java} }
