package review

import (
	"regexp"
	"strings"
)

// minWords is how many words outside of code a review has at least.
const minWords = 8

// draft takes the review out of a model's answer: thoughts, a fence around
// the whole and a heading go.
func draft(answer string) string {
	text := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(answer, "\uFFFD"), "\r\n", "\n"))
	text = strings.TrimSpace(thoughts.ReplaceAllString(text, ""))
	if inner, ok := unfenced(text); ok {
		text = inner
	}
	return strings.TrimSpace(heading.ReplaceAllString(text, ""))
}

var (
	thoughts = regexp.MustCompile(`(?s)^<(think|thinking|thought)>.*?</(think|thinking|thought)>`)
	heading  = regexp.MustCompile(`(?i)\A(?:#{1,6}\s*|\*\*)?(?:code )?review(?: comments?)?(?: of the (?:submitted )?patch)?:?(?:\*\*)?:?[ \t]*\n+`)
)

// unfenced is what a fence around the whole text holds, if it holds text.
func unfenced(text string) (string, bool) {
	spans := codeSpans(text)
	if len(spans) != 1 || !spans[0].fenced {
		return "", false
	}
	c := spans[0]
	before := strings.TrimSpace(text[:c.start])
	if strings.Contains(before, "\n") || strings.TrimLeft(before, "`~") != c.info || strings.Trim(text[c.end:], "`~ \n") != "" {
		return "", false
	}
	switch strings.ToLower(c.info) {
	case "", "markdown", "md", "text", "txt", "plaintext":
		return strings.TrimSpace(text[c.start:c.end]), true
	}
	return "", false
}

// proseWords counts the words of a text outside of quoted code.
func proseWords(text string) int {
	n, at := 0, 0
	for _, c := range append(codeSpans(text), codeSpan{start: len(text), end: len(text)}) {
		for _, w := range strings.Fields(text[at:max(at, c.start)]) {
			if letters(w) > 1 {
				n++
			}
		}
		at = max(at, c.end)
	}
	return n
}
