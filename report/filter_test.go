package report

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// fixed is a fix with the votes of so many suites of the model "t", of which the
// first ones let it pass.
func fixed(v bench.Verdict, suites, lets int) bench.Result {
	r := bench.Result{Model: "m", Verdict: v}
	for i := range suites {
		r.Filter = append(r.Filter, bench.Vote{Tests: "t", Suite: i, FailsBase: true, PassesFix: i < lets})
	}
	return r
}

// TestFiltering: five fixes are judged, three of them right, and two suites
// vote. By hand: one vote or more have the right ones with 2 and 1 votes and the
// wrong one with 1: 2 of 3 kept are right, 2 of 3 right ones are kept. Two votes
// has only the first.
func TestFiltering(t *testing.T) {
	f := &Filtering{}
	for _, r := range []bench.Result{
		fixed(bench.Resolved, 2, 2), fixed(bench.Resolved, 2, 1), fixed(bench.Resolved, 2, 0),
		fixed(bench.Unresolved, 2, 1), fixed(bench.EmptyPatch, 2, 0), fixed(bench.Infra, 2, 2),
	} {
		f.Add(r)
	}
	f.Sort()
	third := func(n int) *float64 { s := float64(n) / 3; return &s }
	one, all := 1.0, 3.0/5
	require.Equal(t, []FilterRow{{Fixes: "m", Tests: "t", Judged: 5, Right: 3, Thresholds: []Threshold{
		{Votes: 0, Kept: 5, KeptRight: 3, Precision: &all, Recall: &one},
		{Votes: 1, Kept: 3, KeptRight: 2, Precision: third(2), Recall: third(2)},
		{Votes: 2, Kept: 1, KeptRight: 1, Precision: &one, Recall: third(1)},
	}}}, f.Rows)
	var md, text bytes.Buffer
	require.NoError(t, f.Markdown(&md))
	require.Contains(t, md.String(), "| m | t | 1 | 3/5 | 2/3 | 66.7 % | 66.7 % |")
	require.Contains(t, md.String(), filterLegend)
	require.NoError(t, f.Text(&text))
	require.Contains(t, text.String(), "precision")
}

// TestFilteringByModels: each model's suites, and all of them together; a
// suite that does not fail on base lets nothing pass.
func TestFilteringByModels(t *testing.T) {
	f := &Filtering{}
	f.Add(bench.Result{Model: "m", Verdict: bench.Unresolved, Filter: []bench.Vote{{Tests: "t", PassesFix: true}, {Tests: "u", Suite: 1, FailsBase: true, PassesFix: true}}})
	f.Sort()
	type row struct {
		tests string
		kept  []int
	}
	var got []row
	for _, r := range f.Rows {
		var kept []int
		for _, h := range r.Thresholds {
			kept = append(kept, h.Kept)
			require.Nil(t, h.Recall, "there is no right fix")
		}
		got = append(got, row{r.Tests, kept})
	}
	require.Equal(t, []row{{AllTests, []int{1, 1, 0}}, {"t", []int{1, 0}}, {"u", []int{1, 1}}}, got)
}

// TestFilteringOfSeveralFixers: the fixes of all models together have rows of
// their own, so that samples of one agent can be counted as one.
func TestFilteringOfSeveralFixers(t *testing.T) {
	f := &Filtering{}
	for i, v := range []bench.Verdict{bench.Resolved, bench.Unresolved, bench.Unresolved} {
		r := fixed(v, 1, 1-i/2)
		r.Model = []string{"m#1", "m#2", "m#2"}[i]
		f.Add(r)
	}
	f.Sort()
	var got []string
	for _, r := range f.Rows {
		got = append(got, fmt.Sprintf("%s %s %d/%d", r.Fixes, r.Tests, r.Thresholds[1].KeptRight, r.Thresholds[1].Kept))
	}
	require.Equal(t, []string{"(all) t 1/2", "m#1 t 1/1", "m#2 t 0/1"}, got)
	require.Equal(t, 3, f.Rows[0].Judged)
	require.Equal(t, 1, f.Rows[0].Right)
}
