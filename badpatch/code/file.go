// Package code reads source files of the three languages for those that rewrite
// them: functions, variables, conditions and calls under one name for all three
// grammars; edits by offset; changes line by line; and a normal form in which
// two texts with the same code are equal.
package code

import (
	"bytes"
	"sort"

	"assay/languages"
	"assay/languages/syntax"
)

// File is a parsed file. It is read-only, and not safe for concurrent use:
// what functions declare is kept.
type File struct {
	Language string
	Path     string
	Src      []byte
	Root     *syntax.Node
	Errors   int   // of syntax
	Starts   []int // offset of each line in Src
	cache    map[*syntax.Node][]Variable
}

func newFile(language, path string, src []byte, root *syntax.Node, errors int) *File {
	c := &File{Language: language, Path: path, Src: src, Root: root, Errors: errors, Starts: []int{0}}
	for i, b := range src {
		if b == '\n' {
			c.Starts = append(c.Starts, i+1)
		}
	}
	c.cache = map[*syntax.Node][]Variable{}
	return c
}

// Text is the source of a node; empty for no node.
func (c *File) Text(n *syntax.Node) string { return n.Text(c.Src) }

// Line is the line of an offset, from 1.
func (c *File) Line(offset int) int {
	return sort.SearchInts(c.Starts, offset+1)
}

// EndLine is the last line of a node.
func (c *File) EndLine(n *syntax.Node) int { return c.Line(max(n.Start, n.End-1)) }

// Indent is the blanks before an offset's line.
func (c *File) Indent(offset int) string {
	line := c.Src[c.Starts[c.Line(offset)-1]:]
	end := 0
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	return string(line[:end])
}

// Newline is the file's line end.
func (c *File) Newline() string {
	if i := bytes.IndexByte(c.Src, '\n'); i > 0 && c.Src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// OwnLines reports whether a range has its lines to itself; start and end are
// then those of the lines.
func (c *File) OwnLines(from, to int) (start, end int, ok bool) {
	start = c.Starts[c.Line(from)-1]
	end = len(c.Src)
	if i := bytes.IndexByte(c.Src[to:], '\n'); i >= 0 {
		end = to + i + 1
	}
	ok = len(bytes.TrimSpace(c.Src[start:from])) == 0 && len(bytes.TrimSpace(c.Src[to:end])) == 0
	return start, end, ok
}

// IsSource reports whether a path is code of the language or of a dialect, and
// neither test nor build file.
func IsSource(language, p string) bool {
	l := languages.Default().Named(language)
	return l.Classify(p) == languages.SourcePath && l.About().IsRelated(p)
}

// Present distinguishes an empty file from an absent one.
func Present(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// Parse reads code; of no file it gives none.
func Parse(language, path string, src []byte) (*File, error) {
	if src == nil {
		return nil, nil
	}
	root, errs, err := syntax.Nodes(language, src)
	if err != nil {
		return nil, err
	}
	return newFile(language, path, src, root, errs), nil
}
