package schemata

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// File is an original and its versions.
type File struct {
	dialect dialect
	code    *code.File
	bodies  []body
	// versions are texts of bodies, by the body's place and the version's number.
	versions map[int]map[int]string
}

// New makes a file without versions; ok is false where its language has no way of
// choosing.
func New(c *code.File) (*File, bool) {
	d, ok := dialectOf(c.Language)
	if !ok {
		return nil, false
	}
	return &File{dialect: d, code: c, bodies: bodiesOf(d, c), versions: map[int]map[int]string{}}, true
}

// Empty is the same file without versions.
func (f *File) Empty() *File {
	return &File{dialect: f.dialect, code: f.code, bodies: f.bodies, versions: map[int]map[int]string{}}
}

// Takes reports whether a version differs from the original in the bodies of
// functions only.
func (f *File) Takes(text []byte) bool {
	_, ok := versions(f.dialect, f.code.Src, f.bodies, text)
	return ok
}

// Add adds a version by its number, from 1; it reports whether the file takes it.
func (f *File) Add(number int, text []byte) bool {
	all, ok := versions(f.dialect, f.code.Src, f.bodies, text)
	if !ok {
		return false
	}
	for i, version := range all {
		if f.versions[i] == nil {
			f.versions[i] = map[int]string{}
		}
		f.versions[i][number] = version
	}
	return true
}

// Written is a file that chooses among versions.
type Written struct {
	Text  []byte
	parts []part
}

// part is lines of the written file, from 1: a version's branch, or with number
// 0 a whole function with the versions that are in it.
type part struct {
	first, last, number int
	within              []int
}

// Write writes the file with all versions that it has.
func (f *File) Write() (Written, error) {
	edits := []code.Edit{}
	var functions []*syntax.Node
	for i, b := range f.bodies {
		if len(f.versions[i]) == 0 {
			continue
		}
		functions = append(functions, b.fn)
		edits = append(edits, code.Edit{Start: b.start, End: b.end, Text: f.choice(i)})
	}
	if len(functions) > 0 {
		edits = append(edits, f.dialect.reader(f.code, functions)...)
	}
	text, ok := code.Apply(f.code.Src, edits)
	if !ok {
		return Written{}, fmt.Errorf("writing versions of %s: edits overlap", f.code.Path)
	}
	return Written{Text: text, parts: partsOf(text)}, nil
}

// The comments that mark the branches' lines.
const (
	beginChoice = "/* assay: choice */"
	endChoice   = "/* assay: end */"
	beginBranch = "/* assay: version %d */"
)

// choice is a body that is the version that the number says.
func (f *File) choice(i int) string {
	b := f.bodies[i]
	var out strings.Builder
	out.WriteString("\n" + beginChoice + "\n")
	for _, n := range slices.Sorted(maps.Keys(f.versions[i])) {
		fmt.Fprintf(&out, "if (%s) {\n"+beginBranch+"\n%s\n} else ", f.dialect.is(f.code, b.fn, n), n, f.versions[i][n])
	}
	fmt.Fprintf(&out, "{\n"+beginBranch+"\n%s\n}\n"+endChoice+"\n", 0, f.code.Src[b.start:b.end])
	return out.String()
}

// partsOf finds the parts by their comments.
func partsOf(text []byte) []part {
	var out []part
	whole, branch := -1, -1
	for i, line := range bytes.Split(text, []byte("\n")) {
		var number int
		switch s := string(line); {
		case s == beginChoice:
			whole, branch = len(out), -1
			out = append(out, part{first: i + 1, last: i + 1})
		case s == endChoice:
			out[whole].last = i + 2 // the closing bracket, where errors of the whole are
			if branch >= 0 {
				out[branch].last = i + 1
			}
			whole, branch = -1, -1
		case whole >= 0 && scanned(s, &number):
			if branch >= 0 {
				out[branch].last = i - 1
			}
			branch = -1
			if number > 0 {
				branch = len(out)
				out = append(out, part{first: i + 1, number: number})
				out[whole].within = append(out[whole].within, number)
			}
		}
	}
	return out
}

func scanned(line string, number *int) bool {
	n, err := fmt.Sscanf(line, beginBranch, number)
	return n == 1 && err == nil
}

// Blamed are the versions that an error at a line of the written file is about:
// the one whose branch it is in, which is certain, or else all of that function;
// none where the line is in no function that chooses.
func (w Written) Blamed(line int) (numbers []int, certain bool) {
	for _, p := range w.parts {
		switch {
		case line < p.first || line > p.last:
		case p.number > 0:
			return []int{p.number}, true
		default:
			numbers = p.within
		}
	}
	return numbers, false
}
