package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/engine"
)

// imageBuildFlags are the flags of image build.
type imageBuildFlags struct {
	dataset  datasetFlags
	executor executorFlags
	jobs     int
}

func (o *imageBuildFlags) add(cmd *cobra.Command) {
	o.dataset.add(cmd)
	o.executor.add(cmd)
	cmd.Flags().IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many environments are made at once")
}

// buildImages makes environments one after the other: each is built with all
// cores.
func (a *app) buildImages(ctx context.Context, flags imageBuildFlags) error {
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	var failed atomic.Int32
	a.each(ctx, batch{
		workers: flags.jobs, n: len(o.entries), name: func(i int) string { return o.entries[i].ID },
		do: func(ctx context.Context, i int) string {
			begin := now()
			name, err := buildOne(ctx, o.Machine, o.set, o.entries[i])
			if err != nil {
				failed.Add(1)
				return fmt.Sprintf("%s: %v\n", o.entries[i].ID, err)
			}
			return fmt.Sprintf("%s: %s (%.1fs)\n", o.entries[i].ID, name, now().Sub(begin).Seconds())
		},
		statusLine: func(line string) { fmt.Fprint(a.stdout, line) },
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed.Load() > 0 || o.set.Partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d environments could not be made", failed.Load(), len(o.entries))}
	}
	return nil
}

func buildOne(ctx context.Context, m *engine.Machine, set *engine.Data, e bench.Entry) (string, error) {
	inst, err := set.Read(e)
	if err != nil {
		return "", err
	}
	bed, err := m.Open(ctx, &inst)
	if err != nil {
		return "", err
	}
	return bed.Prepare(ctx)
}
