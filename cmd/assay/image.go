package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"assay/harness/docker"
	"assay/harness/local"
)

func (a *app) imageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "image",
		Short: "List, make or remove the environments of instances",
	}
	var listed, removed executorFlags
	built := &imageBuildFlags{}
	list := &cobra.Command{
		Use: "list", Short: "List environments with their size", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listImages(cmd.Context(), listed) },
	}
	remove := &cobra.Command{
		Use: "rm NAME...", Short: "Remove environments", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.removeImages(cmd.Context(), removed, args) },
	}
	build := &cobra.Command{
		Use: "build -d DATASET", Short: "Make the environments of a dataset's instances beforehand", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.buildImages(cmd.Context(), *built) },
	}
	built.add(build)
	listed.add(list)
	removed.add(remove)
	cmd.AddCommand(build, list, remove)
	return cmd
}

// environment is one prepared layer, of whichever executor.
type environment struct {
	name, label string
	size        int64 // bytes that it adds
	created     time.Time
}

// store lists and removes the environments of an executor.
type store struct {
	list   func(context.Context) ([]environment, error)
	remove func(context.Context, string) error
	sweep  func() error // for the end of removing
	close  func() error
}

func (a *app) openStore(ctx context.Context, o executorFlags) (store, error) {
	cache, err := a.cacheDir()
	if err != nil {
		return store{}, err
	}
	d, _, err := openDriver(ctx, o.name, cache, o.weak, nil)
	if err != nil {
		return store{}, err
	}
	switch d := d.(type) {
	case *docker.Driver:
		return store{list: dockerEnvironments(d), remove: d.Remove, sweep: func() error { return nil }, close: d.Close}, nil
	case *local.Driver:
		return store{list: localEnvironments(d), remove: d.RemoveLayer, sweep: d.SweepShared, close: d.Close}, nil
	}
	return store{}, fmt.Errorf("executor %s keeps no environments in %s", o.name, filepath.Base(cache))
}

func dockerEnvironments(d *docker.Driver) func(context.Context) ([]environment, error) {
	return func(ctx context.Context) ([]environment, error) {
		images, err := d.Images(ctx)
		var out []environment
		for _, i := range images {
			out = append(out, environment{name: i.Name, label: i.Recipe, size: i.Own, created: i.Created})
		}
		return out, err
	}
}

func localEnvironments(d *local.Driver) func(context.Context) ([]environment, error) {
	return func(context.Context) ([]environment, error) {
		layers, err := d.Layers()
		var out []environment
		for _, l := range layers {
			out = append(out, environment{name: l.Name, label: l.Label, size: l.Size, created: l.Created})
		}
		return out, err
	}
}

func (a *app) listImages(ctx context.Context, o executorFlags) error {
	s, err := a.openStore(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	all, err := s.list(ctx)
	if err != nil {
		return err
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"environment", "for", "adds", "made"})
	var sum int64
	for _, e := range all {
		sum += e.size
		t.AppendRow(table.Row{e.name, e.label, megabytes(e.size), e.created.Format("2006-01-02 15:04")})
	}
	t.AppendFooter(table.Row{"", "", megabytes(sum), ""})
	_, err = fmt.Fprintln(a.stdout, t.Render())
	return err
}

func (a *app) removeImages(ctx context.Context, o executorFlags, names []string) error {
	s, err := a.openStore(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	for _, n := range names {
		if err := s.remove(ctx, n); err != nil {
			return errors.Join(fmt.Errorf("removing %s: %w", n, err), s.sweep())
		}
		fmt.Fprintf(a.stdout, "removed %s\n", n)
	}
	return s.sweep()
}
