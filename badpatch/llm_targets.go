package badpatch

import (
	"bytes"
	"slices"
	"strings"

	"assay/languages/syntax"
	"assay/llm/prompts"
)

// openedFile is a file with gold in it that a model may edit in places.
type openedFile struct {
	editable
	file   *change
	scopes []scope
}

// scope is a function, or a declaration, that gold changes.
type scope struct {
	node  *syntax.Node
	twins []copied // in files that the model does not see
}

const (
	// longScope is from how many lines on only the surroundings of gold's lines
	// are shown, and longMargin how many lines those are.
	longScope, longMargin = 240, 60
	// defaultMargin is for decorators, fields and constants beside a function.
	defaultMargin = 3
)

// targets are the functions that gold changes, with lines round them. Of copies
// in several files a model sees the first; its edits go to all.
func (s *Subject) targets(margin int) []openedFile {
	var out []openedFile
	twins := s.twinScopes()
	for _, f := range s.files {
		if f.gold == nil {
			continue
		}
		v := view{f, f.gold, f.goldLines()}
		t := openedFile{editable: editable{path: f.path, text: f.after}, file: f}
		for _, n := range v.scopes() {
			others := twins.of(f, f.gold.text(n))
			if isImport(n) || slices.ContainsFunc(others, func(c copied) bool { return c.file.path < f.path }) {
				continue
			}
			t.scopes = append(t.scopes, scope{n, others})
			t.spans = append(t.spans, v.spans(n, margin)...)
		}
		if t.spans = merged(t.spans); len(t.spans) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func isImport(n *syntax.Node) bool {
	return is(n, "import_statement", "import_from_statement", "future_import_statement", "import_declaration", "package_declaration",
		"preproc_include", "using_declaration")
}

// spans are the lines of a scope that may be edited.
func (v view) spans(n *syntax.Node, margin int) []span {
	whole := v.code.around(span{n.Line, v.code.endLine(n)}, margin)
	if whole.end-whole.start < longScope {
		return []span{whole}
	}
	var out []span
	for l := whole.start; l <= whole.end; l++ {
		if v.changed[l] {
			out = append(out, span{max(whole.start, l-longMargin), min(whole.end, l+longMargin)})
		}
	}
	return out
}

// around widens a span by some lines, as far as these are of no other function
// and no import.
func (c *code) around(s span, margin int) span {
	free := func(line int) bool {
		n := c.scopeAt(line)
		return line >= 1 && line < len(c.starts) && !isImport(n) && (n == nil || !c.isFunction(n))
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
	all := lines(t.text)
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
		n, c := sc.node, t.file.gold
		if n.Line <= s.end && c.endLine(n) >= s.start && (c.isFunction(n) || c.isClass(n)) {
			out = append(out, c.name(n))
		}
	}
	return strings.Join(out, ", ")
}

// mirror adds edits of a scope to its copies in other files.
func (t openedFile) mirror(edits map[string][]edit) {
	for _, sc := range t.scopes {
		start, end := t.wholeLines(sc.node)
		for _, twin := range sc.twins {
			by := twin.start - sc.node.Start
			other := twin.file.after
			if start+by < 0 || end+by > len(other) || !bytes.Equal(t.text[start:end], other[start+by:end+by]) {
				continue // it stands otherwise there: indented, or among others
			}
			for _, e := range edits[t.path] {
				if start <= e.start && e.end <= end {
					edits[twin.file.path] = append(edits[twin.file.path], shifted([]edit{e}, by)...)
				}
			}
		}
	}
}

// wholeLines are the offsets of a node's lines.
func (t openedFile) wholeLines(n *syntax.Node) (start, end int) {
	start = t.file.gold.starts[n.Line-1]
	end = len(t.text)
	if i := bytes.IndexByte(t.text[n.End:], '\n'); i >= 0 {
		end = n.End + i + 1
	}
	return start, end
}
