package attempts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/agents"
	"assay/bench"
	"assay/internal/atomicfile"
)

// Summary is what the finished attempts of a folder came to. It says nothing
// about what they are worth: that is what judging is for.
type Summary struct {
	Agent    string   `json:"agent"`
	Versions []string `json:"versions,omitempty"`
	Model    string   `json:"model,omitempty"`
	Rows     []Row    `json:"rows"`
	Total    Row      `json:"total"`
	// SpentUSD is what all tries cost, also those that were cut.
	SpentUSD float64 `json:"spent_usd"`
}

// Row is the attempts of a kind and language. Figures are sums.
type Row struct {
	Task     string             `json:"task,omitempty"`
	Language string             `json:"language,omitempty"`
	Attempts int                `json:"attempts"`
	Ends     map[agents.End]int `json:"ends"`
	Empty    int                `json:"empty"` // without a patch
	Steps    int                `json:"steps"`
	CostUSD  float64            `json:"cost_usd"`
	Seconds  float64            `json:"seconds"`
	Tokens   bench.Tokens       `json:"tokens"`
}

// Summarise adds up the attempts that have predictions. The order of kinds is the one given.
func (f *Folder) Summarise(who Identity, kinds []string) Summary {
	s := Summary{Agent: who.Agent, Model: who.Model, SpentUSD: f.Spent(), Total: Row{Ends: map[agents.End]int{}}}
	rows := map[[2]string]*Row{}
	versions := map[string]bool{}
	records, _ := f.Current()
	for _, r := range records {
		key := [2]string{r.Task, r.Language}
		if rows[key] == nil {
			rows[key] = &Row{Task: r.Task, Language: r.Language, Ends: map[agents.End]int{}}
		}
		rows[key].add(r)
		s.Total.add(r)
		if r.Version != "" {
			versions[r.Version] = true
		}
	}
	s.Versions = slices.Sorted(maps.Keys(versions))
	for _, row := range rows {
		s.Rows = append(s.Rows, *row)
	}
	slices.SortFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(slices.Index(kinds, a.Task)-slices.Index(kinds, b.Task), strings.Compare(a.Task, b.Task), strings.Compare(a.Language, b.Language))
	})
	return s
}

func (r *Row) add(rec Record) {
	r.Attempts++
	r.Ends[rec.End]++
	if rec.Patch == 0 {
		r.Empty++
	}
	r.Steps += rec.Steps
	r.CostUSD += rec.CostUSD
	r.Seconds += rec.Seconds
	r.Tokens.Input += rec.Tokens.Input
	r.Tokens.Cached += rec.Tokens.Cached
	r.Tokens.Output += rec.Tokens.Output
}

// WriteSummary writes summary.json and summary.md.
func (f *Folder) WriteSummary(s Summary) error {
	var md bytes.Buffer
	fmt.Fprintf(&md, "# %s\n\n%s\n", Identity{s.Agent, s.Model}, s.table().RenderMarkdown())
	if s.SpentUSD > 0 {
		fmt.Fprintf(&md, "\nSpent by all tries: $%.4f\n", s.SpentUSD)
	}
	return errors.Join(
		f.writeJSON(f.path("summary.json"), s),
		atomicfile.Write(f.path("summary.md"), md.Bytes(), atomicfile.Options{Mode: 0o644}))
}

// Text prints the summary as a table.
func (s Summary) Text(w io.Writer) error {
	t := s.table()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// table leaves out the columns of the model where no attempt asked one.
func (s Summary) table() table.Writer {
	t := table.NewWriter()
	modeled := s.Total.Tokens != (bench.Tokens{})
	header := table.Row{"kind of task", "language", "attempts", "ends", "empty", "s each"}
	if modeled {
		header = append(header, "steps", "tokens in", "out", "$", "$ each")
	}
	t.AppendHeader(header)
	columns := []table.ColumnConfig{{Number: 3, Align: text.AlignRight}}
	for n := 5; n <= len(header); n++ {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	for _, r := range s.Rows {
		t.AppendRow(r.cells(r.Task, r.Language, modeled))
	}
	if len(s.Rows) > 1 {
		t.AppendSeparator()
		t.AppendRow(s.Total.cells("all", "", modeled))
	}
	return t
}

func (r Row) cells(task, language string, modeled bool) table.Row {
	n := float64(max(r.Attempts, 1))
	out := table.Row{task, language, r.Attempts, r.ends(), r.Empty, fmt.Sprintf("%.1f", r.Seconds/n)}
	if modeled {
		out = append(out, r.Steps, r.Tokens.Input, r.Tokens.Output, fmt.Sprintf("%.4f", r.CostUSD), fmt.Sprintf("%.4f", r.CostUSD/n))
	}
	return out
}

func (r Row) ends() string {
	var out []string
	for _, e := range slices.Sorted(maps.Keys(r.Ends)) {
		out = append(out, fmt.Sprintf("%d %s", r.Ends[e], e))
	}
	return strings.Join(out, ", ")
}
