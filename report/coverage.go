package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"assay/bench"
)

// CoverageRow holds the means of change coverage over judged submissions. One that
// was not run, or is void, counts as 0 in the figures that some submission to its
// instance has, and in no other.
type CoverageRow struct {
	All Mean `json:"all"` // adequacy
	// FailToPass and NotFailToPass are adequacy over the submissions with
	// success, and over the others. SWT-Bench's table 3 divides submissions the
	// same way, but its change coverage is another figure than adequacy.
	FailToPass    Mean `json:"fail_to_pass"`
	NotFailToPass Mean `json:"not_fail_to_pass"`
	// ByFailToPass and ByOther are what the fail-to-pass tests of a submission
	// cover, and its other tests, where it has such.
	ByFailToPass Mean `json:"by_fail_to_pass_tests"`
	ByOther      Mean `json:"by_other_tests"`
	// TDDScore is the mean of 100 x success x adequacy.
	TDDScore Mean `json:"tdd_score"`
	// Published are means of the figures that follow the benchmarks' papers or
	// programs, by name.
	Published map[string]Mean `json:"published,omitempty"`
}

func (row *CoverageRow) add(c bench.ChangeCoverage, success bool) {
	row.All.count(c.Adequacy)
	if success {
		row.FailToPass.count(c.Adequacy)
	} else {
		row.NotFailToPass.count(c.Adequacy)
	}
	row.ByFailToPass.count(c.FailToPass)
	row.ByOther.count(c.Other)
	row.TDDScore.count(c.TDDScore)
	for name, v := range c.Published {
		if row.Published == nil {
			row.Published = map[string]Mean{}
		}
		m := row.Published[name]
		m.add(v)
		row.Published[name] = m
	}
}

// count adds a value that is there.
func (m *Mean) count(x *float64) {
	if x != nil {
		m.add(*x)
	}
}

// coverageTable shows change coverage.
func (s *Summary) coverageTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"coverage", "submission", "all", "fail-pass", "not fail-pass", "by F2P tests", "by others", "tddScore", "of"})
	rightFrom(t, 3, 9)
	for _, r := range s.Rows {
		c := r.Coverage
		if c == nil {
			continue
		}
		t.AppendRow(table.Row{
			r.Language, r.Model, c.All.percent(), c.FailToPass.percent(), c.NotFailToPass.percent(), c.ByFailToPass.percent(), c.ByOther.percent(),
			c.TDDScore.oneDigit(), c.TDDScore.Of,
		})
	}
	return t
}

// publishedTable shows the figures that follow the benchmarks' papers or programs.
func (s *Summary) publishedTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"after papers and programs", "submission", "figure", "mean", "of"})
	rightFrom(t, 4, 5)
	for _, r := range s.Rows {
		if r.Coverage == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(r.Coverage.Published)) {
			m := r.Coverage.Published[name]
			value, _ := m.Value()
			t.AppendRow(table.Row{r.Language, r.Model, name, fmt.Sprintf("%.3f", value), m.Of})
		}
	}
	return t
}
