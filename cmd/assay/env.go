package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"assay/bench"
	"assay/engine"
	"assay/languages"
	"assay/tasks"
)

// envFlags are env's flags.
type envFlags struct {
	dataset datasetFlags
	repos   string
	json    bool
}

func (a *app) envCommand() *cobra.Command {
	o := &envFlags{}
	cmd := &cobra.Command{
		Use:   "env -d DATASET",
		Short: "Show the environment that is inferred for each instance, with the evidence",
		Long: `Shows, for every instance, the env that its tests would run in: what the dataset says
and what is inferred from the repository at base and the instance's date, each choice with
the file and line it rests on. Nothing is installed or run. Put a field into the instance's
env to override it.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.env(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	cmd.Flags().StringVar(&o.repos, "repos", "", "folder of local mirrors (owner/name, owner__name or owner+name, bare or not)")
	secret(cmd.Flags(), "repos")
	cmd.Flags().BoolVar(&o.json, "json", false, "write one JSON line per instance")
	return cmd
}

func (a *app) env(ctx context.Context, o envFlags) error {
	sel, err := a.selection(ctx, o.dataset)
	if err != nil {
		return err
	}
	set, entries, err := sel.List(ctx)
	if err != nil {
		return err
	}
	defer set.Close()
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	m := languages.Machine{Sources: engine.Sources(o.repos, cache), Languages: a.parts.Languages, Tools: a.parts.Tools()}
	failed := 0
	for _, e := range entries {
		inst, err := set.Read(e)
		if err != nil {
			return err
		}
		found, err := inferred(ctx, m, &inst)
		if err != nil {
			failed++
			fmt.Fprintf(a.stderr, "assay: %v\n", err)
			continue
		}
		if err := showEnv(a.stdout, found, o.json); err != nil {
			return err
		}
	}
	if failed > 0 {
		return &codedError{exitNotJudged, fmt.Errorf("no environment can be inferred for %d of %d instances", failed, len(entries))}
	}
	return nil
}

func inferred(ctx context.Context, m languages.Machine, inst *bench.Instance) (tasks.Environment, error) {
	bed, err := m.Open(ctx, inst)
	if err != nil {
		return tasks.Environment{}, err
	}
	return tasks.Environment{InstanceID: inst.ID, Env: bed.Env(), Decisions: bed.Decisions()}, nil
}

// showEnv writes an env as YAML that can be pasted into an instance, with the
// decisions as comments above it.
func showEnv(w io.Writer, e tasks.Environment, asJSON bool) error {
	if asJSON {
		return encodeLine(w, e)
	}
	fmt.Fprintf(w, "# %s\n", e.InstanceID)
	for _, d := range e.Decisions {
		fmt.Fprintf(w, "# %s: %s (%s%s)\n", d.Field, d.Value, d.Why, evidence(d))
	}
	text, err := yaml.MarshalWithOptions(map[string]any{"env": e.Env}, yaml.UseJSONMarshaler(), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// evidence is where a decision's evidence is.
func evidence(d bench.Decision) string {
	switch {
	case d.File == "":
		return ""
	case d.Line == 0:
		return "; " + d.File
	}
	return fmt.Sprintf("; %s:%d", d.File, d.Line)
}

// encodeLine writes one JSON line, without HTML escapes.
func encodeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
