package tolerant

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/internal/patch"
)

// Files are the files that blocks are applied to.
type Files interface {
	// Paths are sorted.
	Paths() []string
	// Read wraps fs.ErrNotExist where there is no such file.
	Read(path string) ([]byte, error)
}

// Result is what blocks gave.
type Result struct {
	// Files have the new content of files that changed.
	Files map[string][]byte
	// Blocks are the outcomes of the blocks, in their order.
	Blocks []Outcome
}

// Outcome is the result of applying a block.
type Outcome struct {
	Path string `json:"path"`
	// How describes what was done with it; Refused why nothing was.
	How     string `json:"how,omitempty"`
	Refused string `json:"refused,omitempty"`
}

// Apply applies blocks in their order; one that cannot be applied is left out.
// Line numbers are those of the files as they are at the start. An error is one
// of reading files.
func Apply(language string, files Files, blocks []Block) (Result, error) {
	m, ok := mannerOf(language)
	if !ok {
		return Result{}, fmt.Errorf("the format is not known for %q", language)
	}
	a := applier{manner: m, files: files, open: map[string]*document{}}
	out := Result{Files: map[string][]byte{}}
	for _, b := range blocks {
		how, err := a.apply(&b)
		o := Outcome{Path: b.Path, How: how}
		var no refusal
		switch {
		case errors.As(err, &no):
			o.Refused = string(no)
		case err != nil:
			return out, err
		}
		out.Blocks = append(out.Blocks, o)
	}
	for p, d := range a.open {
		if d.moved != nil {
			out.Files[p] = d.text()
		}
	}
	return out, nil
}

// refusal is why a block cannot be applied.
type refusal string

func (r refusal) Error() string { return string(r) }

type applier struct {
	manner
	files Files
	open  map[string]*document
}

// apply applies a block, and returns how. It sets the block's path to that in the
// repository.
func (a *applier) apply(b *Block) (how string, err error) {
	if len(b.Code) == 0 {
		return "", refusal("the block has no code")
	}
	p, known := a.find(b.Path)
	if !known && !b.Insert {
		return "", refusal("there is no file " + b.Path + " to rewrite a function of")
	}
	if b.Path = p; patch.CheckPath(p) != nil {
		return "", refusal("the path leads out of the repository")
	}
	d := a.open[p]
	if d == nil {
		var text []byte
		if known {
			if text, err = a.files.Read(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("reading %s: %w", p, err)
			}
		}
		d = a.document(text)
	}
	if len(d.lines) == 0 {
		d.replace(1, 0, d.dedented(b.Code))
		a.open[p] = d
		return "new file", nil
	}
	if b.Insert {
		how, err = d.insertBlock(*b)
	} else {
		how, err = d.rewriteBlock(*b)
	}
	if err == nil {
		a.open[p] = d
	}
	return how, err
}

// find finds the file that a path is meant to name: itself, without a prefix that
// diffs have, or the only one that ends so.
func (a *applier) find(name string) (string, bool) {
	name = path.Clean(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))
	bare := name
	for _, prefix := range []string{"a/", "b/"} {
		bare = strings.TrimPrefix(bare, prefix)
	}
	var ending []string
	for _, have := range a.paths() {
		switch {
		case have == name:
			return have, true
		case have == bare:
			return have, true
		case strings.HasSuffix(have, "/"+bare), strings.HasSuffix(bare, "/"+have) && strings.Contains(have, "/"):
			ending = append(ending, have)
		}
	}
	if len(ending) == 1 {
		return ending[0], true
	}
	return name, false
}

// paths are those of all files, with those that blocks have made.
func (a *applier) paths() []string {
	out := slices.Clone(a.files.Paths())
	for p := range a.open {
		out = append(out, p)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
