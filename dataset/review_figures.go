package dataset

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/review"
)

// Figures measure the reviews of a set by their texts. It grows by Add. What
// reviews do for an agent is measured from results (see report.Uplift).
type Figures struct {
	Reviews   int          `json:"reviews"`
	Leaking   review.Share `json:"leaking"`
	Checkable review.Share `json:"checkable"`
	Replaced  review.Share `json:"replaced"`
	Grounding review.Share `json:"grounding"`
	// Places named, of those where gold and the bad patch differ (recall), and
	// right ones of those named (precision), by file and symbol.
	Files   review.Finding `json:"files"`
	Symbols review.Finding `json:"symbols"`
}

// Add counts the reviews of one instance.
func (f *Figures) Add(r Record) {
	for _, one := range r.Reviews {
		f.Reviews += one.Figures.Reviews
		sum(&f.Leaking, one.Figures.Leaking)
		sum(&f.Checkable, one.Figures.Checkable)
		sum(&f.Replaced, one.Figures.Replaced)
		sum(&f.Grounding, one.Figures.Grounding)
		sum(&f.Files.Recall, one.Figures.Files.Recall)
		sum(&f.Files.Precision, one.Figures.Files.Precision)
		sum(&f.Symbols.Recall, one.Figures.Symbols.Recall)
		sum(&f.Symbols.Precision, one.Figures.Symbols.Precision)
	}
}

func sum(into *review.Share, s review.Share) {
	into.Count += s.Count
	into.Of += s.Of
}

// Text writes the figures for a terminal; nothing where there are no reviews.
func (f *Figures) Text(w io.Writer) error {
	if f.Reviews == 0 {
		return nil
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"reviews written", "leaking", "checkable", "replaced", "grounded", "files: recall", "precision", "symbols: recall", "precision"})
	t.AppendRow(table.Row{
		f.Reviews, share(f.Leaking), share(f.Checkable), share(f.Replaced), share(f.Grounding),
		share(f.Files.Recall), share(f.Files.Precision), share(f.Symbols.Recall), share(f.Symbols.Precision),
	})
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func share(s review.Share) string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", s.Count, s.Of)
}
