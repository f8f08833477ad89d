package measure

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Text writes the figures for a terminal; operators reports whether sources
// are listed by operator.
func (f *Figures) Text(w io.Writer, operators bool) error {
	tables := []table.Writer{f.languageTable(), f.yieldTable(operators), f.setTable()}
	for _, t := range tables {
		if _, err := fmt.Fprintln(w, t.Render()); err != nil {
			return err
		}
	}
	var causes []string
	for _, c := range f.SortedCauses() {
		causes = append(causes, fmt.Sprintf("%s %d", c, f.Causes[c]))
	}
	_, err := fmt.Fprintf(w, "left out: %s\n", strings.Join(causes, "; "))
	return err
}

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	return t
}

func (f *Figures) languageTable() table.Writer {
	t := newTable("bad patches", "instances", "in full", "bad", "regressions", "survivors", "rejected", "yield", "chosen", "good variants", "seconds per bad")
	for _, l := range f.Languages {
		t.AppendRow(table.Row{l.Language, l.Instances, l.Full, l.Bad, l.Regression, l.Survivor, l.Rejected, percent(l.Yield()), l.Chosen, l.Variants, oneDecimal(l.SecondsPerBad())})
	}
	return t
}

func (f *Figures) yieldTable(operators bool) table.Writer {
	t := newTable("source", "made", "dropped", "run", "built", "bad", "regressions", "survivors", "chosen", "seconds per bad")
	rows := f.Yields
	if !operators {
		rows = AddYields(true, rows)
	}
	for _, y := range rows {
		name, dropped := y.Source, 0
		if y.Operator != "" {
			name += "/" + y.Operator
		}
		for _, n := range y.Dropped {
			dropped += n
		}
		t.AppendRow(table.Row{name, y.Made, dropped, y.Run, y.Built, y.Bad, y.Regression, y.Survivor, y.Chosen, oneDecimal(y.SecondsPerBad())})
	}
	return t
}

func (f *Figures) setTable() table.Writer {
	t := newTable("set", "", "instances", "patches", "vectors", "rank", "distance", "entropy", "false accept", "any tests", "held out", "overestimate", "accepted with 0, 1, 2 ... patches")
	for _, l := range f.Languages {
		for _, s := range l.Sets {
			held := ""
			if s.HeldOut != nil {
				held = percent(s.HeldOut.FalseAccept())
			}
			t.AppendRow(table.Row{
				l.Language, s.Name, s.Instances, s.Diversity.Patches, s.Diversity.Vectors, s.Diversity.Rank,
				fmt.Sprintf("%.2f", s.Diversity.Distance), fmt.Sprintf("%.2f", s.Diversity.Entropy),
				percent(s.Weak.FalseAccept()), percent(s.AnyTest.FalseAccept()), held, percent(s.Weak.Overestimate()), s.Weak.accepted(),
			})
		}
	}
	return t
}

// accepted are the shares of suites that the first so many patches accept.
func (q Quality) accepted() string {
	var out []string
	for _, n := range q.ByCount[:min(len(q.ByCount), 9)] {
		out = append(out, fmt.Sprintf("%.0f", 100*float64(n)/float64(q.Suites)))
	}
	return strings.Join(out, " ")
}

func oneDecimal(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.1f", x)
}

func percent(rate float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*rate)
}
