package searchreplace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch/code"
)

// Span is a range of lines, from 1, both included.
type Span struct{ Start, End int }

// File is a file, and the lines that may be edited.
type File struct {
	Path  string
	Text  []byte
	Spans []Span
}

// Refusal is why an answer cannot be used: a cause to count, and the reason in
// words that the model gets.
type Refusal struct{ Cause, Why string }

func (r *Refusal) Error() string { return r.Why }

// The causes of refusals.
const (
	NotFound    = "searched text not found"
	Ambiguous   = "searched text found more than once"
	OutOfRange  = "edit outside of the ranges"
	Overlapping = "edits overlap"
)

// place turns a block into an edit. The searched lines must be at exactly one
// place at which the edit is allowed: a model that sees a part of the file
// cannot know what is elsewhere. Lines that both sides share are context and
// may be outside. The errors are meant for the model.
func (f File) place(b Block) (code.Edit, *Refusal) {
	head, tail := shared(b.Search, b.Replace)
	all := code.Lines(f.Text)
	var found, allowed []int
	for i := 0; i+len(b.Search) <= len(all); i++ {
		if !stands(all[i:i+len(b.Search)], b.Search) {
			continue
		}
		found = append(found, i)
		if f.allows(i+head, i+len(b.Search)-tail) {
			allowed = append(allowed, i)
		}
	}
	switch {
	case len(found) == 0:
		return code.Edit{}, f.missing(all, b.Search)
	case len(allowed) == 0:
		return code.Edit{}, &Refusal{OutOfRange, fmt.Sprintf("line %d of %s is outside of the lines that may be edited", found[0]+head+1, f.Path)}
	case len(allowed) > 1:
		return code.Edit{}, &Refusal{Ambiguous, fmt.Sprintf("the searched lines, from %q on, occur %d times in %s: take more lines", b.Search[0], len(allowed), f.Path)}
	}
	from, to := allowed[0]+head, allowed[0]+len(b.Search)-tail
	return replaceLines(all, from, to, b.Replace[head:len(b.Replace)-tail]), nil
}

// shared counts the lines at the start and the end that are the same.
func shared(a, b []string) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func stands(at [][]byte, search []string) bool {
	for i, line := range search {
		if string(bytes.TrimRight(at[i], "\r\n")) != line {
			return false
		}
	}
	return true
}

// allows reports whether the lines [from, to), counted from 0, are in one
// allowed range. Only an insertion has no lines; it may also be right after a
// range.
func (f File) allows(from, to int) bool {
	return slices.ContainsFunc(f.Spans, func(s Span) bool { return s.Start <= from+1 && to <= s.End })
}

// missing explains why searched lines are not found.
func (f File) missing(all [][]byte, search []string) *Refusal {
	for _, line := range search {
		if !slices.ContainsFunc(all, func(have []byte) bool { return stands([][]byte{have}, []string{line}) }) {
			return &Refusal{NotFound, fmt.Sprintf("%s has no line %q", f.Path, line)}
		}
	}
	return &Refusal{NotFound, fmt.Sprintf("%s has the searched lines, from %q on, but not one after the other", f.Path, search[0])}
}

// replaceLines is the edit that puts new lines in place of [from, to), with the
// file's line ends.
func replaceLines(all [][]byte, from, to int, with []string) code.Edit {
	end := "\n"
	if len(all) > 0 && bytes.HasSuffix(all[0], []byte("\r\n")) {
		end = "\r\n"
	}
	e := code.Edit{}
	for _, l := range all[:from] {
		e.Start += len(l)
	}
	e.End = e.Start
	for _, l := range all[from:to] {
		e.End += len(l)
	}
	if len(with) == 0 {
		return e
	}
	e.Text = strings.Join(with, end) + end
	if open := to == len(all) && !bytes.HasSuffix(all[to-1], []byte("\n")); open {
		e.Text = strings.TrimSuffix(e.Text, end)
		if from == to {
			e.Text = end + e.Text
		}
	}
	return e
}

// Place turns the blocks of an answer into edits by path.
func Place(files []File, blocks []Block) (map[string][]code.Edit, *Refusal) {
	out := map[string][]code.Edit{}
	for i, b := range blocks {
		no := func(cause, why string) *Refusal { return &Refusal{cause, fmt.Sprintf("block %d: %s", i+1, why)} }
		at := slices.IndexFunc(files, func(f File) bool { return f.Path == b.Path })
		if at < 0 {
			return nil, no(OutOfRange, fmt.Sprintf("no edits are allowed in %q, only in %s", b.Path, paths(files)))
		}
		e, err := files[at].place(b)
		if err != nil {
			return nil, no(err.Cause, err.Why)
		}
		out[b.Path] = append(out[b.Path], e)
		if _, ok := code.Apply(files[at].Text, out[b.Path]); !ok {
			return nil, no(Overlapping, "it changes lines that another block changes as well")
		}
	}
	return out, nil
}

// Merged joins spans that overlap or touch, in order.
func Merged(spans []Span) []Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End+1 {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

func paths(files []File) string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return strings.Join(out, ", ")
}
