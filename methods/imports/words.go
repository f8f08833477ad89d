package imports

import (
	"bytes"

	"assay/languages/token"
)

// hasWord reports whether a text holds a word as a whole.
func hasWord(text []byte, word string) bool {
	for from := 0; word != "" && from < len(text); {
		at := bytes.Index(text[from:], []byte(word))
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !token.IsWord(text[at-1])) && (end == len(text) || !token.IsWord(text[end])) {
			return true
		}
		from = at + 1
	}
	return false
}
