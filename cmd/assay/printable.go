package main

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// printable removes what could change a terminal from text of others: escape
// sequences and control characters but line ends and tabs.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			return r
		}
		return -1
	}, text.StripEscape(s))
}

// snippet is printable text in one line of at most 300 characters.
func snippet(s string) string {
	return text.Snip(strings.Join(strings.Fields(printable(s)), " "), 300, "…")
}
