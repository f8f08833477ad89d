package style

import "assay/languages"

func javaGrammar() grammar {
	return grammar{
		language: languages.Java, lex: func(l *lexer) { (&javaLexer{l}).run() }, neutralise: (*neutraliser).java,
		hides: (*hiding).javaEscapes, evaluates: javaEvaluates,
	}
}

// javaEscapes counts escapes that are code, or end a comment.
func (h *hiding) javaEscapes(src []byte, tokens []token) {
	for _, t := range tokens {
		switch {
		case t.kind == commentToken:
			h.escapes += lineEscapes(t.text(src))
		case t.kind == punctToken && src[t.start] == '\\':
			h.escapes++
		}
	}
}

func javaEvaluates(word func(int) string, i int) bool {
	name := word(i)
	return name == "ScriptEngineManager" || name == "GroovyShell" || name == "JShell" || name == "ToolProvider"
}
