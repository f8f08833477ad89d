package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/bench"
)

// Filtering is how well generated tests distinguish right fixes from wrong ones
// (SWT-Bench, section 5; TDD-Bench-Verified, section 6.7). Add adds results to it.
type Filtering struct {
	Rows []FilterRow `json:"rows"` // by fixes, then tests
}

// FilterRow is one model's tests as a filter of one model's fixes.
type FilterRow struct {
	Fixes string `json:"fixes"`
	Tests string `json:"tests"`
	// Judged counts the fixes, Right those that resolve their instance by the
	// hidden tests. Fixes without a verdict are in neither.
	Judged int `json:"judged"`
	Right  int `json:"right"`
	// Thresholds are ordered by votes, from 0 (no filter) to as many suites as
	// an instance has at most.
	Thresholds []Threshold `json:"thresholds"`
}

// Threshold is the filter that keeps the fixes which at least so many suites let
// pass.
type Threshold struct {
	Votes     int `json:"votes"`
	Kept      int `json:"kept"`
	KeptRight int `json:"kept_right"`
	// Precision is KeptRight / Kept, Recall KeptRight / Right; nil where there
	// is nothing to divide by.
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
}

// AllTests and AllFixes name the rows over the suites, and over the fixes, of all
// models together.
const (
	AllTests = "(all)"
	AllFixes = "(all)"
)

// Add counts a fix with what the suites said of it.
func (f *Filtering) Add(r bench.Result) {
	if !r.Verdict.Judged() {
		return
	}
	by, suites := map[string]int{}, map[string]int{}
	for _, v := range r.Filter {
		for _, name := range []string{v.Tests, AllTests} {
			suites[name]++
			if v.Lets() {
				by[name]++
			}
		}
	}
	for name, n := range suites {
		for _, fixes := range []string{r.Model, AllFixes} {
			f.row(fixes, name).add(n, by[name], r.Verdict == bench.Resolved)
		}
	}
}

func (f *Filtering) row(fixes, tests string) *FilterRow {
	i := slices.IndexFunc(f.Rows, func(r FilterRow) bool { return r.Fixes == fixes && r.Tests == tests })
	if i < 0 {
		i = len(f.Rows)
		f.Rows = append(f.Rows, FilterRow{Fixes: fixes, Tests: tests, Thresholds: []Threshold{{}}})
	}
	return &f.Rows[i]
}

// add counts a fix that so many of the instance's suites let pass.
func (r *FilterRow) add(suites, votes int, right bool) {
	r.Judged++
	if right {
		r.Right++
	}
	for len(r.Thresholds) <= suites {
		r.Thresholds = append(r.Thresholds, Threshold{Votes: len(r.Thresholds)})
	}
	for i := range votes + 1 {
		r.Thresholds[i].Kept++
		if right {
			r.Thresholds[i].KeptRight++
		}
	}
}

// Sort orders the rows and works out the shares. Nothing is added after it. The
// rows over all models go where there is one model's only.
func (f *Filtering) Sort() {
	tests, fixes := map[string]bool{}, map[string]bool{}
	for _, r := range f.Rows {
		tests[r.Tests], fixes[r.Fixes] = true, true
	}
	f.Rows = slices.DeleteFunc(f.Rows, func(r FilterRow) bool {
		return r.Tests == AllTests && len(tests) == 2 || r.Fixes == AllFixes && len(fixes) == 2
	})
	slices.SortFunc(f.Rows, func(a, b FilterRow) int {
		return cmp.Or(cmp.Compare(a.Fixes, b.Fixes), cmp.Compare(a.Tests, b.Tests))
	})
	for i := range f.Rows {
		for j := range f.Rows[i].Thresholds {
			t := &f.Rows[i].Thresholds[j]
			t.Precision, t.Recall = share(t.KeptRight, t.Kept), share(t.KeptRight, f.Rows[i].Right)
		}
	}
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	s := float64(n) / float64(of)
	return &s
}

// Text writes the table for a terminal.
func (f *Filtering) Text(w io.Writer) error {
	t := f.table()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// Markdown writes the table and what its columns mean.
func (f *Filtering) Markdown(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n\n%s", f.table().RenderMarkdown(), filterLegend)
	return err
}

const filterLegend = `A suite of generated tests lets a fix pass where it fails on base and passes on the fix. "Votes" are the suites that must let a fix pass for it to be kept, 0 is no filter; "right" fixes resolve their instance by the hidden tests; precision is kept right over kept, recall kept right over right.
`

func (f *Filtering) table() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"fixes", "tests", "votes", "kept", "right", "precision", "recall"})
	rightFrom(t, 3, 7)
	for _, r := range f.Rows {
		for _, h := range r.Thresholds {
			t.AppendRow(table.Row{r.Fixes, r.Tests, h.Votes, fmt.Sprintf("%d/%d", h.Kept, r.Judged), fmt.Sprintf("%d/%d", h.KeptRight, r.Right),
				percent(h.KeptRight, h.Kept), percent(h.KeptRight, r.Right)})
		}
	}
	return t
}
