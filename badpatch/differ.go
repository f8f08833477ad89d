package badpatch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"assay/badpatch/code"
	"assay/internal/patch"
	"assay/languages"
)

// spot is a line of a file, from 1.
type spot struct {
	path string
	line int
}

// difference is one change between a version of a file and a candidate's: the
// lines [from, to) of the version, counted from 0; none where text is only put
// in before line from.
type difference struct {
	path     string
	from, to int
	indent   int // of the first line that is put in; 0 if there is no such line
}

// comparison is where a candidate differs from gold and from base.
type comparison struct {
	gold, base []difference
	// spots are the lines of gold that differ, and the lines around what is put
	// in.
	spots map[spot]bool
}

// compare applies a candidate that the filter let pass.
func (s *Subject) compare(c Candidate) (comparison, error) {
	var out comparison
	all, err := s.texts(c)
	if err != nil {
		return out, err
	}
	for _, t := range all {
		out.gold = append(out.gold, differences(t.path, t.gold, t.text)...)
		out.base = append(out.base, differences(t.path, t.base, t.text)...)
	}
	out.spots = spotsOf(out.gold)
	return out, nil
}

// texts is one file in three versions; nil stands for no file.
type texts struct {
	path             string
	base, gold, text []byte
}

// texts are the files that a candidate or gold changes, sorted.
func (s *Subject) texts(c Candidate) ([]texts, error) {
	p, err := patch.Parse([]byte(c.Patch))
	if err != nil {
		return nil, fmt.Errorf("reading a candidate: %w", err)
	}
	changes, err := patch.Apply(s.Base, p)
	if err != nil {
		return nil, fmt.Errorf("applying a candidate: %w", err)
	}
	tree := changes.Over(s.Base)
	var out []texts
	for _, path := range s.pathsOf(changes) {
		t := texts{path: path}
		if t.text, err = textAt(tree, path); err != nil {
			return nil, err
		}
		if t.base, t.gold, err = s.versions(path); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// pathsOf are the files that a candidate or gold changes, sorted, without
// documents: no test reads them.
func (s *Subject) pathsOf(changes *patch.Changes) []string {
	set := map[string]bool{}
	for p := range changes.Write {
		set[p] = true
	}
	for _, p := range changes.Remove {
		set[p] = true
	}
	for _, f := range s.Gold.Files {
		set[f.Path()] = true
	}
	maps.DeleteFunc(set, func(p string, _ bool) bool {
		return s.Classify(p) == languages.DocPath && !code.IsSource(s.Language, p)
	})
	return slices.Sorted(maps.Keys(set))
}

// versions are the texts of a file at base and with gold.
func (s *Subject) versions(path string) (base, gold []byte, err error) {
	for _, f := range s.Files {
		if f.Path == path {
			return f.Before, f.After, nil
		}
	}
	if base, err = textAt(s.Base, path); err != nil {
		return nil, nil, err
	}
	gold, err = textAt(s.goldTree, path)
	return base, gold, err
}

// textAt is a file's text; nil where there is none.
func textAt(tree patch.Tree, path string) ([]byte, error) {
	entry, err := tree.Read(path)
	switch {
	case err == nil:
		return code.Present(entry.Data), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	}
	return nil, fmt.Errorf("reading %s: %w", path, err)
}

func differences(path string, version, text []byte) []difference {
	if bytes.Equal(version, text) {
		return nil
	}
	before, after := code.Lines(version), code.Lines(text)
	head, tail := same(before, after)
	// Most of a file is the same: that need not be compared line by line.
	middle := func(lines [][]byte) []byte { return bytes.Join(lines[head:len(lines)-tail], nil) }
	var out []difference
	for _, h := range code.HunksBetween(middle(before), middle(after)) {
		d := difference{path: path, from: head + h.From, to: head + h.To}
		if h.NewFrom < h.NewTo {
			d.indent = indentOf(after[head+h.NewFrom])
		}
		out = append(out, d)
	}
	return out
}

// same counts the lines that two texts begin and end with alike.
func same(a, b [][]byte) (head, tail int) {
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	for head+tail < len(a) && head+tail < len(b) && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	return head, tail
}

func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

func spotsOf(all []difference) map[spot]bool {
	out := map[spot]bool{}
	for _, d := range all {
		for l := d.from; l < d.to; l++ {
			out[spot{d.path, l + 1}] = true
		}
		if d.from == d.to {
			out[spot{d.path, d.from}], out[spot{d.path, d.from + 1}] = true, true
		}
	}
	return out
}
