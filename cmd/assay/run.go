package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/bench"
	"assay/engine"
	"assay/languages"
)

// runFlags are run's flags.
type runFlags struct {
	dataset       datasetFlags
	executor      executorFlags
	agent, output string
	jobs          int
}

func (a *app) runCommand() *cobra.Command {
	o := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run -d DATASET --agent autofix -o PREDICTIONS",
		Short: "Let a built-in agent solve tasks, and write its predictions",
		Long: `Runs an agent on the tasks of a dataset and writes what it submits as predictions.
autofix applies, to every style task, the fixer that belongs to its linter; it needs no
model. Where the agent has nothing to say the prediction is empty.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.agent, "agent", agents.Autofix, "the agent: "+strings.Join(a.parts.Agents.Names(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "file of predictions to write (JSON Lines)")
	secret(f, "output")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many tasks are solved at once")
	return cmd
}

func (a *app) run(ctx context.Context, o runFlags) error {
	sel, err := a.selection(ctx, o.dataset)
	switch {
	case err != nil:
		return err
	case o.output == "":
		return errors.New("no output: give a file with -o")
	case !slices.Contains(a.parts.Agents.Names(), o.agent):
		return fmt.Errorf("--agent %q is not known (%s)", o.agent, strings.Join(a.parts.Agents.Names(), ", "))
	}
	ev, err := engine.Read(ctx, a.parts, engine.Options{Selection: sel, Agent: o.agent})
	if err != nil {
		return err
	}
	defer ev.Close()
	m, err := a.openMachine(ctx, o.executor)
	if err != nil {
		return err
	}
	defer m.Close()
	made, failed := a.solveAll(ctx, ev, m.Machine, o.jobs)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := writePredictions(o.output, made); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d predictions: %s\n", len(made)-failed, o.output)
	if failed > 0 {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d tasks could not be given to the agent", failed, len(made))}
	}
	return nil
}

// solveAll lets the agent solve every task; predictions are in the order of
// the tasks, nil where it could not be run.
func (a *app) solveAll(ctx context.Context, ev *engine.Evaluation, m languages.Machine, jobs int) ([]*bench.Prediction, int) {
	made := make([]*bench.Prediction, ev.Len())
	failed := 0
	a.each(ctx, batch{
		workers: jobs, n: ev.Len(), name: ev.Name, statusLine: a.statusLine,
		do: func(ctx context.Context, i int) string {
			_, p, err := ev.Load(ctx, m, i)
			if err != nil {
				return fmt.Sprintf("%s: %v", ev.Name(i), err)
			}
			made[i] = &p
			return fmt.Sprintf("%s: %d bytes", ev.Name(i), len(p.Patch))
		},
	})
	for _, p := range made {
		if p == nil {
			failed++
		}
	}
	return made, failed
}
