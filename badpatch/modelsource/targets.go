package modelsource

import (
	"bytes"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/badpatch/searchreplace"
	"assay/languages/syntax"
	"assay/llm/prompts"
)

// openedFile is a file with gold in it that a model may edit in places.
type openedFile struct {
	searchreplace.File
	file   *badpatch.ChangedFile
	scopes []scope
}

// scope is a function, or a declaration, that gold changes.
type scope struct {
	node  *syntax.Node
	twins []badpatch.ScopeCopy // in files that the model does not see
}

const (
	// longScope is from how many lines on only the surroundings of gold's lines
	// are shown, and longMargin how many lines those are.
	longScope, longMargin = 240, 60
	// defaultMargin is for decorators, fields and constants next to a
	// function.
	defaultMargin = 3
)

// targets are the functions that gold changes, with lines around them. Of
// copies in several files a model sees the first; its edits go to all.
func targets(s *badpatch.Subject, margin int) []openedFile {
	var out []openedFile
	twins := s.CopiedScopes()
	for _, f := range s.Files {
		if f.Gold == nil {
			continue
		}
		v := badpatch.View{File: f, Code: f.Gold, Changed: f.GoldLines()}
		t := openedFile{File: searchreplace.File{Path: f.Path, Text: f.After}, file: f}
		for _, n := range v.Scopes() {
			others := twins.Of(f, f.Gold.Text(n))
			if code.IsImport(n) || slices.ContainsFunc(others, func(c badpatch.ScopeCopy) bool { return c.File.Path < f.Path }) {
				continue
			}
			t.scopes = append(t.scopes, scope{n, others})
			t.Spans = append(t.Spans, spans(v, n, margin)...)
		}
		if t.Spans = searchreplace.Merged(t.Spans); len(t.Spans) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// spans are the lines of a scope that may be edited.
func spans(v badpatch.View, n *syntax.Node, margin int) []searchreplace.Span {
	whole := around(v.Code, searchreplace.Span{Start: n.Line, End: v.Code.EndLine(n)}, margin)
	if whole.End-whole.Start < longScope {
		return []searchreplace.Span{whole}
	}
	var out []searchreplace.Span
	for l := whole.Start; l <= whole.End; l++ {
		if v.Changed[l] {
			out = append(out, searchreplace.Span{Start: max(whole.Start, l-longMargin), End: min(whole.End, l+longMargin)})
		}
	}
	return out
}

// around widens a span by some lines, as far as these are of no other function
// and no import.
func around(c *code.File, s searchreplace.Span, margin int) searchreplace.Span {
	free := func(line int) bool {
		n := c.ScopeAt(line)
		return line >= 1 && line < len(c.Starts) && !code.IsImport(n) && (n == nil || !c.IsFunction(n))
	}
	for range margin {
		if free(s.Start - 1) {
			s.Start--
		}
		if free(s.End + 1) {
			s.End++
		}
	}
	return s
}

// functions are the spans as a prompt shows them.
func (t openedFile) functions() (shown []prompts.Function, ranges []prompts.Range) {
	all := code.Lines(t.Text)
	for _, s := range t.Spans {
		text := string(bytes.Join(all[s.Start-1:min(s.End, len(all))], nil))
		shown = append(shown, prompts.Function{Path: t.Path, Name: t.names(s), Start: s.Start, End: s.End, Text: strings.TrimRight(text, "\r\n")})
		ranges = append(ranges, prompts.Range{Path: t.Path, Start: s.Start, End: s.End})
	}
	return shown, ranges
}

// names are those of the functions in a span.
func (t openedFile) names(s searchreplace.Span) string {
	var out []string
	for _, sc := range t.scopes {
		n, c := sc.node, t.file.Gold
		if n.Line <= s.End && c.EndLine(n) >= s.Start && (c.IsFunction(n) || c.IsClass(n)) {
			out = append(out, c.Name(n))
		}
	}
	return strings.Join(out, ", ")
}

// mirror adds edits of a scope to its copies in other files.
func (t openedFile) mirror(edits map[string][]code.Edit) {
	for _, sc := range t.scopes {
		start, end := t.wholeLines(sc.node)
		for _, twin := range sc.twins {
			by := twin.Start - sc.node.Start
			other := twin.File.After
			if start+by < 0 || end+by > len(other) || !bytes.Equal(t.Text[start:end], other[start+by:end+by]) {
				continue // it is different there: indented, or among others
			}
			for _, e := range edits[t.Path] {
				if start <= e.Start && e.End <= end {
					edits[twin.File.Path] = append(edits[twin.File.Path], code.Shifted([]code.Edit{e}, by)...)
				}
			}
		}
	}
}

// wholeLines are the offsets of a node's lines.
func (t openedFile) wholeLines(n *syntax.Node) (start, end int) {
	start = t.file.Gold.Starts[n.Line-1]
	end = len(t.Text)
	if i := bytes.IndexByte(t.Text[n.End:], '\n'); i >= 0 {
		end = n.End + i + 1
	}
	return start, end
}
