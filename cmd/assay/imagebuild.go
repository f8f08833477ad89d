package main

import (
	"context"
	"fmt"

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
	failed := 0
	for _, e := range o.entries {
		begin := now()
		name, err := buildOne(ctx, o.machine, o.set, e)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed++
			fmt.Fprintf(a.stdout, "%s: %v\n", e.ID, err)
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %s (%.1fs)\n", e.ID, name, now().Sub(begin).Seconds())
	}
	if failed > 0 || o.set.partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d environments could not be made", failed, len(o.entries))}
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
