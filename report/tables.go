package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// rightFrom aligns the columns from first to last, counted from 1, and leaves
// hidden ones out.
func rightFrom(t table.Writer, first, last int, hidden ...int) {
	var configs []table.ColumnConfig
	for i := first; i <= last; i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignFooter: text.AlignRight, Hidden: slices.Contains(hidden, i)})
	}
	t.SetColumnConfigs(configs)
}

// styleTable shows the figures of style tasks.
func (s *Summary) styleTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"style", "submission", "held score", "score", "net", "fix rate", "error ratio", "overall", "function held", "fixed", "new", "of", "cheated"})
	rightFrom(t, 3, 13)
	for _, r := range s.Rows {
		if r.Style == nil {
			continue
		}
		f := r.Style
		t.AppendRow(table.Row{
			r.Language, r.Model, f.HeldScore.percent(), f.Score.percent(), f.Net.percent(), f.FixRate.percent(),
			f.ErrorRatio.number(), f.OverallFixRate.percent(), f.FunctionHeld.String(), f.Resolved, f.New, f.Original, f.Cheated,
		})
	}
	return t
}

// upliftTable shows paired comparisons.
func (s *Summary) upliftTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"review", "submission", "against", "pairs", "with review", "without", "uplift"})
	rightFrom(t, 4, 7)
	for _, u := range s.Uplift {
		for _, side := range []struct {
			name string
			p    *Paired
		}{{"bug-fix", u.BugFix}, {"bad patch alone", u.Alone}} {
			if p := side.p; p != nil {
				t.AppendRow(table.Row{u.Language, u.Model, side.name, p.Pairs, percent(p.Review, p.Pairs), percent(p.Other, p.Pairs),
					fmt.Sprintf("%+.1f", 100*float64(p.Review-p.Other)/float64(p.Pairs))})
			}
		}
	}
	return t
}

// figuresTable shows the means of figures of kinds from outside assay.
func (s *Summary) figuresTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"task", "language", "submission", "figure", "mean", "tasks"})
	rightFrom(t, 5, 6)
	for _, r := range s.Rows {
		for _, name := range slices.Sorted(maps.Keys(r.Figures)) {
			t.AppendRow(table.Row{r.Task, r.Language, r.Model, name, r.Figures[name].number(), r.Figures[name].Of})
		}
	}
	return t
}

func (m Mean) percent() string {
	v, ok := m.Value()
	if !ok {
		return "n/a"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func (m Mean) number() string {
	v, ok := m.Value()
	if !ok {
		return "n/a"
	}
	return fmt.Sprintf("%.2f", v)
}
