package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/agents"
	"assay/bench"
	"assay/tasks"
)

// checkQuickstart prints the verdicts and holds them against what the samples
// are made for: gold submissions resolve, flawed and empty ones do not, and
// silence fixes nothing. What autofix reaches is only shown.
func (a *app) checkQuickstart(ctx context.Context, files ...string) error {
	last := map[string]bench.Result{}
	for _, file := range files {
		err := bench.ReadResults(ctx, file, func(r bench.Result) error {
			last[r.Task+"/"+tasks.PartName(r.InstanceID, r.Part)+" by "+r.Model] = r
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(a.stdout, quickTable(slices.Collect(maps.Values(last)), a.parts.Kinds.Names()))
	wrong, n := 0, 0
	for _, name := range slices.Sorted(maps.Keys(last)) {
		r := last[name]
		if r.Model == agents.Autofix {
			continue
		}
		n++
		silence := r.Style != nil && r.Style.HeldScore != nil && *r.Style.HeldScore > 0
		if (r.Verdict == bench.Resolved) != (r.Model == "gold") || silence {
			wrong++
			fmt.Fprintf(a.stdout, "unexpected: %s is %s: %s\n", name, r.Verdict, r.Reason)
		}
	}
	if wrong > 0 {
		return &codedError{exitGate, fmt.Errorf("%d of %d verdicts are not what the samples are made for", wrong, n)}
	}
	fmt.Fprintf(a.stdout, "All %d verdicts are right: every gold submission is resolved, and no flawed or empty one is.\n", n)
	return nil
}

// quickTable has a row for each language and kind, and side by side how many
// submissions of each sort are resolved, of how many.
func quickTable(results []bench.Result, kinds []string) string {
	cells := map[[3]string]quickCell{}
	for _, r := range results {
		key := [3]string{r.Language, r.Task, r.Model}
		c := cells[key]
		c.of++
		if r.Verdict == bench.Resolved {
			c.resolved++
		}
		cells[key] = c
	}
	models := []string{"gold", "flawed", "empty", agents.Autofix}
	models = slices.DeleteFunc(models, func(m string) bool {
		return !slices.ContainsFunc(results, func(r bench.Result) bool { return r.Model == m })
	})
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	header := table.Row{"language", "kind of task"}
	for _, m := range models {
		header = append(header, m)
	}
	t.AppendHeader(header)
	for _, language := range bench.KnownLanguages().InTables() {
		for _, k := range kinds {
			row, some := table.Row{language, k}, false
			for _, m := range models {
				c, ok := cells[[3]string{language, k, m}]
				some = some || ok
				row = append(row, c)
			}
			if some {
				t.AppendRow(row)
			}
		}
	}
	return t.Render() + "\nsubmissions resolved, of those judged; gold is the right answer (style tasks have none), flawed a wrong one"
}

type quickCell struct{ resolved, of int }

func (c quickCell) String() string {
	if c.of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", c.resolved, c.of)
}
