package code

import "assay/languages/token"

// spelling is how a language writes what the normal form depends on.
type spelling struct {
	language string
	lex      func(src []byte) []token.Token // nil for a language that is not known
	indented bool                           // statements end with their lines, blocks are indented
}

func spellingOf(language string) spelling {
	for _, s := range []spelling{pythonSpelling(), javaSpelling(), cppSpelling()} {
		if s.language == language {
			return s
		}
	}
	return spelling{language: language}
}
