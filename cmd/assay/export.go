package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/export"
)

// exportFlags are export's flags.
type exportFlags struct {
	dataset    datasetFlags
	to, output string
}

func (a *app) exportCommand() *cobra.Command {
	o := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export -d DATASET --to FORM -o DIR",
		Short: "Write a dataset in the form of another benchmark",
		Long: `Writes base instances as SWE-bench's records (swebench: test.jsonl) or task folders
(swebench-tasks), Multi-SWE-bench's records (multiswebench: LANGUAGE/ORG__REPO_dataset.jsonl)
or Harbor's task folders (harbor). What a form has no place for is left out: bad patches,
reviews, style tasks. Harbor's tasks use the instance's image, or a plain Dockerfile that
is not assay's environment.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.export(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "the form: "+strings.Join(export.Forms(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "folder to write, empty or absent")
	secret(f, "output")
	return cmd
}

func (a *app) export(ctx context.Context, o exportFlags) error {
	if o.output == "" {
		return errors.New("no output: give a folder with -o")
	}
	if !slices.Contains(export.Forms(), o.to) {
		return fmt.Errorf("--to: expected %s, got %q", strings.Join(export.Forms(), ", "), o.to)
	}
	sel, err := a.selection(ctx, o.dataset)
	if err != nil {
		return err
	}
	set, entries, err := sel.List(ctx)
	if err != nil {
		return err
	}
	defer set.Close()
	instances := make([]bench.Instance, len(entries))
	for i, e := range entries {
		if instances[i], err = set.Read(e); err != nil {
			return err
		}
	}
	if err := export.Write(o.output, o.to, instances); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d instances written to %s\n", len(instances), o.output)
	return nil
}
