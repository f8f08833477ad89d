package languages

import (
	"encoding/json"
	"strings"
)

// jsonList writes strings as a JSON list.
func jsonList(list []string) []byte {
	data, err := json.Marshal(list)
	if err != nil {
		return []byte("[]") // no string fails
	}
	return data
}

// lineAt is the line, from 1, of a place in a text.
func lineAt(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }

// lineOf is the line, from 1, of the first place where text holds what; 0 where
// it does not.
func lineOf(text, what string) int {
	if i := strings.Index(text, what); i >= 0 {
		return lineAt(text, i)
	}
	return 0
}

// isWord reports whether a byte can be in an identifier.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
