package retrieve

import (
	"bytes"
	"fmt"
	"strings"

	"assay/languages/syntax"
)

// Tree is a repository.
type Tree interface {
	Paths() []string // sorted
	Read(path string) ([]byte, error)
}

// largest bounds the files that are read, in bytes: larger ones are data, or
// generated.
const largest = 1 << 20

// File is a file that shares words with a text.
type File struct {
	Path  string
	Score float64
}

// Files ranks the files of a tree that include accepts, by path and content, the
// best one first. It leaves out binary files, files over 1 MiB, and files that
// share no word with the text.
func Files(t Tree, include func(path string) bool, text string) ([]File, error) {
	var paths, docs []string
	for _, p := range t.Paths() {
		if !include(p) {
			continue
		}
		data, err := t.Read(p)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", p, err)
		}
		if len(data) > largest || bytes.IndexByte(data, 0) >= 0 {
			continue
		}
		paths, docs = append(paths, p), append(docs, p+"\n"+string(data))
	}
	var out []File
	for _, h := range NewIndex(docs).Rank(text) {
		out = append(out, File{paths[h.Doc], h.Score})
	}
	return out, nil
}

// Function is a function, or a test case, that shares words with a text.
type Function struct {
	Path       string
	Name       string // with the classes around it, joined by "."
	Start, End int    // lines from 1, both included
	Score      float64
}

// Functions ranks the functions of some files, by path, name and content, the
// best one first. A file that parse cannot read has none.
func Functions(t Tree, parse func(src []byte) (*syntax.File, error), paths []string, text string) ([]Function, error) {
	var all []Function
	var docs []string
	for _, p := range paths {
		data, err := t.Read(p)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", p, err)
		}
		file, err := parse(data)
		if err != nil {
			continue
		}
		lines := strings.SplitAfter(string(data), "\n")
		for _, s := range file.Symbols {
			if s.Kind == syntax.Class {
				continue
			}
			f := Function{Path: p, Name: strings.Join(append(s.Parents[:len(s.Parents):len(s.Parents)], s.Name), "."), Start: s.Start, End: s.End}
			all, docs = append(all, f), append(docs, p+"\n"+f.Name+"\n"+strings.Join(lines[s.Start-1:min(s.End, len(lines))], ""))
		}
	}
	var out []Function
	for _, h := range NewIndex(docs).Rank(text) {
		f := all[h.Doc]
		f.Score = h.Score
		out = append(out, f)
	}
	return out, nil
}
