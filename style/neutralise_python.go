package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/languages/token"
)

// python renames pylint's pragma. Pylint takes "pylint:" at a word boundary
// anywhere in a comment (pragma parser of pylint 4.1); the renamed word is
// plain text to it.
func (n *neutraliser) python() {
	for _, t := range n.tokens {
		if t.Kind != token.Comment {
			continue
		}
		text := t.Text(n.src)
		each(text, "pylint:", func(at int) {
			n.put(t.Start+at, "pylimt:")
			if before, _ := utf8.DecodeLastRuneInString(text[:at]); before == '_' || unicode.IsLetter(before) || unicode.IsDigit(before) {
				return // no word of its own: pylint does not honour it
			}
			if names, hushes := pylintPragma(text[at+len("pylint:"):]); hushes {
				n.report(t, t.Start, SuppressPylint, names, text)
			}
		})
	}
}

// pylintPragma reads what follows "pylint:", which may hold several actions;
// enabling is not suppression.
func pylintPragma(text string) (names []string, hushes bool) {
	text = text[:min(len(text), maxNames)]
	if i := strings.IndexAny(text, "#;"); i >= 0 {
		text = text[:i]
	}
	hushing := false
	for _, word := range ruleNames(strings.ReplaceAll(text, "=", " ")) {
		switch {
		case word == "skip-file" || word == "disable-all":
			hushes, names = true, append(names, "all")
		case strings.HasPrefix(word, "disable"):
			hushes, hushing = true, true
		case strings.HasPrefix(word, "enable"):
			hushing = false
		case hushing:
			names = append(names, word)
		}
	}
	return names, hushes
}
