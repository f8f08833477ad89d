package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"assay/collect"
)

func (a *app) funnelCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "funnel DIR",
		Short: "Count what each stage of a collection left out, and why",
		Long: `Counts the changes of a collection: how many each stage let through and left out, for
which reason, by repository and language. --json has one line for each count.

` + exitHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder, err := collect.ReadFolder(args[0])
			if err != nil {
				return err
			}
			if !asJSON {
				return a.showFunnel(folder)
			}
			for _, c := range folder.Funnel() {
				if err := encodeLine(a.stdout, c); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON line per count")
	return cmd
}

// showFunnel prints a table of repositories, one of reasons, and the seconds.
func (a *app) showFunnel(folder *collect.Folder) error {
	counts := folder.Funnel()
	costs, err := folder.Costs()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n", funnelStages(counts), funnelReasons(counts))
	if by := folder.SetUpsBy(); len(by) > 0 {
		line := "environments:"
		for _, who := range sortedKeys(by) {
			line += fmt.Sprintf(" %d by %s,", by[who], who)
		}
		fmt.Fprintln(a.stdout, line[:len(line)-1])
	}
	for _, c := range costs {
		fmt.Fprintf(a.stdout, "%s: %d instances in %.0f s (set-up %.0f s, runs %.0f s)\n", c.Repo, c.Instances, c.SetUp+c.Validate, c.SetUp, c.Validate)
	}
	return nil
}

// funnelStages has a row for each repository and language: how many changes
// each stage was given, and how many came out.
func funnelStages(counts []collect.Count) string {
	type key struct{ repo, language string }
	type stages map[collect.Stage][2]int // in, out
	var order []key
	found := map[key]stages{}
	for _, c := range counts {
		k := key{c.Repo, c.Language}
		if found[k] == nil {
			found[k] = stages{}
			order = append(order, k)
		}
		n := found[k][c.Stage]
		n[0] += c.N
		if c.Reason == "" {
			n[1] += c.N
		}
		found[k][c.Stage] = n
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Footer = text.FormatDefault
	t.AppendHeader(table.Row{"repository", "language", "changes", "candidates", "split", "set up", "valid"})
	sum := stages{}
	for _, k := range order {
		s := found[k]
		t.AppendRow(table.Row{k.repo, dash(k.language), s[collect.StageFind][0], s[collect.StageFind][1], s[collect.StageSplit][1], stageOf(s[collect.StageSetUp]), stageOf(s[collect.StageValidate])})
		for stage, n := range s {
			sum[stage] = [2]int{sum[stage][0] + n[0], sum[stage][1] + n[1]}
		}
	}
	t.AppendFooter(table.Row{"all", "", sum[collect.StageFind][0], sum[collect.StageFind][1], sum[collect.StageSplit][1], stageOf(sum[collect.StageSetUp]), stageOf(sum[collect.StageValidate])})
	return t.Render()
}

// stageOf is what came out of how many that were tried.
func stageOf(n [2]int) string {
	if n[0] == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n[1], n[0])
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// funnelReasons has a row for each stage and reason, over all repositories.
func funnelReasons(counts []collect.Count) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"stage", "left out", "changes"})
	for _, stage := range collect.Stages() {
		n := map[collect.Reason]int{}
		for _, c := range counts {
			if c.Stage == stage && c.Reason != "" {
				n[c.Reason] += c.N
			}
		}
		for _, why := range collect.Reasons() {
			if n[why] > 0 {
				t.AppendRow(table.Row{stage, why, n[why]})
			}
		}
	}
	return t.Render()
}
