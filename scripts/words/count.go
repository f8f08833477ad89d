package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
)

// list is what words.txt holds.
type list struct {
	allowed []*regexp.Regexp
	avoid   []entry
}

// entry is a word to avoid and what to write in its place.
type entry struct {
	word    *regexp.Regexp
	instead string
}

// readList reads a list of words.
func readList(path string) (list, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return list{}, fmt.Errorf("reading the list of words: %w", err)
	}
	var l list
	for i, line := range strings.Split(string(data), "\n") {
		if err := l.add(strings.TrimSpace(line)); err != nil {
			return list{}, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return l, nil
}

// add adds a line of a list.
func (l *list) add(line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	allowed, isAllowed := strings.CutPrefix(line, "ok ")
	pattern, instead, ok := strings.Cut(line, "=>")
	switch {
	case isAllowed:
		pattern = allowed
	case !ok || strings.TrimSpace(instead) == "":
		return fmt.Errorf("expected PATTERN => WHAT TO WRITE, or ok PATTERN, got %q", line)
	}
	re, err := regexp.Compile(`(?i)\b(?:` + strings.TrimSpace(pattern) + `)\b`)
	if err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	if isAllowed {
		l.allowed = append(l.allowed, re)
	} else {
		l.avoid = append(l.avoid, entry{re, strings.TrimSpace(instead)})
	}
	return nil
}

// hit is one use of a word.
type hit struct {
	line          int // of the comment that holds it, from 1
	word, instead string
}

// fileCount is what was counted in one file.
type fileCount struct {
	path  string
	lines int // of comments
	hits  []hit
}

// countFile counts in the comments of a Go file.
func countFile(l list, path string) (fileCount, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fileCount{}, fmt.Errorf("parsing: %w", err)
	}
	c := fileCount{path: path}
	for _, g := range f.Comments {
		text := g.Text()
		if text == "" { // directives only
			continue
		}
		first := set.Position(g.Pos()).Line
		c.lines += set.Position(g.End()).Line - first + 1
		c.hits = append(c.hits, l.find(text, first)...)
	}
	return c, nil
}

// find returns the hits in a comment group's text, whose first line is at the
// given line. A pattern may match across a line break.
func (l list) find(text string, first int) []hit {
	flat := strings.ReplaceAll(text, "\n", " ")
	for _, re := range l.allowed {
		flat = re.ReplaceAllStringFunc(flat, func(s string) string { return strings.Repeat("_", len(s)) })
	}
	var hits []hit
	for _, e := range l.avoid {
		for _, at := range e.word.FindAllStringIndex(flat, -1) {
			line := first + strings.Count(text[:at[0]], "\n")
			hits = append(hits, hit{line, flat[at[0]:at[1]], e.instead})
		}
	}
	return hits
}
