package code

import "assay/languages"

// Java reports whether the file is Java.
func (c *File) Java() bool { return c.Language == languages.Java }

func javaSpelling() spelling {
	return spelling{language: languages.Java, read: (*lexer).braces, textBlocks: true}
}
