package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/badpatch"
	"assay/bench"
)

func (a *app) badpatchShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show INSTANCE -d DATASET",
		Short: "Show the bad patches of an instance: diff, category, kill vector",
		Long: `Shows what gen knows of an instance: the chosen bad patches, or with --all whatever was run.
The dataset is one that gen wrote; what was run lies beside it in DATASET.badpatch.

` + exitHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.badpatchShow(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringP("dataset", "d", "", "a dataset that gen wrote")
	f.Bool("all", false, "show survivors, regressions and rejected candidates too")
	return cmd
}

func (a *app) badpatchShow(cmd *cobra.Command, id string) error {
	dataset, _ := cmd.Flags().GetString("dataset")
	if dataset == "" {
		return errors.New("no dataset: give one with -d")
	}
	all, _ := cmd.Flags().GetBool("all")
	var found *badpatch.Record
	err := readJournal(dataset+".badpatch/made.jsonl", func(w worked) {
		if bench.NormaliseID(w.Record.InstanceID) == bench.NormaliseID(id) {
			found = &w.Record // later lines stand for later calls
		}
	})
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("%s: no instance %q in what gen made", dataset, id)
	}
	fmt.Fprintln(a.stdout, found)
	if all {
		for _, t := range found.Trials {
			a.showTrial(t, "")
		}
		return nil
	}
	for _, c := range found.Chosen {
		a.showTrial(found.Trials[c.Trial], c.Reason)
	}
	return nil
}

func (a *app) showTrial(t badpatch.Trial, why string) {
	fmt.Fprintf(a.stdout, "\n%s %s/%s, category %s, %s", t.Verdict, t.Source, t.Operator, t.Category, t.Kind)
	if t.Cause != "" {
		fmt.Fprintf(a.stdout, ": %s", t.Cause)
	}
	fmt.Fprintln(a.stdout)
	for _, line := range []struct{ name, text string }{
		{"what", t.Detail.What}, {"chosen", why}, {"killed by", strings.Join(t.Kills(), "\n           ")},
	} {
		if line.text != "" {
			fmt.Fprintf(a.stdout, "%-10s %s\n", line.name, line.text)
		}
	}
	fmt.Fprintf(a.stdout, "%s", t.Patch)
}
