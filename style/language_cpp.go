package style

import (
	"assay/languages"
	"assay/languages/token"
)

func cppGrammar() grammar {
	return grammar{
		language: languages.Cpp, fileScope: true, macros: true,
		lex: token.Cpp, neutralise: (*neutraliser).cpp,
		hides: (*hiding).directives, evaluates: func(func(int) string, int) bool { return false },
	}
}
