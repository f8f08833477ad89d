package style

import (
	"assay/languages"
	"assay/languages/token"
)

func pythonGrammar() grammar {
	return grammar{
		language: languages.Python, indented: true,
		lex:        token.Python,
		neutralise: (*neutraliser).python,
		hides: func(h *hiding, src []byte, tokens []token.Token) {
			h.pythonDead(src, tokens)
			h.escapes += oddCoding(src)
		},
		evaluates: pythonEvaluates,
	}
}

func pythonEvaluates(word func(int) string, i int) bool {
	name := word(i)
	if name != "exec" && name != "eval" || word(i+1) != "(" {
		return false
	}
	return word(i-1) != "." && word(i-1) != "def" || word(i-2) == "builtins" || word(i-2) == "__builtins__"
}
