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
	if len(diff) > MaxBytes {
		return nil, &TooLargeError{Size: len(diff), Limit: MaxBytes, Unit: "bytes"}
	}
	if n := bytes.Count(diff, []byte{'\n'}); n > maxLines {
		return nil, &TooLargeError{Size: n, Limit: maxLines, Unit: "lines"}
	}
	if len(bytes.TrimSpace(diff)) == 0 {
		return new(Patch), nil
	}
	sections, err := scan(diff)
	if err != nil {
		return nil, err
	}
	for _, sec := range sections {
		if err := sec.checkSafe(); err != nil {
			return nil, err
		}
	}
	return parseCanonical(sections)
}

// parseCanonical hands the repaired sections to go-gitdiff.
func parseCanonical(sections []*section) (*Patch, error) {
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
	for _, f := range p.Files {
		if err := f.checkSafe(); err != nil {
			return nil, err
		}
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
