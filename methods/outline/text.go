package outline

import (
	"strings"

	"assay/languages/token"
)

// Dedent takes the outer indentation of code away, and the blank lines around it.
// Lines inside of strings stay as they are.
func Dedent(language, code string) string { return dedent(language, code) }

// dedent is Dedent.
func dedent(language, code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	fixed := InsideStrings(language, strings.Join(lines, "\n"))
	prefix := commonIndent(lines, fixed)
	for i := range lines {
		if !fixed[i+1] {
			lines[i] = strings.TrimRight(strings.TrimPrefix(lines[i], prefix), " \t")
		}
	}
	return strings.Join(lines, "\n")
}

// indent puts an indentation before all lines but blank ones and those inside
// of strings.
func indent(language, code, with string) string {
	lines := strings.Split(code, "\n")
	fixed := InsideStrings(language, code)
	for i := range lines {
		if !fixed[i+1] && lines[i] != "" {
			lines[i] = with + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// commonIndent is what all lines begin with.
func commonIndent(lines []string, fixed map[int]bool) string {
	common, first := "", true
	for i, line := range lines {
		if strings.TrimSpace(line) == "" || fixed[i+1] {
			continue
		}
		own := indentOf(line)
		if first {
			common, first = own, false
		}
		for !strings.HasPrefix(own, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// InsideStrings are the lines of code, from 1, that begin inside of a string: their
// indentation is part of it.
func InsideStrings(language, code string) map[int]bool {
	out := map[int]bool{}
	src := []byte(code)
	for _, t := range languageOf(language).tokens(src) {
		if t.Kind != token.String {
			continue
		}
		for n := range strings.Count(t.Text(src), "\n") {
			out[t.Line+n+1] = true
		}
	}
	return out
}

// wordIndex is where a word is in a line; -1 where it is not.
func wordIndex(line, word string) int {
	for from := 0; from <= len(line); {
		at := strings.Index(line[from:], word)
		if at < 0 || word == "" {
			return -1
		}
		at += from
		end := at + len(word)
		if (at == 0 || !token.IsWord(line[at-1])) && (end == len(line) || !token.IsWord(line[end])) {
			return at
		}
		from = at + 1
	}
	return -1
}
