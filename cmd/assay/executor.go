package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay/engine"
	"assay/harness/docker"
	"assay/harness/local"
)

// openDriver starts the executor that was asked for. auto takes Docker where
// an engine answers.
func openDriver(ctx context.Context, name, cache string, weak bool, hide []string) (engine.Driver, string, error) {
	switch name {
	case "docker":
		d, err := docker.New(ctx, docker.Options{Dir: filepath.Join(cache, "docker"), Log: quiet()})
		return d, name, err
	case "local":
		d, err := local.New(local.Options{Dir: filepath.Join(cache, "local"), Log: quiet(), AllowWeak: weak, Hide: hide})
		return d, name, err
	case "auto":
		d, _, err := openDriver(ctx, "docker", cache, weak, hide)
		if err == nil {
			return d, "docker", nil
		}
		l, _, localErr := openDriver(ctx, "local", cache, weak, hide)
		if localErr != nil {
			return nil, "", errors.Join(err, localErr)
		}
		return l, "local", nil
	}
	return nil, "", fmt.Errorf("--executor %q is not known (auto, docker, local)", name)
}

// quiet is for drivers: what has an effect on results they return as errors.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// executorFlags are the flags of every command that runs something.
type executorFlags struct {
	name   string
	weak   bool
	repos  string
	fresh  bool
	limits limitFlags
}

func (o *executorFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.name, "executor", "auto", "where jobs run: auto, docker or local")
	f.BoolVar(&o.weak, "allow-weak-isolation", false, "let the local executor run where it cannot isolate fully")
	f.StringVar(&o.repos, "repos", "", "folder of local mirrors (owner/name, owner__name or owner+name, bare or not)")
	secret(f, "repos")
	f.BoolVar(&o.fresh, "no-cache", false, "run everything again, without outcomes from the cache")
	o.limits.add(cmd)
}

// openMachine opens the executor with everything around it. Submissions do not
// see the cache, nor what the command's flags mark as secret, nor the paths in
// more.
func (a *app) openMachine(ctx context.Context, o executorFlags, more ...string) (*engine.Machine, error) {
	cache, err := a.cacheDir()
	if err != nil {
		return nil, err
	}
	if o.repos != "" {
		if info, err := os.Stat(o.repos); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--repos %s: not a folder", o.repos)
		}
	}
	limits, err := o.limits.limits()
	if err != nil {
		return nil, err
	}
	d, name, err := openDriver(ctx, o.name, cache, o.weak, absolute(slices.Concat(secretsOf(a.flags), more, []string{cache, o.repos})))
	if err != nil {
		return nil, err
	}
	return engine.OpenMachine(d, engine.MachineOptions{
		Executor: name, Cache: cache, Repos: o.repos, Fresh: o.fresh, Languages: a.parts.Languages, Tools: a.parts.Tools(), Limits: limits, Pythons: pythons(name), Now: now,
	})
}
