package style

import "assay/languages/token"

// grammar is what this package knows of how a language is written.
type grammar struct {
	language string
	// lex splits a text into tokens.
	lex func(src []byte) []token.Token
	// neutralise takes the effect off what silences the linters.
	neutralise func(n *neutraliser)
	// indented says that statements end with their lines, that a colon begins
	// a body, and that an underscore makes a name private.
	indented bool
	// fileScope says that static hides a name outside of classes from other
	// files.
	fileScope bool
	// macros says that the parser may lose code that follows one.
	macros bool
	// hides counts what keeps code from the linters, except false conditions
	// and what evaluates recognises.
	hides func(h *hiding, src []byte, tokens []token.Token)
	// evaluates recognises calls that run code from strings, which no linter
	// reads: word gives the text of a token, i is that of a name.
	evaluates func(word func(int) string, i int) bool
}

// grammarOf is that of a language; of one that is not known, texts have no
// tokens.
func grammarOf(language string) grammar {
	for _, g := range []grammar{pythonGrammar(), javaGrammar(), cppGrammar()} {
		if g.language == language {
			return g
		}
	}
	return grammar{
		language: language, lex: func([]byte) []token.Token { return nil }, neutralise: func(*neutraliser) {},
		hides: func(*hiding, []byte, []token.Token) {}, evaluates: func(func(int) string, int) bool { return false },
	}
}

// lex splits a text; of languages that are not known it gives nothing.
func lex(language string, src []byte) []token.Token { return grammarOf(language).lex(src) }
