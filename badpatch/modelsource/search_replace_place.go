package modelsource

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch/code"
)

// span is a range of lines, from 1, both included.
type span struct{ start, end int }

// editable is a file, and the lines that may be edited.
type editable struct {
	path  string
	text  []byte
	spans []span
}

// place turns a block into an edit. The searched lines must be at exactly one
// place at which the edit is allowed: a model that sees a part of the file
// cannot know what is elsewhere. Lines that both sides share are context and
// may be outside. The errors are meant for the model.
func (f editable) place(b replacement) (code.Edit, *refusal) {
	head, tail := shared(b.search, b.replace)
	all := code.Lines(f.text)
	var found, allowed []int
	for i := 0; i+len(b.search) <= len(all); i++ {
		if !stands(all[i:i+len(b.search)], b.search) {
			continue
		}
		found = append(found, i)
		if f.allows(i+head, i+len(b.search)-tail) {
			allowed = append(allowed, i)
		}
	}
	switch {
	case len(found) == 0:
		return code.Edit{}, f.missing(all, b.search)
	case len(allowed) == 0:
		return code.Edit{}, &refusal{outOfRange, fmt.Sprintf("line %d of %s is outside of the lines that may be edited", found[0]+head+1, f.path)}
	case len(allowed) > 1:
		return code.Edit{}, &refusal{ambiguous, fmt.Sprintf("the searched lines, from %q on, occur %d times in %s: take more lines", b.search[0], len(allowed), f.path)}
	}
	from, to := allowed[0]+head, allowed[0]+len(b.search)-tail
	return replaceLines(all, from, to, b.replace[head:len(b.replace)-tail]), nil
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
func (f editable) allows(from, to int) bool {
	return slices.ContainsFunc(f.spans, func(s span) bool { return s.start <= from+1 && to <= s.end })
}

// missing explains why searched lines are not found.
func (f editable) missing(all [][]byte, search []string) *refusal {
	for _, line := range search {
		if !slices.ContainsFunc(all, func(have []byte) bool { return stands([][]byte{have}, []string{line}) }) {
			return &refusal{notFound, fmt.Sprintf("%s has no line %q", f.path, line)}
		}
	}
	return &refusal{notFound, fmt.Sprintf("%s has the searched lines, from %q on, but not one after the other", f.path, search[0])}
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

// placeAll turns the blocks of an answer into edits by path.
func placeAll(files []editable, blocks []replacement) (map[string][]code.Edit, *refusal) {
	out := map[string][]code.Edit{}
	for i, b := range blocks {
		no := func(cause, why string) *refusal { return &refusal{cause, fmt.Sprintf("block %d: %s", i+1, why)} }
		at := slices.IndexFunc(files, func(f editable) bool { return f.path == b.path })
		if at < 0 {
			return nil, no(outOfRange, fmt.Sprintf("no edits are allowed in %q, only in %s", b.path, paths(files)))
		}
		e, err := files[at].place(b)
		if err != nil {
			return nil, no(err.cause, err.why)
		}
		out[b.path] = append(out[b.path], e)
		if _, ok := code.Apply(files[at].text, out[b.path]); !ok {
			return nil, no(overlapping, "it changes lines that another block changes as well")
		}
	}
	return out, nil
}

func paths(files []editable) string {
	var out []string
	for _, f := range files {
		out = append(out, f.path)
	}
	return strings.Join(out, ", ")
}
