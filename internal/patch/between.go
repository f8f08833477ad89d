package patch

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"
	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// contextLines is the context around changes, git's default.
const contextLines = 3

// Between is the git diff that turns the old content of a file into the new
// one; nil when they are equal. A nil slice, other than an empty one, stands for
// no file: the diff then creates or deletes it. Content is taken as text.
func Between(path string, old, new []byte) []byte {
	if bytes.Equal(old, new) && (old == nil) == (new == nil) {
		return nil
	}
	file := &gitdiff.File{OldName: path, NewName: path}
	switch {
	case old == nil:
		file.OldName, file.IsNew, file.NewMode = "", true, 0o100644
	case new == nil:
		file.NewName, file.IsDelete, file.OldMode = "", true, 0o100644
	}
	file.TextFragments = fragments(string(old), string(new))
	return []byte(file.String())
}

// edit replaces the lines [start, end) of the old file.
type edit struct {
	start, end int
	lines      [][]byte
}

// fragments groups the edits between two texts into hunks.
func fragments(old, new string) []*gitdiff.TextFragment {
	lines := splitLines([]byte(old))
	edits := lineEdits(lines, udiff.Lines(old, new))
	var out []*gitdiff.TextFragment
	shift := 0
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].start-edits[n-1].end <= 2*contextLines {
			n++
		}
		hunk := fragment(lines, edits[:n], shift)
		shift += int(hunk.NewLines - hunk.OldLines)
		out = append(out, hunk)
		edits = edits[n:]
	}
	return out
}

// lineEdits turns edits at byte offsets, which udiff.Lines keeps to starts of
// lines, into edits at lines.
func lineEdits(lines [][]byte, edits []udiff.Edit) []edit {
	var out []edit
	at, offset := 0, 0
	seek := func(to int) int {
		for at < len(lines) && offset < to {
			offset += len(lines[at])
			at++
		}
		return at
	}
	for _, e := range edits {
		start := seek(e.Start)
		out = append(out, edit{start: start, end: seek(e.End), lines: splitLines([]byte(e.New))})
	}
	return out
}

// fragment writes one hunk. shift is how many lines the hunks before it add.
func fragment(lines [][]byte, edits []edit, shift int) *gitdiff.TextFragment {
	first := max(edits[0].start-contextLines, 0)
	last := min(edits[len(edits)-1].end+contextLines, len(lines))
	hunk := new(gitdiff.TextFragment)
	at := first
	for _, e := range edits {
		addLines(hunk, gitdiff.OpContext, lines[at:e.start])
		addLines(hunk, gitdiff.OpDelete, lines[e.start:e.end])
		addLines(hunk, gitdiff.OpAdd, e.lines)
		at = e.end
	}
	addLines(hunk, gitdiff.OpContext, lines[at:last])
	hunk.OldPosition, hunk.NewPosition = int64(first), int64(first+shift)
	if hunk.OldLines > 0 {
		hunk.OldPosition++
	}
	if hunk.NewLines > 0 {
		hunk.NewPosition++
	}
	return hunk
}

func addLines(hunk *gitdiff.TextFragment, op gitdiff.LineOp, lines [][]byte) {
	for _, line := range lines {
		hunk.Lines = append(hunk.Lines, gitdiff.Line{Op: op, Line: string(line)})
	}
	if op != gitdiff.OpAdd {
		hunk.OldLines += int64(len(lines))
	}
	if op != gitdiff.OpDelete {
		hunk.NewLines += int64(len(lines))
	}
}
