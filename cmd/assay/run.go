package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/bench"
	"assay/tasks"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run -d DATASET --agent autofix -o PREDICTIONS",
		Short: "Let a built-in agent solve tasks, and write its predictions",
		Long: `Runs an agent on the tasks of a dataset and writes what it submits as predictions.
autofix applies, to every style task, the fixer that belongs to its linter; it needs no
model. Where the agent has nothing to say the prediction is empty.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd) },
	}
	datasetFlags(cmd)
	executorFlags(cmd)
	f := cmd.Flags()
	f.String("agent", agents.Autofix, "the agent: autofix")
	f.StringP("output", "o", "", "file of predictions to write (JSON Lines)")
	f.IntP("jobs", "j", defaultJobs(), "how many tasks are solved at once")
	return cmd
}

func (a *app) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	sel, err := a.selectionOf(cmd)
	if err != nil {
		return err
	}
	out, _ := cmd.Flags().GetString("output")
	agent, _ := cmd.Flags().GetString("agent")
	switch {
	case out == "":
		return errors.New("no output: give a file with -o")
	case agent != agents.Autofix:
		return fmt.Errorf("--agent %q is not known (autofix)", agent)
	}
	jobs, _ := cmd.Flags().GetInt("jobs")
	o := evalOptions{selection: sel, agent: agent, kinds: []tasks.Kind{tasks.Style{}}, jobs: jobs}
	ev, err := a.readEvaluation(ctx, o)
	if err != nil {
		return err
	}
	defer ev.data.Close()
	m, err := a.openMachine(ctx, cmd)
	if err != nil {
		return err
	}
	defer m.Close()
	ev.machine, ev.solve = m.Machine, solver(m)
	made, failed := a.solveAll(ctx, ev)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := writePredictions(out, made); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d predictions: %s\n", len(made)-failed, out)
	if failed > 0 {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d tasks could not be given to the agent", failed, len(made))}
	}
	return nil
}

// solveAll lets the agent solve every task; predictions stand in the order of
// the tasks, nil where it could not be run.
func (a *app) solveAll(ctx context.Context, ev *evaluation) ([]*bench.Prediction, int) {
	made := make([]*bench.Prediction, len(ev.items))
	failed := 0
	a.each(ctx, batch{
		workers: ev.options.jobs, n: len(ev.items), name: func(i int) string { return ev.items[i].name() }, tell: a.tell,
		do: func(ctx context.Context, i int) string {
			_, p, err := ev.loader(ev.items[i])(ctx)
			if err != nil {
				return fmt.Sprintf("%s: %v", ev.items[i].name(), err)
			}
			made[i] = &p
			return fmt.Sprintf("%s: %d bytes", ev.items[i].name(), len(p.Patch))
		},
	})
	for _, p := range made {
		if p == nil {
			failed++
		}
	}
	return made, failed
}
