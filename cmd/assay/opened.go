package main

import (
	"errors"

	"github.com/spf13/cobra"

	"assay/bench"
)

// opened is a dataset, the instances that are meant, and the machine to work
// on them with.
type opened struct {
	*machine
	set     *data
	entries []bench.Entry
}

// open checks all of the dataset before anything is started.
func (a *app) open(cmd *cobra.Command, sel selection) (*opened, error) {
	set, entries, err := sel.list(cmd.Context())
	if err != nil {
		return nil, err
	}
	m, err := a.openMachine(cmd.Context(), cmd)
	if err != nil {
		set.Close()
		return nil, err
	}
	return &opened{m, set, entries}, nil
}

// Close closes both.
func (o *opened) Close() error {
	o.set.Close()
	return o.machine.Close()
}

// runsAndJobs are the flags of commands that run instances so many times.
func runsAndJobs(cmd *cobra.Command) (runs, jobs int, err error) {
	runs, _ = cmd.Flags().GetInt("runs")
	jobs, _ = cmd.Flags().GetInt("jobs")
	if runs < 1 || jobs < 1 {
		return 0, 0, errors.New("--runs and --jobs: expected at least 1")
	}
	return runs, jobs, nil
}
