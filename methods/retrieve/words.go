package retrieve

import (
	"strings"
	"unicode"
)

// shortest is the length of the shortest word, in bytes: single letters say
// nothing.
const shortest = 2

// Words are the words of a text, in lower case and in order. An identifier is its
// parts (readHTTPBody and read_http_body: read, http, body) and, where it has
// several, all of them joined, so that text which names it finds it.
func Words(text string) []string {
	var out []string
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		parts := partsOf(name)
		for _, p := range parts {
			out = appendWord(out, p)
		}
		if len(parts) > 1 {
			out = appendWord(out, strings.Join(parts, ""))
		}
	}
	return out
}

func appendWord(out []string, word string) []string {
	if len(word) < shortest {
		return out
	}
	return append(out, word)
}

// partsOf splits an identifier at underscores, where a capital follows a small
// letter or a digit, and before the last of several capitals that a small letter
// follows. The parts are in lower case.
func partsOf(name string) []string {
	var parts []string
	runes := []rune(name)
	start := 0
	end := func(i int) {
		if i > start {
			parts = append(parts, strings.ToLower(string(runes[start:i])))
		}
		start = i
	}
	for i, r := range runes {
		switch {
		case r == '_':
			end(i)
			start = i + 1
		case i == start || !unicode.IsUpper(r):
		case !unicode.IsUpper(runes[i-1]), i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			end(i)
		}
	}
	end(len(runes))
	return parts
}
