package measure

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/languages/syntax"
)

// Weak is a version of the hidden tests that asserts less.
type Weak struct {
	Name  string // unique within the instance
	Patch string // a test patch on base
}

// Weaken takes assertions out of the tests that the test patch adds: each
// alone, all but one, and one after the other from the last to the first.
// Each set of assertions comes once, the whole and the empty one not at all.
// The number of them that accept a bad patch which the whole tests reject,
// describes what the set is worth.
func Weaken(inst *bench.Instance, base patch.Tree) ([]Weak, error) {
	tests, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return nil, fmt.Errorf("reading the test patch of %s: %w", inst.ID, err)
	}
	changes, err := patch.Apply(base, tests)
	if err != nil {
		return nil, fmt.Errorf("applying the test patch of %s: %w", inst.ID, err)
	}
	w := weakening{base: base, changes: changes}
	for _, p := range slices.Sorted(maps.Keys(changes.Write)) {
		if err := w.find(badpatch.LanguageOf(inst), p); err != nil {
			return nil, fmt.Errorf("reading %s of %s: %w", p, inst.ID, err)
		}
	}
	return w.versions(tests)
}

// weakening holds the assertions of a test patch, file by file.
type weakening struct {
	base    patch.Tree
	changes *patch.Changes
	at      []assertion
}

type assertion struct {
	path string
	code *code.File
	edit code.Edit
}

// find adds the assertions that a file of the test patch adds.
func (w *weakening) find(lang, p string) error {
	l, err := languages.Default().Lookup(lang)
	if err != nil {
		return err
	}
	if !languages.IsTest(l, p) {
		return nil
	}
	after := w.changes.Write[p].Data
	var before []byte
	if e, err := w.base.Read(p); err == nil {
		before = e.Data
	}
	ranges, err := contributedLines(lang, p, before, after)
	if err != nil || len(ranges) == 0 {
		return err
	}
	c, err := code.Parse(lang, p, code.Present(after))
	if err != nil {
		return err
	}
	c.Root.Walk(func(n *syntax.Node) bool {
		if !asserts(c, n) {
			return true
		}
		for _, r := range ranges {
			if r.Start <= n.Line && n.Line <= r.End {
				w.at = append(w.at, assertion{p, c, c.Erase(n)})
				break
			}
		}
		return false
	})
	return nil
}

// contributedLines are the lines of the tests that a change of a file adds.
func contributedLines(lang, p string, before, after []byte) ([]syntax.Range, error) {
	now, err := syntax.Parse(lang, after)
	if err != nil {
		return nil, err
	}
	then, err := syntax.Parse(lang, before)
	if err != nil {
		return nil, err
	}
	var out []syntax.Range
	for _, c := range syntax.Contributed(syntax.Tests(lang, p, then), syntax.Tests(lang, p, now), before, after) {
		out = append(out, syntax.Range{Start: c.Start, End: c.End})
	}
	return out, nil
}

var (
	pythonAssertion = regexp.MustCompile(`^(?:self|cls|cm|tc)\.(?:assert\w*|fail\w*)\(|^(?:np\.testing\.|npt\.)?assert_?\w+\(`)
	javaAssertion   = regexp.MustCompile(`^(?:\w+\.)?(?:assert\w*|fail|verify\w*|expect\w*)\s*\(`)
	cppAssertion    = regexp.MustCompile(`^(?:ASSERT|EXPECT|CHECK|REQUIRE|WARN|BOOST_CHECK|BOOST_TEST|FAST_CHECK|FAST_REQUIRE|STATIC_REQUIRE)(?:_\w+)?\s*\(`)
)

// asserts reports whether a node is a whole statement that asserts.
func asserts(c *code.File, n *syntax.Node) bool {
	switch {
	case c.Python():
		return code.Is(n, "assert_statement") || code.Is(n, "expression_statement") && pythonAssertion.MatchString(c.Text(n))
	case c.Java():
		return code.Is(n, "expression_statement") && javaAssertion.MatchString(c.Text(n))
	}
	return code.Is(n, "expression_statement", "declaration") && cppAssertion.MatchString(c.Text(n)) && strings.HasSuffix(c.Text(n), ";")
}

// versions are the test patches without some of the assertions.
func (w *weakening) versions(tests *patch.Patch) ([]Weak, error) {
	var out []Weak
	seen := map[string]bool{}
	add := func(name string, keep func(i int) bool) error {
		var gone strings.Builder
		kept := 0
		for i := range w.at {
			if keep(i) {
				kept++
				continue
			}
			fmt.Fprintf(&gone, "%d ", i)
		}
		if kept == 0 || kept == len(w.at) || seen[gone.String()] {
			return nil
		}
		seen[gone.String()] = true
		text, err := w.without(tests, keep)
		if err == nil {
			out = append(out, Weak{name, text})
		}
		return err
	}
	for i := range w.at {
		if err := add(fmt.Sprintf("without-%d", i+1), func(j int) bool { return j != i }); err != nil {
			return nil, err
		}
	}
	for i := range w.at {
		if err := add(fmt.Sprintf("only-%d", i+1), func(j int) bool { return j == i }); err != nil {
			return nil, err
		}
	}
	for n := len(w.at) - 1; n > 0; n-- {
		if err := add(fmt.Sprintf("first-%d", n), func(j int) bool { return j < n }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// without is the test patch with only the assertions that keep names.
func (w *weakening) without(tests *patch.Patch, keep func(i int) bool) (string, error) {
	edits := map[string][]code.Edit{}
	codes := map[string]*code.File{}
	for i, a := range w.at {
		if !keep(i) {
			edits[a.path] = append(edits[a.path], a.edit)
			codes[a.path] = a.code
		}
	}
	_, rest := tests.Split(func(p string) bool { return codes[p] != nil })
	var out strings.Builder
	for _, p := range slices.Sorted(maps.Keys(codes)) {
		c := codes[p]
		text, ok := code.Apply(c.Src, filled(c, edits[p]))
		if !ok {
			return "", fmt.Errorf("taking assertions out of %s", p)
		}
		var before []byte
		if e, err := w.base.Read(p); err == nil {
			before = code.Present(e.Data)
		}
		out.Write(patch.Between(p, before, text))
	}
	out.Write(rest.Bytes())
	return out.String(), nil
}

// filled keeps Python's blocks from becoming empty: where assertions were, a
// statement that does nothing stays.
func filled(c *code.File, edits []code.Edit) []code.Edit {
	if !c.Python() {
		return edits
	}
	out := slices.Clone(edits)
	for i, e := range out {
		if e.Text == "" && e.Start == c.Starts[c.Line(e.Start)-1] {
			out[i].Text = c.Indent(e.Start) + c.EmptyStatement() + c.Newline()
		}
	}
	return out
}
