package patch

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// MaxBytes is the size of the largest diff that Parse takes.
const MaxBytes = 20 << 20

// maxLines bounds the memory for a diff of very short lines.
const maxLines = 1_000_000

// Parse reads a diff. Text before, between and after the files is skipped, so
// mail and Markdown around a diff do no harm; blank input is a Patch without
// files.
//
// What is repaired: counts in hunk headers, hunks out of order, blank context
// lines stripped to nothing, a missing last newline, carriage returns that a
// transport added to every line. Text that is not a diff, or is damaged so that
// changes could be lost, is a *ParseError; paths that could leave the tree are
// an *UnsafeError; more than MaxBytes is a *TooLargeError.
func Parse(diff []byte) (*Patch, error) {
	p, _, err := ParseTolerant(diff, func(string) bool { return false })
	return p, err
}

// Dropped is a file that was left out of a patch.
type Dropped struct {
	Path   string
	Reason string
}

// ParseTolerant reads a diff as Parse does, but leaves out files that no tree
// can take (nested repositories, links out of the tree, binary changes
// without data) where droppable says about their path that nothing hangs on
// them. A path that itself could leave the tree is always an error.
func ParseTolerant(diff []byte, droppable func(path string) bool) (*Patch, []Dropped, error) {
	if len(diff) > MaxBytes {
		return nil, nil, &TooLargeError{Size: len(diff), Limit: MaxBytes, Unit: "bytes"}
	}
	if n := bytes.Count(diff, []byte{'\n'}); n > maxLines {
		return nil, nil, &TooLargeError{Size: n, Limit: maxLines, Unit: "lines"}
	}
	if len(bytes.TrimSpace(diff)) == 0 {
		return new(Patch), nil, nil
	}
	sections, err := scan(diff)
	if err != nil {
		return nil, nil, err
	}
	var dropped []Dropped
	kept := sections[:0]
	for _, sec := range sections {
		if err := sec.checkPaths(); err != nil {
			return nil, nil, err
		}
		switch err := sec.checkModes(); {
		case err == nil:
			kept = append(kept, sec)
		case droppable(sec.path()):
			dropped = append(dropped, Dropped{sec.path(), err.Reason})
		default:
			return nil, nil, err
		}
	}
	p, err := parseCanonical(kept)
	if err != nil {
		return nil, nil, err
	}
	more, err := p.drop(droppable)
	if err != nil {
		return nil, nil, err
	}
	return p, append(dropped, more...), nil
}

// drop takes out the droppable files that no tree can take, and refuses others.
func (p *Patch) drop(droppable func(path string) bool) ([]Dropped, error) {
	var dropped []Dropped
	kept := p.Files[:0]
	for _, f := range p.Files {
		err := f.checkSafe()
		switch {
		case err != nil && !droppable(f.Path()):
			return nil, err
		case err != nil:
			dropped = append(dropped, Dropped{f.Path(), "symbolic link out of the tree"})
		case f.dataless() && droppable(f.Path()):
			dropped = append(dropped, Dropped{f.Path(), "binary change without data"})
		default:
			kept = append(kept, f)
		}
	}
	p.Files = kept
	return dropped, nil
}

// dataless holds for a binary change that the diff only mentions.
func (f *File) dataless() bool { return f.Binary && f.diff.BinaryFragment == nil }

// parseCanonical hands the repaired sections to go-gitdiff.
func parseCanonical(sections []*section) (*Patch, error) {
	if len(sections) == 0 {
		return new(Patch), nil
	}
	text, origin := canonical(sections)
	parsed, _, err := gitdiff.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, located(err, origin)
	}
	if len(parsed) != len(sections) {
		return nil, &ParseError{Msg: fmt.Sprintf("found %d files, but read %d", len(sections), len(parsed))}
	}
	p := new(Patch)
	for _, file := range parsed {
		p.Files = append(p.Files, newFile(file))
	}
	return p, nil
}

// located turns an error of go-gitdiff, which names a line of the canonical
// text, into one that names the line of the input it came from.
func located(err error, origin []int) error {
	msg := strings.TrimPrefix(err.Error(), "gitdiff: ")
	var line int
	if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
		_, msg, _ = strings.Cut(msg, ": ")
	}
	if line < 1 || line > len(origin) {
		return &ParseError{Msg: msg}
	}
	return &ParseError{Line: origin[line-1], Msg: msg}
}

func newFile(diff *gitdiff.File) *File {
	f := &File{
		OldPath: diff.OldName,
		NewPath: diff.NewName,
		New:     diff.IsNew,
		Deleted: diff.IsDelete,
		Renamed: diff.IsRename,
		Copied:  diff.IsCopy,
		Binary:  diff.IsBinary,
		OldMode: uint32(diff.OldMode),
		NewMode: uint32(diff.NewMode),
		diff:    diff,
	}
	switch {
	case f.New:
		f.OldPath = ""
	case f.Deleted:
		f.NewPath = ""
	case f.NewMode == 0:
		f.NewMode = f.OldMode
	}
	return f
}
