package fixer

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/badpatch/searchreplace"
)

// pathsIn lists the files that an answer names, in its order, each once. A name
// may lack the folders before it, or have others, as long as it means one known
// path. Other names are left out.
func pathsIn(answer string, known []string) []string {
	var out []string
	for line := range strings.Lines(answer) {
		for _, name := range namesIn(line) {
			if p := pathOf(name, known); p != "" && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// marks are the characters around names in answers.
const marks = " \t\r\n`'\"*#()[]<>,:;-"

// namesIn are the words of a line that may be paths; the whole line comes first,
// since a path may hold blanks.
func namesIn(line string) []string {
	var out []string
	for _, word := range append([]string{line}, strings.Fields(line)...) {
		word = strings.TrimRight(strings.TrimLeft(word, marks), marks+".!?")
		if word = strings.TrimPrefix(word, "./"); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// pathOf is the known path that a name stands for; "" where there is none, or no
// single one.
func pathOf(name string, known []string) string {
	if _, found := slices.BinarySearch(known, name); found {
		return name
	}
	if !strings.ContainsAny(name, "./") {
		return "" // a word of a sentence
	}
	var ends []string // paths that the name ends with, or that end with it
	for _, p := range known {
		if strings.HasSuffix(p, "/"+name) || strings.HasSuffix(name, "/"+p) {
			ends = append(ends, p)
		}
	}
	if len(ends) != 1 {
		return ""
	}
	return ends[0]
}

// place is a part of a file that an answer names: a function or a class, or some
// lines.
type place struct {
	path string
	name string // "" for lines
	span searchreplace.Span
}

// The forms in which answers name places.
var (
	named = regexp.MustCompile(`(?i)^(?:function|method|class|struct|constructor)\s*(?:name)?\s*:\s*(.+)$`)
	lined = regexp.MustCompile(`(?i)^lines?\s*:\s*(.+)$`)
	spans = regexp.MustCompile(`(\d+)(?:\s*(?:-|–|to)\s*(\d+))?`)
)

// placesIn reads places out of an answer: lines "function: NAME", "class: NAME"
// and "line: N" (or "lines: N-M") below the path of their file. What is of
// another form is skipped, and so is what comes before the first path.
func placesIn(answer string, known []string) []place {
	var out []place
	at := ""
	for line := range strings.Lines(answer) {
		text := strings.Trim(line, " \t\r\n`*#-")
		switch name, lines := named.FindStringSubmatch(text), lined.FindStringSubmatch(text); {
		case name != nil && at != "":
			if n := nameIn(name[1]); n != "" {
				out = append(out, place{path: at, name: n})
			}
		case lines != nil && at != "":
			for _, s := range spansIn(lines[1]) {
				out = append(out, place{path: at, span: s})
			}
		case name == nil && lines == nil:
			if p := pathsIn(line, known); len(p) > 0 {
				at = p[0]
			}
		}
	}
	return out
}

// nameIn is the name of a function in an answer, with the classes around it
// joined by ".", without arguments and return type.
func nameIn(text string) string {
	text, _, _ = strings.Cut(text, "(")
	words := strings.Fields(strings.NewReplacer("::", ".", "#", ".", "$", ".", "`", " ", ",", " ", ":", " ", "{", " ").Replace(text))
	if len(words) == 0 {
		return ""
	}
	return strings.Trim(words[len(words)-1], ".*&")
}

// mostLine bounds the numbers that are taken for lines.
const mostLine = 1 << 24

func spansIn(text string) []searchreplace.Span {
	var out []searchreplace.Span
	for _, m := range spans.FindAllStringSubmatch(text, -1) {
		from, err := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(cmp.Or(m[2], m[1]))
		if err == nil && from >= 1 && to >= from && to <= mostLine {
			out = append(out, searchreplace.Span{Start: from, End: to})
		}
	}
	return out
}
