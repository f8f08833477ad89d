package modelsource

import (
	"bytes"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
	"assay/llm/prompts"
)

// openedFile is a file with gold in it that a model may edit in places.
type openedFile struct {
	editable
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
		t := openedFile{editable: editable{path: f.Path, text: f.After}, file: f}
		for _, n := range v.Scopes() {
			others := twins.Of(f, f.Gold.Text(n))
			if code.IsImport(n) || slices.ContainsFunc(others, func(c badpatch.ScopeCopy) bool { return c.File.Path < f.Path }) {
				continue
			}
			t.scopes = append(t.scopes, scope{n, others})
			t.spans = append(t.spans, spans(v, n, margin)...)
		}
		if t.spans = merged(t.spans); len(t.spans) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// spans are the lines of a scope that may be edited.
func spans(v badpatch.View, n *syntax.Node, margin int) []span {
	whole := around(v.Code, span{n.Line, v.Code.EndLine(n)}, margin)
	if whole.end-whole.start < longScope {
		return []span{whole}
	}
	var out []span
	for l := whole.start; l <= whole.end; l++ {
		if v.Changed[l] {
			out = append(out, span{max(whole.start, l-longMargin), min(whole.end, l+longMargin)})
		}
	}
	return out
}

// around widens a span by some lines, as far as these are of no other function
// and no import.
func around(c *code.File, s span, margin int) span {
	free := func(line int) bool {
		n := c.ScopeAt(line)
		return line >= 1 && line < len(c.Starts) && !code.IsImport(n) && (n == nil || !c.IsFunction(n))
	}
	for range margin {
		if free(s.start - 1) {
			s.start--
		}
		if free(s.end + 1) {
			s.end++
		}
	}
	return s
}

// merged joins spans that touch.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.start <= out[n-1].end+1 {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

// functions are the spans as a prompt shows them.
func (t openedFile) functions() (shown []prompts.Function, ranges []prompts.Range) {
	all := code.Lines(t.text)
	for _, s := range t.spans {
		text := string(bytes.Join(all[s.start-1:min(s.end, len(all))], nil))
		shown = append(shown, prompts.Function{Path: t.path, Name: t.names(s), Start: s.start, End: s.end, Text: strings.TrimRight(text, "\r\n")})
		ranges = append(ranges, prompts.Range{Path: t.path, Start: s.start, End: s.end})
	}
	return shown, ranges
}

// names are those of the functions in a span.
func (t openedFile) names(s span) string {
	var out []string
	for _, sc := range t.scopes {
		n, c := sc.node, t.file.Gold
		if n.Line <= s.end && c.EndLine(n) >= s.start && (c.IsFunction(n) || c.IsClass(n)) {
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
			if start+by < 0 || end+by > len(other) || !bytes.Equal(t.text[start:end], other[start+by:end+by]) {
				continue // it is different there: indented, or among others
			}
			for _, e := range edits[t.path] {
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
	end = len(t.text)
	if i := bytes.IndexByte(t.text[n.End:], '\n'); i >= 0 {
		end = n.End + i + 1
	}
	return start, end
}
