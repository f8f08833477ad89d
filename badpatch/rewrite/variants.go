// Package rewrite makes good variants: gold in other words, with the same
// behaviour.
package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/bench"
	"assay/languages/syntax"
)

// Variants rewrites gold so that it does the same in other words: a test that
// looks for gold's text in the source, in place of running it, passes gold
// and fails these. The first takes all rewrites together, the others one
// each, for where the first does not behave as gold does, which only the
// tests can show; the last, which only adds blanks, is for where there is nothing
// else. Only variants that differ from gold and from one another
// are returned; there are none where nothing of gold can be rewritten.
func Variants(s *badpatch.Subject) ([]bench.GoodVariant, error) {
	all := rewrites()
	lists := [][]rewriting{all}
	for _, r := range append(all, rewriting{"respace", respace}) {
		lists = append(lists, []rewriting{r})
	}
	var out []bench.GoodVariant
	seen := map[string]bool{}
	for i, list := range lists {
		texts := map[string][]byte{}
		fresh := freshNames(s)
		for _, f := range s.Files {
			if f.Gold == nil {
				continue
			}
			text, err := rewritten(s, f, list, fresh)
			if err != nil {
				return nil, err
			}
			texts[f.Path] = text
		}
		diff, err := s.Diff(texts, true)
		if err != nil {
			return nil, err
		}
		if seen[diff] || unchanged(s, texts) {
			continue
		}
		seen[diff] = true
		name := "rewrite/all"
		if i > 0 {
			name = "rewrite/" + list[0].name
		}
		out = append(out, bench.GoodVariant{Index: len(out), Source: name, Patch: diff})
	}
	return out, nil
}

func unchanged(s *badpatch.Subject, texts map[string][]byte) bool {
	for _, f := range s.Files {
		if text, ok := texts[f.Path]; ok && string(text) != string(f.After) {
			return false
		}
	}
	return true
}

// rewriting is one way of saying the same otherwise.
type rewriting struct {
	name string
	edit func(d draft) []code.Edit
}

func rewrites() []rewriting {
	return []rewriting{
		{"rename-new", renameNew},
		{"rename-locals", renameLocals},
		{"invert-if", invertIf},
		{"reorder", reorder},
		{"temporary", temporary},
		{"parenthesise", parenthesise},
	}
}

// Function rewrites one function in the first of the ways that changes it,
// and reports which. c is the version of the file that holds it. New names
// are not for it, nor parentheses, which no one would notice; not ok means
// that no other way fits.
func Function(s *badpatch.Subject, f *badpatch.ChangedFile, c *code.File, fn *syntax.Node) (text []byte, how string, ok bool) {
	marked := map[int]bool{}
	for l := fn.Line; l <= c.EndLine(fn); l++ {
		marked[l] = true
	}
	for _, r := range rewrites() {
		edits := r.edit(draft{c, s, badpatch.View{File: f, Code: c, Changed: marked}, freshNames(s)})
		if r.name == "rename-new" || r.name == "parenthesise" || len(edits) == 0 {
			continue
		}
		if text, ok := code.Apply(c.Src, edits); ok {
			return text, r.name, true
		}
	}
	return nil, "", false
}

// draft is a file on its way from gold to a variant.
type draft struct {
	*code.File
	subject *badpatch.Subject
	view    badpatch.View // with gold's lines, in numbers of this text
	fresh   *names
}

// rewritten applies rewrites one after the other. One that the grammar does not
// take is left out.
func rewritten(s *badpatch.Subject, f *badpatch.ChangedFile, list []rewriting, fresh *names) ([]byte, error) {
	c, marked := f.Gold, marked(f)
	for _, r := range list {
		edits := r.edit(draft{c, s, badpatch.View{File: f, Code: c, Changed: marked}, fresh})
		text, ok := code.Apply(c.Src, edits)
		if !ok || len(edits) == 0 {
			continue
		}
		next, err := code.Parse(s.Language, f.Path, text)
		if err != nil {
			return nil, fmt.Errorf("parsing %s after %s: %w", f.Path, r.name, err)
		}
		if next.Errors <= c.Errors {
			marked = follow(marked, c.Src, text)
			c = next
		}
	}
	return c.Src, nil
}

// marked are the lines that gold adds; where it only takes away, the functions
// from which it does.
func marked(f *badpatch.ChangedFile) map[int]bool {
	out := map[int]bool{}
	for _, h := range f.Hunks {
		for l := h.NewFrom; l < h.NewTo; l++ {
			out[l+1] = true
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, n := range (badpatch.View{File: f, Code: f.Gold, Changed: f.GoldLines()}).Scopes() {
		for l := n.Line; l <= f.Gold.EndLine(n); l++ {
			out[l] = true
		}
	}
	return out
}

// follow finds marked lines again after a rewrite, with what took their place.
func follow(marked map[int]bool, before, after []byte) map[int]bool {
	out := map[int]bool{}
	at, to := 0, 0
	hunks := append(code.HunksBetween(before, after), code.Hunk{From: len(code.Lines(before)), To: len(code.Lines(before)), NewFrom: len(code.Lines(after)), NewTo: len(code.Lines(after))})
	for _, h := range hunks {
		for ; at < h.From; at, to = at+1, to+1 {
			if marked[at+1] {
				out[to+1] = true
			}
		}
		hit := h.From == h.To && marked[at+1]
		for ; at < h.To; at++ {
			hit = hit || marked[at+1]
		}
		for ; to < h.NewTo; to++ {
			if hit {
				out[to+1] = true
			}
		}
	}
	return out
}

// functions are the functions that gold changes.
func (d draft) functions() []*syntax.Node {
	var out []*syntax.Node
	for _, n := range d.view.Scopes() {
		if d.IsFunction(n) {
			out = append(out, n)
		}
	}
	return out
}

// on reports whether a node begins on a line of gold's.
func (d draft) on(n *syntax.Node) bool { return d.view.Changed[n.Line] }

// names gives names that none of the files has.
type names struct {
	used string
	next int
}

func freshNames(s *badpatch.Subject) *names {
	var all strings.Builder
	for _, f := range s.Files {
		all.Write(f.Before)
		all.Write(f.After)
	}
	return &names{used: all.String()}
}

func (n *names) take() string {
	for {
		n.next++
		if name := fmt.Sprintf("value%d", n.next); !strings.Contains(n.used, name) {
			return name
		}
	}
}

// outermost keeps edits that do not overlap, earlier and longer ones first.
func outermost(edits []code.Edit) []code.Edit {
	slices.SortStableFunc(edits, code.InOrder)
	var out []code.Edit
	for _, e := range edits {
		if len(out) == 0 || e.Start >= out[len(out)-1].End {
			out = append(out, e)
		}
	}
	return out
}
