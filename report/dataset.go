package report

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/bench"
	"assay/internal/patch"
)

// Dataset is the table of a dataset by language: sizes of its patches,
// reviews and style tasks (OmniCode, section 4, table 1, and section 3.2.4).
// It grows by Add.
type Dataset struct {
	Languages map[string]*DatasetRow `json:"languages"`
}

// DatasetRow describes one language's instances.
type DatasetRow struct {
	Gold PatchFigures `json:"gold"`
	Test PatchFigures `json:"test"`
	Bad  PatchFigures `json:"bad"`
	// ReviewSize is in characters, as the paper has it.
	ReviewSize Mean `json:"review_size"`
	// Findings are those of a style task; Linters counts tasks by tool.
	Findings Mean           `json:"findings"`
	Linters  map[string]int `json:"linters"`
}

// PatchFigures are means over patches.
type PatchFigures struct {
	// Complexity is files + hunks + (added + removed lines) / 10.
	Complexity Mean `json:"complexity"`
	Added      Mean `json:"added"`
	Removed    Mean `json:"removed"`
	Unparsed   int  `json:"unparsed,omitempty"` // left out of the means
}

// Add counts one instance.
func (d *Dataset) Add(in *bench.Instance) {
	if d.Languages == nil {
		d.Languages = map[string]*DatasetRow{}
	}
	row := d.Languages[in.Language]
	if row == nil {
		row = &DatasetRow{Linters: map[string]int{}}
		d.Languages[in.Language] = row
	}
	row.Gold.add(in.Patch)
	row.Test.add(in.TestPatch)
	for _, b := range in.BadPatches {
		row.Bad.add(b.Patch)
	}
	for _, r := range in.Reviews {
		if r.Arm == bench.ArmReview {
			row.ReviewSize.add(float64(utf8.RuneCountInString(r.Text)))
		}
	}
	for _, s := range in.Style {
		row.Findings.add(float64(len(s.Findings)))
		row.Linters[s.Linter]++
	}
}

func (f *PatchFigures) add(text string) {
	if text == "" {
		return
	}
	p, err := patch.Parse([]byte(text))
	if err != nil {
		f.Unparsed++
		return
	}
	added, removed := 0, 0
	for _, file := range p.Files {
		added += file.Added()
		removed += file.Removed()
	}
	f.Complexity.add(p.Complexity())
	f.Added.add(float64(added))
	f.Removed.add(float64(removed))
}

// Text writes the table for a terminal.
func (d *Dataset) Text(w io.Writer) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	names := d.names()
	header := table.Row{"dataset"}
	for _, n := range names {
		header = append(header, n)
	}
	t.AppendHeader(header)
	rightFrom(t, 2, 1+len(names))
	for _, line := range datasetLines() {
		row := table.Row{line.name}
		for _, n := range names {
			row = append(row, line.cell(d.Languages[n]))
		}
		t.AppendRow(row)
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// names lists the languages in the order of the paper, then others.
func (d *Dataset) names() []string {
	var out []string
	for _, n := range bench.KnownLanguages().InTables() {
		if d.Languages[n] != nil {
			out = append(out, n)
		}
	}
	var rest []string
	for n := range d.Languages {
		if !slices.Contains(out, n) {
			rest = append(rest, n)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

type datasetLine struct {
	name string
	cell func(*DatasetRow) string
}

func datasetLines() []datasetLine {
	var lines []datasetLine
	for _, kind := range []struct {
		name string
		of   func(*DatasetRow) PatchFigures
	}{
		{"gold patches", func(r *DatasetRow) PatchFigures { return r.Gold }},
		{"test patches", func(r *DatasetRow) PatchFigures { return r.Test }},
		{"bad patches", func(r *DatasetRow) PatchFigures { return r.Bad }},
	} {
		lines = append(lines,
			datasetLine{kind.name, func(r *DatasetRow) string { f := kind.of(r); return fmt.Sprint(f.Complexity.Of + f.Unparsed) }},
			datasetLine{"  complexity", func(r *DatasetRow) string { return kind.of(r).Complexity.oneDigit() }},
			datasetLine{"  lines added", func(r *DatasetRow) string { return kind.of(r).Added.oneDigit() }},
			datasetLine{"  lines removed", func(r *DatasetRow) string { return kind.of(r).Removed.oneDigit() }})
	}
	return append(lines,
		datasetLine{"reviews", func(r *DatasetRow) string { return fmt.Sprint(r.ReviewSize.Of) }},
		datasetLine{"  characters", func(r *DatasetRow) string { return r.ReviewSize.oneDigit() }},
		datasetLine{"style tasks", func(r *DatasetRow) string { return fmt.Sprint(r.Findings.Of) }},
		datasetLine{"  findings", func(r *DatasetRow) string { return r.Findings.oneDigit() }})
}

func (m Mean) oneDigit() string {
	v, ok := m.Value()
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.1f", v)
}
