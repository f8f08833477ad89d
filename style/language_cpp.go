package style

import "assay/languages"

func cppGrammar() grammar {
	return grammar{
		language: languages.Cpp, fileScope: true, macros: true,
		lex: func(l *lexer) { (&cppLexer{lexer: l, fresh: true}).run() }, neutralise: (*neutraliser).cpp,
		hides: (*hiding).directives, evaluates: func(func(int) string, int) bool { return false },
	}
}
