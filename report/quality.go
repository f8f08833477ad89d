package report

import (
	"github.com/jedib0t/go-pretty/v6/table"

	"assay/bench"
)

// QualityRow adds up what else is known of generated tests, over the judged
// submissions of which it was asked.
type QualityRow struct {
	Flaky    Rate `json:"flaky"`     // tests that did not end alike in all runs, of all
	PassGood Rate `json:"pass_good"` // tests that pass on every rewrite of gold, of all
	// KilledBefore are killed bad patches that the tests that exist kill already,
	// and CoveredBefore lines of gold that these execute, too, of those that the
	// generated tests kill and execute.
	KilledBefore  Rate `json:"killed_before"`
	CoveredBefore Rate `json:"covered_before"`
	// Unseen are bad patches that the tests let pass although they execute where
	// these are wrong, of those that they let pass and of which that is known.
	Unseen Rate `json:"unseen"`
}

func (row *QualityRow) add(q bench.TestQuality, killed int) {
	if q.Runs > 1 {
		row.Flaky.sum(len(q.Flaky), q.Tests)
	}
	if q.PassGood != nil {
		row.PassGood.sum(len(q.PassGood), q.Tests)
	}
	if q.KilledBefore != nil {
		row.KilledBefore.sum(len(q.KilledBefore), killed)
	}
	if q.Covered != nil && q.CoveredBefore != nil {
		row.CoveredBefore.sum(*q.CoveredBefore, *q.Covered)
	}
	for _, s := range q.Survivors {
		if s.Reached != nil {
			seen := len(s.Reached) > 0
			row.Unseen.count(&seen)
		}
	}
}

func (r *Rate) sum(yes, of int) { r.Yes, r.Of = r.Yes+yes, r.Of+of }

// qualityTable shows flaky tests, tests that gold's rewrites do not break, and
// what is redundant.
func (s *Summary) qualityTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"quality", "submission", "flaky", "pass on rewrites", "killed before", "covered before", "run, not seen"})
	rightFrom(t, 3, 7)
	for _, r := range s.Rows {
		if q := r.Quality; q != nil {
			t.AppendRow(table.Row{r.Language, r.Model, q.Flaky.String(), q.PassGood.String(), q.KilledBefore.String(), q.CoveredBefore.String(), q.Unseen.String()})
		}
	}
	return t
}
