package patch

import (
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Git's modes for the entries of a tree.
const (
	ModeFile       uint32 = 0o100644
	ModeExecutable uint32 = 0o100755
	ModeSymlink    uint32 = 0o120000

	modeSubmodule uint32 = 0o160000
	modeTypeMask  uint32 = 0o170000
)

// Patch is a parsed diff. It is read-only and safe for concurrent use.
type Patch struct {
	Files []*File
}

// File is the change of one file. Its fields are for reading only.
type File struct {
	OldPath, NewPath string // OldPath is empty for a new file, NewPath for a deleted one

	New, Deleted, Renamed, Copied bool

	Binary bool

	// OldMode and NewMode are git modes such as 0o100644, and 0 where the diff
	// does not state them.
	OldMode, NewMode uint32

	diff *gitdiff.File
}

// LineRange is a run of lines: Start to End, counted from 1, both inclusive.
type LineRange struct {
	Start, End int
}

// PathsIn lists the paths that a diff names, old and new, sorted; none where
// it is not a diff.
func PathsIn(text string) []string {
	p, err := Parse([]byte(text))
	if err != nil {
		return nil
	}
	return p.Paths()
}

// Path is the path that the file is known by afterwards; for a deleted file,
// the one it had.
func (f *File) Path() string {
	if f.Deleted {
		return f.OldPath
	}
	return f.NewPath
}

// Added counts the added lines; a binary change has none.
func (f *File) Added() int { return f.count(gitdiff.OpAdd) }

// Removed counts the removed lines; a binary change has none.
func (f *File) Removed() int { return f.count(gitdiff.OpDelete) }

// Hunks counts the hunks of a text change.
func (f *File) Hunks() int { return len(f.hunks()) }

// hunks is empty for a File that did not come from Parse.
func (f *File) hunks() []*gitdiff.TextFragment {
	if f.diff == nil {
		return nil
	}
	return f.diff.TextFragments
}

func (f *File) count(op gitdiff.LineOp) int {
	n := 0
	for _, hunk := range f.hunks() {
		for _, line := range hunk.Lines {
			if line.Op == op {
				n++
			}
		}
	}
	return n
}

// AddedLines returns the runs of added lines, in line numbers of the new file as
// the diff counts them (before any offset found in applying it).
func (f *File) AddedLines() []LineRange {
	return f.ranges(gitdiff.OpAdd, func(h *gitdiff.TextFragment) int64 { return h.NewPosition }, gitdiff.Line.New)
}

// AddedText returns the text of each run of added lines.
func (f *File) AddedText() []string {
	var out []string
	for _, hunk := range f.hunks() {
		run := ""
		for _, line := range hunk.Lines {
			if line.Op == gitdiff.OpAdd {
				run += line.Line
				continue
			}
			if run != "" {
				out, run = append(out, run), ""
			}
		}
		if run != "" {
			out = append(out, run)
		}
	}
	return out
}

// RemovedLines returns the runs of removed lines, in line numbers of the old file
// as the diff counts them.
func (f *File) RemovedLines() []LineRange {
	return f.ranges(gitdiff.OpDelete, func(h *gitdiff.TextFragment) int64 { return h.OldPosition }, gitdiff.Line.Old)
}

// ranges collects the lines with the given operation, counting those that the
// wanted side has from the position of each hunk.
func (f *File) ranges(op gitdiff.LineOp, position func(*gitdiff.TextFragment) int64, has func(gitdiff.Line) bool) []LineRange {
	var out []LineRange
	for _, hunk := range f.hunks() {
		at := int(position(hunk))
		for _, line := range hunk.Lines {
			if line.Op == op {
				out = extend(out, at)
			}
			if has(line) {
				at++
			}
		}
	}
	return out
}

func extend(ranges []LineRange, line int) []LineRange {
	if n := len(ranges); n > 0 && ranges[n-1].End == line-1 {
		ranges[n-1].End = line
		return ranges
	}
	return append(ranges, LineRange{Start: line, End: line})
}

// Empty reports whether the patch changes no file.
func (p *Patch) Empty() bool { return len(p.Files) == 0 }

// Paths returns every path that the patch touches, old and new, sorted.
func (p *Patch) Paths() []string {
	var paths []string
	for _, f := range p.Files {
		for _, path := range []string{f.OldPath, f.NewPath} {
			if path != "" {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Split divides the patch by path. A rename or copy goes to in when either of
// its sides matches. The parts share the files of p.
func (p *Patch) Split(match func(path string) bool) (in, rest *Patch) {
	in, rest = new(Patch), new(Patch)
	for _, f := range p.Files {
		part := rest
		if f.OldPath != "" && match(f.OldPath) || f.NewPath != "" && match(f.NewPath) {
			part = in
		}
		part.Files = append(part.Files, f)
	}
	return in, rest
}

// Complexity is OmniCode's measure of a patch (section 4): files + hunks +
// (added lines + removed lines) / 10.
func (p *Patch) Complexity() float64 {
	paths, hunks, lines := make(map[string]bool), 0, 0
	for _, f := range p.Files {
		paths[f.Path()] = true
		hunks += f.Hunks()
		lines += f.Added() + f.Removed()
	}
	return float64(len(paths)+hunks) + float64(lines)/10
}

// Bytes writes the patch as a git diff. Repairs made in parsing stay in; text
// around the diff does not.
func (p *Patch) Bytes() []byte {
	var out strings.Builder
	for _, f := range p.Files {
		if f.diff != nil {
			out.WriteString(f.diff.String())
		}
	}
	return []byte(out.String())
}
