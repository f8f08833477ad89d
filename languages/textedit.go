package languages

import (
	"slices"
	"strings"
)

// textEdit puts a text in the place of another one.
type textEdit struct {
	start, end int
	text       string
}

// edited is a part of a text with edits, which do not overlap. Those of one place
// stay in their order.
func edited(text string, start, end int, edits []textEdit) string {
	slices.SortStableFunc(edits, func(a, b textEdit) int { return a.start - b.start })
	var out strings.Builder
	at := start
	for _, e := range edits {
		out.WriteString(text[at:e.start] + e.text)
		at = e.end
	}
	return out.String() + text[at:end]
}
