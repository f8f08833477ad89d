package code

// spelling is how a language writes what the normal form depends on.
type spelling struct {
	language string
	read     func(l *lexer) // nil for a language that is not known
	// prefix reports whether a string may begin with these letters; nil where
	// none may.
	prefix       func(letters string) bool
	directives   bool // lines that begin with # are read by a preprocessor
	textBlocks   bool // strings in three quotes
	quotedDigits bool // 1'000
	rawStrings   bool // R"x(...)x"
}

func spellingOf(language string) spelling {
	for _, s := range []spelling{pythonSpelling(), javaSpelling(), cppSpelling()} {
		if s.language == language {
			return s
		}
	}
	return spelling{language: language}
}
