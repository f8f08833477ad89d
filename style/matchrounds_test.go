package style

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// it is an item in file f that no round pairs with another one: its line went
// or came, and it says something of its own.
func it(name string, more func(*item)) *item {
	i := &item{
		Finding: bench.Finding{Tool: "t", Rule: "r", Path: "f", Line: name, Message: name, Range: bench.Range{Line: 1}},
		path:    "f", gap: -1, text: name, symbol: name, plain: name, masked: name,
	}
	if more != nil {
		more(i)
	}
	return i
}

// matched runs all rounds and lists the pairs, by the column of each, and
// how.
func matched(strategy Strategy, before, after []*item) []string {
	m := &matcher{before: before, after: after}
	for _, r := range m.rounds(strategy) {
		m.run(r)
	}
	out := []string{}
	for _, p := range m.result().Pairs {
		out = append(out, fmt.Sprintf("%d-%d %s", p.Before.Range.Column, p.After.Range.Column, p.Step))
	}
	return out
}

// atColumn names an item, and counts as its distance.
func atColumn(n int) func(*item) { return func(i *item) { i.Range.Column = n } }

func with(all ...func(*item)) func(*item) {
	return func(i *item) {
		for _, f := range all {
			f(i)
		}
	}
}

// Ways of being alike.
func kept(line int) func(*item) { return func(i *item) { i.known, i.line = true, line } }
func moved(line int) func(*item) {
	return func(i *item) { i.changed, i.moved = true, place{"g", line} }
}
func says(message string) func(*item)  { return func(i *item) { i.Message = message } }
func reads(text string) func(*item)    { return func(i *item) { i.text = text } }
func inside(symbol string) func(*item) { return func(i *item) { i.symbol = symbol } }
func plain(text string) func(*item)    { return func(i *item) { i.plain = text } }
func masked(text string) func(*item)   { return func(i *item) { i.masked = text } }
func editAt(gap int) func(*item)       { return func(i *item) { i.changed, i.gap = true, gap } }
func in(path string) func(*item)       { return func(i *item) { i.path, i.Path = path, path } }

const long = "return self.something.entirely(different)"

// TestEachRoundPairs: for every round a pair that this round alone finds.
func TestEachRoundPairs(t *testing.T) {
	for name, c := range map[string]struct {
		b, a func(*item)
		step Step
	}{
		"the same line":                        {kept(3), kept(3), StepLine},
		"a moved line":                         {moved(3), moved(3), StepMoved},
		"the text of the line":                 {reads("x = 1"), reads("x = 1"), StepHash},
		"the text, and the message":            {with(reads("x = 1"), says("m")), with(reads("x = 1"), says("m")), StepText},
		"message without numbers, in a symbol": {with(inside("f"), plain("m")), with(inside("f"), plain("m")), StepSymbol},
		"message without names, edited":        {with(inside("f"), masked("m"), editAt(2)), with(inside("f"), masked("m"), editAt(2)), StepSymbol},
		"symbol and place of the edit":         {with(inside("f"), editAt(2)), with(inside("f"), editAt(2)), StepSymbol},
		"end of the symbol, and message":       {with(inside("A.f"), says("m"), editAt(2)), with(inside("f"), says("m"), editAt(2)), StepSymbol},
		"end of the symbol, masked":            {with(inside("A::f"), masked("m"), editAt(2)), with(inside("f"), masked("m"), editAt(2)), StepSymbol},
		"another file's text, and message":     {with(reads(long), says("m"), editAt(-1)), with(in("g"), reads(long), says("m"), editAt(-1)), StepText},
		"another file's symbol, and message":   {with(inside("f"), plain("m"), editAt(-1)), with(in("g"), inside("f"), plain("m"), editAt(-1)), StepSymbol},
	} {
		t.Run(name, func(t *testing.T) {
			b, a := it("before", with(c.b, atColumn(1))), it("after", with(c.a, atColumn(2)))
			require.Equal(t, []string{"1-2 " + string(c.step)}, matched(Cascade, []*item{b}, []*item{a}))
			other := it("after", c.a)
			other.Rule = "other"
			require.Empty(t, matched(Cascade, []*item{it("before", c.b)}, []*item{other}), "another rule")
			tool := it("after", c.a)
			tool.Tool = "other"
			require.Empty(t, matched(Cascade, []*item{it("before", c.b)}, []*item{tool}), "another tool")
		})
	}
}

// TestNoRoundPairs: what comes close, and is another finding.
func TestNoRoundPairs(t *testing.T) {
	for name, c := range map[string]struct{ b, a func(*item) }{
		"nothing in common":               {nil, nil},
		"another line":                    {kept(3), kept(4)},
		"the line went":                   {func(i *item) { i.line = 3 }, kept(3)},
		"another file's line":             {kept(3), with(kept(3), in("g"))},
		"moved elsewhere":                 {moved(3), moved(4)},
		"moved, and kept there":           {moved(3), with(moved(3), func(i *item) { i.changed = false })},
		"no move at all":                  {moved(0), moved(0)},
		"lines without text":              {reads(""), reads("")},
		"message alone, in no symbol":     {with(inside(""), plain("m"), masked("m")), with(inside(""), plain("m"), masked("m"))},
		"message alone, in other symbols": {with(inside("f"), says("m")), with(inside("g"), says("m"))},
		"symbol alone":                    {inside("f"), inside("f")},
		"symbol, edited elsewhere":        {with(inside("f"), editAt(2)), with(inside("f"), editAt(3))},
		"symbol, place not known":         {with(inside("f"), editAt(-1)), with(inside("f"), editAt(-1))},
		"symbol, only one is edited":      {with(inside("f"), editAt(2)), with(inside("f"), func(i *item) { i.gap = 2 })},
		"masked alone":                    {with(inside("f"), masked("m")), with(inside("f"), masked("m"))},
		"end of the symbol alone":         {with(inside("A.f"), says("m")), with(inside("f"), says("m"))},
		"another file, line kept there":   {with(reads(long), says("m"), editAt(-1)), with(in("g"), reads(long), says("m"))},
		"another file, line kept here":    {with(reads(long), says("m")), with(in("g"), reads(long), says("m"), editAt(-1))},
		"another file's short text":       {with(reads("x = 1"), says("m"), editAt(-1)), with(in("g"), reads("x = 1"), says("m"), editAt(-1))},
		"another file's text alone":       {with(reads(long), editAt(-1)), with(in("g"), reads(long), editAt(-1))},
		"another file, in no symbol":      {with(inside(""), plain("m"), editAt(-1)), with(in("g"), inside(""), plain("m"), editAt(-1))},
		"another file's symbol, kept":     {with(inside("f"), plain("m")), with(in("g"), inside("f"), plain("m"), editAt(-1))},
		"another file's symbol alone":     {with(inside("f"), editAt(-1)), with(in("g"), inside("f"), editAt(-1))},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, matched(Cascade, []*item{it("before", c.b)}, []*item{it("after", c.a)}))
		})
	}
}

// TestSurerRoundsGoFirst: two findings are before and two after; the surer
// sign pairs them, though the nearer ones would be the others.
func TestSurerRoundsGoFirst(t *testing.T) {
	for name, c := range map[string]struct {
		same func(*item)              // what all four share
		mark func(string) func(*item) // what decides the pairs
		step Step
	}{
		"message on a line":       {kept(3), says, StepLine},
		"message on a moved line": {moved(3), says, StepMoved},
		"message of a text":       {reads("x = 1"), says, StepText},
		"text in a symbol":        {with(inside("f"), plain("m")), reads, StepHash},
		"plain before masked":     {with(inside("f"), masked("m"), editAt(2)), plain, StepSymbol},
		"masked before symbol":    {with(inside("f"), editAt(2)), masked, StepSymbol},
		"subject before masked":   {with(inside("f"), masked("m"), editAt(2)), func(s string) func(*item) { return says("Unused '" + s + "' in " + s) }, StepSymbol},
	} {
		t.Run(name, func(t *testing.T) {
			b1, b2 := it("b1", with(c.same, c.mark("one"), atColumn(1))), it("b2", with(c.same, c.mark("two"), atColumn(9)))
			a1, a2 := it("a1", with(c.same, c.mark("one"), atColumn(8))), it("a2", with(c.same, c.mark("two"), atColumn(2)))
			want := []string{"1-8 " + string(c.step), "9-2 " + string(c.step)}
			require.ElementsMatch(t, want, matched(Cascade, []*item{b1, b2}, []*item{a1, a2}))
		})
	}
}

// TestNearestPairsFirst: among equals the nearest pair comes first, by lines,
// then by columns, and within a file before another one.
func TestNearestPairsFirst(t *testing.T) {
	at := func(line, column int) func(*item) {
		return with(reads("x"), func(i *item) { i.about, i.Range = line, bench.Range{Line: line, Column: column} })
	}
	before := []*item{it("b", at(10, 1)), it("c", at(20, 2))}
	after := []*item{it("d", at(19, 3)), it("e", at(11, 4))}
	require.Equal(t, []string{"1-4 hash", "2-3 hash"}, matched(Cascade, before, after))
	b := &item{path: "f", about: 5, Finding: bench.Finding{Range: bench.Range{Line: 99, Column: 3}}}
	for name, c := range map[string]struct {
		path         string
		line, column int
		want         int
	}{
		"the same place":      {"f", 5, 3, 0},
		"a line below":        {"f", 6, 3, 1000},
		"a line above":        {"f", 4, 3, 1000},
		"two columns":         {"f", 5, 1, 2},
		"a line and a column": {"f", 6, 4, 1001},
		"far to the right":    {"f", 5, 5000, 999},
		"another file":        {"g", 5, 3, 1 << 40},
		"another file's line": {"g", 7, 3, 1<<40 + 2000},
	} {
		a := &item{path: c.path, Finding: bench.Finding{Range: bench.Range{Line: c.line, Column: c.column}}}
		require.Equal(t, c.want, distance(b, a), name)
	}
	require.Equal(t, []int{3, 3, 0}, []int{abs(3), abs(-3), abs(0)})
}

// TestManyOfAKind: more than can be compared are paired in their order, as far
// as they fit.
func TestManyOfAKind(t *testing.T) {
	var before, after []*item
	for i := range 600 {
		before = append(before, it("b", with(reads("x"), atColumn(i), func(it *item) { it.about = 499 - i })))
		after = append(after, it("a", with(reads("x"), atColumn(i), func(it *item) { it.Range.Line = i })))
	}
	pairs := matched(Cascade, before[:500], after[:500])
	require.Contains(t, pairs, "0-499 hash", "so many are compared")
	for _, i := range append(before, after...) {
		i.done = false
	}
	pairs = matched(Cascade, before, after)
	require.Len(t, pairs, 600)
	require.Contains(t, pairs, "0-0 hash")
	require.Contains(t, pairs, "599-599 hash")
	none := round{step: StepLine, fits: func(*item, *item) bool { return false }}
	m := &matcher{}
	m.group(none, before, after)
	require.Empty(t, m.pairs)
}

// TestOtherStrategies: what other tools do pairs less, or more.
func TestOtherStrategies(t *testing.T) {
	on := func(line int, text string) func(*item) {
		return func(i *item) { i.Range.Line, i.Line = line, text }
	}
	one := func(s Strategy, b, a func(*item)) int {
		return len(matched(s, []*item{it("b", b)}, []*item{it("a", a)}))
	}
	require.Equal(t, 1, one(ByRuleLine, on(3, "x"), on(3, "y")))
	require.Equal(t, 0, one(ByRuleLine, on(3, "x"), on(4, "x")))
	require.Equal(t, 1, one(ByRuleText, on(3, "x"), on(4, "x")))
	require.Equal(t, 0, one(ByRuleText, on(3, "x"), on(3, "y")))
	require.Equal(t, 0, one(ByRuleLine, on(3, "x"), with(on(3, "x"), in("g"))))
	require.Equal(t, 0, one(ByRuleText, on(3, "x"), with(on(3, "x"), in("g"))))
}

// TestSigns: the tests that let two findings be one.
func TestSigns(t *testing.T) {
	for message, want := range map[string]string{"Unused 'os' here": "os", "no quotes": "", "'a' and 'b'": "a", "it's": "s", "": ""} {
		require.Equal(t, want, subject(message), message)
	}
	for symbol, want := range map[string]string{"A.f": "f", "ns::A::f": "f", "f": "f", "": "", "A.": ""} {
		require.Equal(t, want, (&item{symbol: symbol}).leaf(), symbol)
	}
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"equal": {"a b", "a b", true}, "half": {"a b c", "a b d", true}, "a third": {"a b", "a c", false}, "less": {"a b c d", "a e f g", false},
		"none": {"a", "b", false}, "empty": {"", "", false}, "other order": {"f(a, b)", "f(b, a)", true}, "a half of two": {"a b", "a", true},
	} {
		require.Equal(t, c.want, similar(c.a, c.b), name)
		require.Equal(t, c.want, similar(c.b, c.a), name)
	}
	line := func(text, plain string) *item { return it("x", with(func(i *item) { i.Line, i.plain = text, plain })) }
	require.True(t, named(line("import os.path", "Unused path"), line("from x import path", "")))
	require.False(t, named(line("import path", "Unused path"), line("import other", "")), "only one line has it")
	require.False(t, named(line("import os", "Unused os"), line("import os", "")), "too short a word")
	require.False(t, named(line("import path", "Unused thing"), line("import path", "")), "the message does not have it")
	far, close := it("b", with(inside(""), editAt(2))), it("a", with(inside(""), editAt(2)))
	require.True(t, near(far, close), "the place of an edit")
	close.gap = 3
	require.False(t, near(far, close))
	require.True(t, near(it("b", inside("f")), it("a", inside(""))), "a symbol")
	edge := func(i *item) { i.edge = true }
	require.True(t, near(it("b", with(inside(""), edge)), it("a", with(inside(""), edge))), "the first or last line of both")
	require.False(t, near(it("b", with(inside(""), edge)), it("a", inside(""))))
	require.True(t, near(it("b", with(inside(""), plain("Unused N"), masked("Unused M"))), it("a", inside(""))), "the message names something")
	require.True(t, bothChanged(it("b", editAt(-1)), it("a", with(editAt(-1), in("g")))))
	require.False(t, bothChanged(it("b", editAt(-1)), it("a", editAt(-1))), "in one file nothing is gained")
}
