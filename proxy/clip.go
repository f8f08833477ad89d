package proxy

import "strings"

// An agent's own words are quoted to it and written down, but not at any
// length.
const (
	maxQuote   = 200 // bytes of one name
	maxRefusal = 500 // bytes of a refusal's message, and of a refused address
)

// clip cuts a text that is longer than most bytes, between characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
