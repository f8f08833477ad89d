package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"assay/bench"
	"assay/engine"
	"assay/tasks"
)

// validateFlags are validate's flags.
type validateFlags struct {
	dataset       datasetFlags
	executor      executorFlags
	repeat        repeatFlags
	write, output string
	coverage      bool
}

func (a *app) validateCommand() *cobra.Command {
	o := &validateFlags{}
	cmd := &cobra.Command{
		Use:   "validate -d DATASET",
		Short: "Check a dataset by running its own patches",
		Long: `Runs base and gold (so many times each as --runs says), every bad patch and every good
variant of every instance. By the published ids as they are, gold must resolve and base must
not; every published id that the runs do not bear out is listed with the reason. Then both
lists are measured anew, each bad patch gets its level, and tests that change their mind are
listed. Exits with code 1 when an instance is not sound.

Levels of bad patches: does_not_apply, does_not_build, behaves_like_base,
breaks_p2p_only, fails_f2p, passes_all.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.validate(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	o.repeat.add(cmd, 1, "how often base and gold are run")
	f := cmd.Flags()
	f.StringVar(&o.write, "write", "", "write the dataset again, with measured FAIL_TO_PASS, PASS_TO_PASS and levels, to this file")
	secret(f, "write")
	f.StringVarP(&o.output, "output", "o", "", "write one JSON line per instance to this file")
	secret(f, "output")
	f.BoolVar(&o.coverage, "coverage", false, "also measure the hidden tests as generated ones are: what they execute of the gold patch, and the bad patches that they let pass")
	return cmd
}

func (a *app) validate(ctx context.Context, flags validateFlags) error {
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	if err := flags.repeat.check(); err != nil {
		return err
	}
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	found, err := a.validateAll(ctx, o, flags)
	if err != nil {
		return err
	}
	if err := flags.writeAll(o.set, o.entries, found); err != nil {
		return err
	}
	return a.showValidations(found, o.set.Partial)
}

// validateAll validates on a number of workers; results are in the order of
// the dataset.
func (a *app) validateAll(ctx context.Context, o *opened, flags validateFlags) ([]tasks.Validation, error) {
	judge := tasks.Judge{Machine: o.Machine.Machine, Now: now}
	entries := o.entries
	found := make([]tasks.Validation, len(entries))
	errs := make([]error, len(entries))
	a.each(ctx, batch{
		workers: flags.repeat.jobs, n: len(entries), name: func(i int) string { return entries[i].ID }, statusLine: a.statusLine,
		do: func(ctx context.Context, i int) string {
			inst, err := o.set.Read(entries[i])
			if err == nil {
				found[i], err = judge.Validate(ctx, &inst, flags.repeat.runs)
			}
			if err == nil && flags.coverage && found[i].Verdict == "" {
				found[i].HiddenTests, err = judge.Strength(ctx, &inst)
			}
			errs[i] = err
			return validationLine(entries[i].ID, found[i], err)
		},
	})
	return found, errors.Join(errors.Join(errs...), ctx.Err())
}

func validationLine(id string, v tasks.Validation, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", id, err)
	case v.Sound:
		return id + ": sound"
	}
	return id + ": " + strings.Join(v.Problems, "; ")
}

// writeAll writes what was asked for, each file as a whole.
func (o validateFlags) writeAll(set *engine.Data, entries []bench.Entry, found []tasks.Validation) error {
	if o.output != "" {
		var buf bytes.Buffer
		for _, v := range found {
			line, err := json.Marshal(v)
			if err != nil {
				return err
			}
			buf.Write(append(line, '\n'))
		}
		if err := bench.WriteAtomic(o.output, buf.Bytes()); err != nil {
			return err
		}
	}
	if o.write == "" {
		return nil
	}
	var buf bytes.Buffer
	for i, e := range entries {
		inst, err := set.Read(e)
		if err != nil {
			return err
		}
		if found[i].Verdict == "" {
			inst = found[i].Rewrite(inst)
		}
		if err := bench.WriteInstance(&buf, inst); err != nil {
			return err
		}
	}
	return bench.WriteAtomic(o.write, buf.Bytes())
}

func (a *app) showValidations(found []tasks.Validation, partial bool) error {
	unsound, unjudged := 0, 0
	for _, v := range found {
		if !v.Sound {
			unsound++
		}
		if v.Verdict != "" {
			unjudged++
		}
	}
	if _, err := fmt.Fprintln(a.stdout, validationTable(found)); err != nil {
		return err
	}
	listFlaky(a.stdout, found)
	listDifferences(a.stdout, found)
	listStrengths(a.stdout, found)
	fmt.Fprintf(a.stdout, "%d of %d instances are valid\n", len(found)-unsound, len(found))
	switch {
	case unjudged > 0 || partial:
		return &codedError{exitNotJudged, fmt.Errorf("%d instances could not be run", unjudged)}
	case unsound > 0:
		return &codedError{exitGate, fmt.Errorf("%d instances are not valid", unsound)}
	}
	return nil
}

func validationTable(found []tasks.Validation) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"instance", "language", "sound", "judgeable", "F2P", "P2P", "differences", "flaky", "bad patches"})
	for _, v := range found {
		var bad []string
		for _, b := range v.Bad {
			bad = append(bad, fmt.Sprintf("%d: %s (F2P %d, P2P %d fail)", b.Index, b.Level, b.F2PFailed, b.P2PFailed))
		}
		t.AppendRow(table.Row{v.InstanceID, v.Language, yes(v.Sound), yes(v.Judgeable), len(v.FailToPass), len(v.PassToPass),
			len(v.Differences), len(v.Flaky), strings.Join(bad, "\n")})
	}
	return t.Render()
}

func listFlaky(w io.Writer, found []tasks.Validation) {
	for _, v := range found {
		for _, id := range v.Flaky {
			fmt.Fprintf(w, "flaky: %s: %s\n", v.InstanceID, id)
		}
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "NO"
}

// shownDifferences bounds what is printed for one instance; -o has them all.
const shownDifferences = 10

func listDifferences(w io.Writer, found []tasks.Validation) {
	for _, v := range found {
		for i, d := range v.Differences {
			if i == shownDifferences {
				fmt.Fprintf(w, "published: %s: %d more (all of them: -o FILE)\n", v.InstanceID, len(v.Differences)-i)
				break
			}
			fmt.Fprintf(w, "published: %s: %s %s: %s\n", v.InstanceID, d.List, d.ID, d.Why)
		}
		if v.Unpublished > 0 {
			fmt.Fprintf(w, "published: %s: %d tests measured here are in neither list\n", v.InstanceID, v.Unpublished)
		}
	}
}
