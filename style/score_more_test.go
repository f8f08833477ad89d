package style

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestFindingsAreReported: two findings of one state are the same only if rule,
// path, message, line and column are.
func TestFindingsAreReported(t *testing.T) {
	base := bench.Finding{Tool: "t", Rule: "r", Path: "p", Message: "m", Range: bench.Range{Line: 3, Column: 4}}
	for name, change := range map[string]func(*bench.Finding){
		"rule":    func(f *bench.Finding) { f.Rule = "x" },
		"path":    func(f *bench.Finding) { f.Path = "x" },
		"message": func(f *bench.Finding) { f.Message = "x" },
		"line":    func(f *bench.Finding) { f.Range.Line = 9 },
		"column":  func(f *bench.Finding) { f.Range.Column = 9 },
	} {
		other := base
		change(&other)
		_, err := Score(Matching{Resolved: []bench.Finding{other}}, Scope{Listed: []bench.Finding{base}})
		require.Error(t, err, name)
		s, err := Score(Matching{Resolved: []bench.Finding{other, base}}, Scope{Listed: []bench.Finding{base}})
		require.NoError(t, err, name)
		require.Equal(t, 1, s.Resolved, name)
	}
	same := base
	same.Line, same.Symbol, same.Severity = "text", "symbol", "warning"
	_, err := Score(Matching{Resolved: []bench.Finding{same}}, Scope{Listed: []bench.Finding{base}})
	require.NoError(t, err, "texts may have been written by another version")
}

// TestListedOnesAreTakenOnce: a listed finding stands for one of the findings
// that look like it.
func TestListedOnesAreTakenOnce(t *testing.T) {
	f := at("a", 1)
	twice := Matching{Resolved: []bench.Finding{f, f}, Pairs: []Pair{{Before: f, After: f}}}
	for listed, want := range map[int][]int{1: {1, 1, 0}, 2: {2, 2, 0}, 3: {3, 2, 1}} {
		var list []bench.Finding
		for range listed {
			list = append(list, f)
		}
		s, err := Score(twice, Scope{Listed: list})
		require.NoError(t, err)
		require.Equal(t, want, []int{s.Original, s.Resolved, len(s.Remaining)}, listed)
	}
	_, err := Score(twice, Scope{Listed: []bench.Finding{f, f, f, f}})
	var stale *StaleError
	require.ErrorAs(t, err, &stale)
	require.Len(t, stale.Missing, 1)
	require.EqualError(t, err, "1 listed findings are not there before the edit, the first a at f:1")
}

// TestRemainingAreSorted: what is left is listed in the order of its places.
func TestRemainingAreSorted(t *testing.T) {
	m := Matching{Pairs: []Pair{{Before: at("a", 1), After: at("a", 9)}, {Before: at("a", 2), After: at("a", 5)}}}
	s, err := Score(m, Scope{})
	require.NoError(t, err)
	require.Equal(t, []bench.Finding{at("a", 5), at("a", 9)}, s.Remaining)
}

// TestRates: the formulas of the paper, where each of their terms matters.
func TestRates(t *testing.T) {
	s := bench.Style{Original: 8, Resolved: 5, New: 1}
	rate(&s)
	require.InDelta(t, 4./8, s.Net, 1e-12)
	require.InDelta(t, 4./8, s.Score, 1e-12)
	require.InDelta(t, 5./8, s.FixRate, 1e-12)
	require.InDelta(t, 4./8, s.ErrorRatio, 1e-12)
	require.InDelta(t, 5./9, s.OverallFixRate, 1e-12)
	worse := bench.Style{Original: 2, Resolved: 1, New: 4}
	rate(&worse)
	require.Equal(t, []float64{-1.5, 0, 0.5, 2.5}, []float64{worse.Net, worse.Score, worse.FixRate, worse.ErrorRatio})
}

// TestPassesAtItsBounds: a value that equals a bound passes.
func TestPassesAtItsBounds(t *testing.T) {
	half, one := 0.5, 1
	require.True(t, Passes(bench.StyleTask{MinScore: &half}, bench.Style{Original: 2, Resolved: 1, Score: 0.5}))
	require.True(t, Passes(bench.StyleTask{MaxRemaining: &one}, bench.Style{Original: 2, Resolved: 1}))
	require.False(t, Passes(bench.StyleTask{MaxRemaining: &one}, bench.Style{Original: 2, Resolved: 1, New: 1}))
	require.True(t, Passes(bench.StyleTask{MinScore: &half, MaxRemaining: &one}, bench.Style{Original: 2, Resolved: 1, Score: 0.5}))
	require.False(t, Passes(bench.StyleTask{MinScore: &half, MaxRemaining: &one}, bench.Style{Original: 4, Resolved: 2, Score: 0.5}))
	require.False(t, Passes(bench.StyleTask{}, bench.Style{Original: 2, Resolved: 3, New: 2}))
}

// TestMatchingIsChecked: every way in which a matching can be invalid.
func TestMatchingIsChecked(t *testing.T) {
	a, b, c := at("a", 1), at("a", 2), at("c", 3)
	for name, bad := range map[string]struct {
		m             Matching
		before, after []bench.Finding
		why           string
	}{
		"taken twice before":     {Matching{Resolved: []bench.Finding{a, a}}, []bench.Finding{a, b}, nil, "a f:1 is taken more often before than it occurs"},
		"taken twice after":      {Matching{New: []bench.Finding{a, a}}, nil, []bench.Finding{a, b}, "more often after"},
		"both resolved and kept": {Matching{Resolved: []bench.Finding{a}, Pairs: []Pair{{Before: a, After: b}}}, []bench.Finding{a}, []bench.Finding{b}, "more often before"},
		"left out before":        {Matching{Resolved: []bench.Finding{a}}, []bench.Finding{a, b}, nil, "1 of 2 findings before are accounted for"},
		"left out after":         {Matching{}, nil, []bench.Finding{a}, "0 of 1 findings after are accounted for"},
		"another rule":           {Matching{Pairs: []Pair{{Before: a, After: c}}}, []bench.Finding{a}, []bench.Finding{c}, "a is paired with c"},
		"another tool": {Matching{Pairs: []Pair{{Before: a, After: bench.Finding{Tool: "u", Rule: "a"}}}}, []bench.Finding{a},
			[]bench.Finding{{Tool: "u", Rule: "a"}}, "a is paired with a"},
	} {
		require.ErrorContains(t, bad.m.Check(bad.before, bad.after), bad.why, name)
	}
	whole := Matching{Resolved: []bench.Finding{a}, Pairs: []Pair{{Before: b, After: a}}, New: []bench.Finding{c}}
	require.NoError(t, whole.Check([]bench.Finding{b, a}, []bench.Finding{c, a}))
}
