package main

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// escapeForm is an escape sequence of a terminal: colours and cursor, titles,
// and those of two characters.
const escapeForm = "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[@-Z\\\\-_]?"

// printable removes what could change a terminal from text of others: escape
// sequences and control characters but line ends and tabs.
func printable(s string) string {
	if strings.Contains(s, "\x1b") {
		s = regexp.MustCompile(escapeForm).ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			return r
		}
		return -1
	}, s)
}

// snippet is printable text in one line of at most 300 characters.
func snippet(s string) string {
	return text.Snip(strings.Join(strings.Fields(printable(s)), " "), 300, "…")
}
