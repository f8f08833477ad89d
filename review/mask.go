package review

import (
	"maps"
	"slices"
	"strings"
)

// hidden stands for what a review must not say.
const hidden = "…"

// maxValue bounds a quoted value, in bytes.
const maxValue = 100

// mask replaces what only gold has, tests or not, in a name or value from a
// test; and cuts what is long.
func (s *Subject) mask(text string) string {
	for _, l := range slices.Backward(slices.Sorted(maps.Keys(s.strict.literals))) { // a longer one before its own beginning
		text = strings.ReplaceAll(text, l, hidden)
	}
	var out strings.Builder
	at := 0
	for _, t := range scan(text) {
		secret := t.class == word && s.strict.words[key(t.text)] || t.class == number && s.strict.numbers[plainNumber(t.text)]
		if secret {
			out.WriteString(text[at:t.start] + hidden)
			at = t.end
		}
	}
	out.WriteString(text[at:])
	return clip(out.String(), maxValue)
}

// clip cuts a text at a rune's start.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + hidden
}
