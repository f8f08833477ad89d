package code

import "strings"

// Excerpt is the beginning of a text, for people to read.
func Excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 40 {
		return string(r[:37]) + "..."
	}
	return text
}
