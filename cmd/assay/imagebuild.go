package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"assay/bench"
)

// buildImages makes environments one after the other: each is built with all
// cores.
func (a *app) buildImages(cmd *cobra.Command) error {
	ctx := cmd.Context()
	sel, err := a.selectionOf(cmd)
	if err != nil {
		return err
	}
	o, err := a.open(cmd, sel)
	if err != nil {
		return err
	}
	defer o.Close()
	jobs, _ := cmd.Flags().GetInt("jobs")
	var failed atomic.Int32
	a.each(ctx, batch{
		workers: jobs, n: len(o.entries), name: func(i int) string { return o.entries[i].ID },
		do: func(ctx context.Context, i int) string {
			begin := now()
			name, err := buildOne(ctx, o.machine, o.set, o.entries[i])
			if err != nil {
				failed.Add(1)
				return fmt.Sprintf("%s: %v\n", o.entries[i].ID, err)
			}
			return fmt.Sprintf("%s: %s (%.1fs)\n", o.entries[i].ID, name, now().Sub(begin).Seconds())
		},
		tell: func(line string) { fmt.Fprint(a.stdout, line) },
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed.Load() > 0 || o.set.partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d environments could not be made", failed.Load(), len(o.entries))}
	}
	return nil
}

func buildOne(ctx context.Context, m *machine, set *data, e bench.Entry) (string, error) {
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
