package style

import (
	"assay/languages"
	"assay/languages/token"
)

func javaGrammar() grammar {
	return grammar{
		language: languages.Java, lex: token.Java, neutralise: (*neutraliser).java,
		hides: (*hiding).javaEscapes, evaluates: javaEvaluates,
	}
}

// javaEscapes counts escapes that are code, or end a comment.
func (h *hiding) javaEscapes(src []byte, tokens []token.Token) {
	for _, t := range tokens {
		switch {
		case t.Kind == token.Comment:
			h.escapes += lineEscapes(t.Text(src))
		case t.Kind == token.Punct && src[t.Start] == '\\':
			h.escapes++
		}
	}
}

func javaEvaluates(word func(int) string, i int) bool {
	name := word(i)
	return name == "ScriptEngineManager" || name == "GroovyShell" || name == "JShell" || name == "ToolProvider"
}
