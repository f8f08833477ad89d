package badpatch

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/syntax"
)

// Variants rewrites gold so that it does the same in other words: a test that
// looks for gold's text in the source, in place of running it, passes gold and
// fails these. The first takes all rewrites together, the others one each, for
// where the first proves not to behave as gold does: that, only the tests tell.
// There are as many as differ from gold and from one another, none where gold
// leaves nothing to rewrite.
func Variants(s *Subject) ([]bench.Variant, error) {
	all := rewrites()
	lists := [][]rewrite{all}
	for _, r := range all {
		lists = append(lists, []rewrite{r})
	}
	var out []bench.Variant
	seen := map[string]bool{}
	for i, list := range lists {
		texts := map[string][]byte{}
		fresh := s.freshNames()
		for _, f := range s.files {
			if f.gold == nil {
				continue
			}
			text, err := s.rewritten(f, list, fresh)
			if err != nil {
				return nil, err
			}
			texts[f.path] = text
		}
		diff, err := s.diff(texts, true)
		if err != nil {
			return nil, err
		}
		if seen[diff] || s.unchanged(texts) {
			continue
		}
		seen[diff] = true
		name := "rewrite/all"
		if i > 0 {
			name = "rewrite/" + list[0].name
		}
		out = append(out, bench.Variant{Index: len(out), Source: name, Patch: diff})
	}
	return out, nil
}

func (s *Subject) unchanged(texts map[string][]byte) bool {
	for _, f := range s.files {
		if text, ok := texts[f.path]; ok && string(text) != string(f.after) {
			return false
		}
	}
	return true
}

// rewrite is one way of saying the same otherwise.
type rewrite struct {
	name string
	edit func(d draft) []edit
}

func rewrites() []rewrite {
	return []rewrite{
		{"rename-new", renameNew},
		{"rename-locals", renameLocals},
		{"invert-if", invertIf},
		{"reorder", reorder},
		{"temporary", temporary},
		{"parenthesise", parenthesise},
	}
}

// RewriteFunction rewrites one function in the first of the ways that changes
// it, and says which. c is the version of the file that holds it. New names
// are not for it, nor parentheses, which nobody would notice; not ok means that
// no other way fits.
func RewriteFunction(s *Subject, f *change, c *code, fn *syntax.Node) (text []byte, how string, ok bool) {
	marked := map[int]bool{}
	for l := fn.Line; l <= c.endLine(fn); l++ {
		marked[l] = true
	}
	for _, r := range rewrites() {
		edits := r.edit(draft{c, s, view{f, c, marked}, s.freshNames()})
		if r.name == "rename-new" || r.name == "parenthesise" || len(edits) == 0 {
			continue
		}
		if text, ok := apply(c.src, edits); ok {
			return text, r.name, true
		}
	}
	return nil, "", false
}

// draft is a file on its way from gold to a variant.
type draft struct {
	*code
	subject *Subject
	view    view // with gold's lines, in numbers of this text
	fresh   *names
}

// rewritten applies rewrites one after the other. One that the grammar does not
// take is left out.
func (s *Subject) rewritten(f *change, list []rewrite, fresh *names) ([]byte, error) {
	c, marked := f.gold, f.marked()
	for _, r := range list {
		edits := r.edit(draft{c, s, view{f, c, marked}, fresh})
		text, ok := apply(c.src, edits)
		if !ok || len(edits) == 0 {
			continue
		}
		next, err := parse(s.Language, f.path, text)
		if err != nil {
			return nil, fmt.Errorf("parsing %s after %s: %w", f.path, r.name, err)
		}
		if next.errors <= c.errors {
			marked = follow(marked, c.src, text)
			c = next
		}
	}
	return c.src, nil
}

// marked are the lines that gold adds; where it only takes away, the functions
// from which it does.
func (f *change) marked() map[int]bool {
	out := map[int]bool{}
	for _, h := range f.hunks {
		for l := h.newFrom; l < h.newTo; l++ {
			out[l+1] = true
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, n := range (view{f, f.gold, f.goldLines()}).scopes() {
		for l := n.Line; l <= f.gold.endLine(n); l++ {
			out[l] = true
		}
	}
	return out
}

// follow finds marked lines again after a rewrite, with what took their place.
func follow(marked map[int]bool, before, after []byte) map[int]bool {
	out := map[int]bool{}
	at, to := 0, 0
	hunks := append(hunksBetween(before, after), hunk{len(lines(before)), len(lines(before)), len(lines(after)), len(lines(after))})
	for _, h := range hunks {
		for ; at < h.from; at, to = at+1, to+1 {
			if marked[at+1] {
				out[to+1] = true
			}
		}
		hit := h.from == h.to && marked[at+1]
		for ; at < h.to; at++ {
			hit = hit || marked[at+1]
		}
		for ; to < h.newTo; to++ {
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
	for _, n := range d.view.scopes() {
		if d.isFunction(n) {
			out = append(out, n)
		}
	}
	return out
}

// on reports whether a node begins on a line of gold's.
func (d draft) on(n *syntax.Node) bool { return d.view.changed[n.Line] }

// names gives names that none of the files has.
type names struct {
	used string
	next int
}

func (s *Subject) freshNames() *names {
	var all strings.Builder
	for _, f := range s.files {
		all.Write(f.before)
		all.Write(f.after)
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
func outermost(edits []edit) []edit {
	slices.SortStableFunc(edits, inOrder)
	var out []edit
	for _, e := range edits {
		if len(out) == 0 || e.start >= out[len(out)-1].end {
			out = append(out, e)
		}
	}
	return out
}
