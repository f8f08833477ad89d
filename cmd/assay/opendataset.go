package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/engine"
)

// opened is a dataset, the instances that are meant, and the machine to work
// on them with.
type opened struct {
	*engine.Machine
	set     *engine.Data
	entries []bench.Entry
}

// open checks all of the dataset before anything is started.
func (a *app) open(ctx context.Context, sel engine.Selection, e executorFlags) (*opened, error) {
	set, entries, err := sel.List(ctx)
	if err != nil {
		return nil, err
	}
	m, err := a.openMachine(ctx, e)
	if err != nil {
		set.Close()
		return nil, err
	}
	return &opened{m, set, entries}, nil
}

// Close closes both.
func (o *opened) Close() error {
	return errors.Join(o.set.Close(), o.Machine.Close())
}

// repeatFlags are the flags of commands that run instances several times.
type repeatFlags struct{ runs, jobs int }

func (o *repeatFlags) add(cmd *cobra.Command, runs int, what string) {
	f := cmd.Flags()
	f.IntVar(&o.runs, "runs", runs, what)
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many instances are run at once")
}

func (o repeatFlags) check() error {
	if o.runs < 1 || o.jobs < 1 {
		return errors.New("--runs and --jobs: expected at least 1")
	}
	return nil
}
