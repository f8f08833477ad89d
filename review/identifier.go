package review

import (
	"strings"
	"unicode"
)

// key is how identifiers are compared. Compound ones (periodsBefore,
// periods_before, _PeriodsBefore) are compared by their letters alone, since
// a review may follow another convention; others by their spelling without
// outer underscores.
func key(w string) string {
	trimmed := strings.Trim(w, "_$")
	if trimmed == "" {
		return w
	}
	if wordlike(trimmed) {
		return trimmed
	}
	return "." + strings.ToLower(strings.ReplaceAll(trimmed, "_", ""))
}

// wordlike reports whether an identifier looks like a word of English: small
// letters, or one capital and small letters. Such a word may be in a sentence
// by chance.
func wordlike(w string) bool {
	for i, r := range w {
		if !unicode.IsLower(r) && (i > 0 || !unicode.IsUpper(r)) {
			return false
		}
	}
	return true
}

func letters(w string) int {
	n := 0
	for _, r := range w {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func digits(w string) int {
	n := 0
	for i := range len(w) {
		if isDigit(w[i]) {
			n++
		}
	}
	return n
}

// plainNumber is a number without digit separators and the letters of its
// type (10L, 0.5f, 42u).
func plainNumber(n string) string {
	n = strings.ReplaceAll(n, "_", "")
	if strings.HasPrefix(strings.ToLower(n), "0x") {
		return strings.ToLower(n)
	}
	if cut := strings.TrimRight(n, "uUlLfFdDjJ"); cut != "" {
		return cut
	}
	return n
}

// names are the names and values of a stream, keywords left out.
func (s stream) names() stream {
	var out stream
	for _, t := range s {
		if (wordStart(t[0]) || isDigit(t[0])) && !keyword(t) {
			out = append(out, t)
		}
	}
	return out
}
