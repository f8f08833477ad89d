package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay/badpatch"
	"assay/badpatch/measure"
	"assay/bench"
)

func (a *app) badpatchShowCommand() *cobra.Command {
	var dataset string
	var all bool
	cmd := &cobra.Command{
		Use:   "show INSTANCE -d DATASET",
		Short: "Show the bad patches of an instance: diff, category, kill vector",
		Long: `Shows what gen knows of an instance: the chosen bad patches, or with --all whatever was run.
The dataset is one that gen wrote; what was run lies beside it in DATASET.badpatch.

` + exitHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.badpatchShow(dataset, args[0], all) },
	}
	f := cmd.Flags()
	f.StringVarP(&dataset, "dataset", "d", "", "a dataset that gen wrote")
	secret(f, "dataset", ".badpatch")
	f.BoolVar(&all, "all", false, "show survivors, regressions and rejected candidates too")
	return cmd
}

func (a *app) badpatchShow(dataset, id string, all bool) error {
	if dataset == "" {
		return errors.New("no dataset: give one with -d")
	}
	found, err := findRecord(dataset+".badpatch/records.jsonl", id)
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

// findRecord finds what gen put down of an instance; nil where it has none.
func findRecord(path, id string) (*measure.Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading what gen made: %w", err)
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var r measure.Record
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return nil, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		if bench.NormaliseID(r.InstanceID) == bench.NormaliseID(id) {
			return &r, nil
		}
	}
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
