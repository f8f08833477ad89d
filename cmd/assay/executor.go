package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/harness"
	"assay/harness/docker"
	"assay/harness/local"
	"assay/internal/mirror"
	"assay/languages"
)

// driver is what an executor offers.
type driver interface {
	harness.Runner
	harness.Preparer
	languages.Namer
	io.Closer
}

// openDriver starts the executor that was asked for. auto takes Docker where
// an engine answers.
func openDriver(ctx context.Context, name, cache string, weak bool, hide []string) (driver, string, error) {
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

// machine is an opened executor with everything around it.
type machine struct {
	languages.Machine
	driver   driver
	executor string
}

func (m *machine) Close() error { return m.driver.Close() }

// executorFlags are the flags of every command that runs something.
func executorFlags(cmd *cobra.Command) {
	cmd.Flags().String("executor", "auto", "where jobs run: auto, docker or local")
	cmd.Flags().Bool("allow-weak-isolation", false, "let the local executor run where it cannot isolate fully")
	cmd.Flags().String("repos", "", "folder of local mirrors (owner/name, owner__name or owner+name, bare or not)")
	cmd.Flags().Bool("no-cache", false, "run everything anew, taking no outcome from the cache")
	limitFlags(cmd)
}

func (a *app) openMachine(ctx context.Context, cmd *cobra.Command) (*machine, error) {
	cache, err := a.cacheDir(cmd)
	if err != nil {
		return nil, err
	}
	executor, _ := cmd.Flags().GetString("executor")
	weak, _ := cmd.Flags().GetBool("allow-weak-isolation")
	repos, _ := cmd.Flags().GetString("repos")
	noCache, _ := cmd.Flags().GetBool("no-cache")
	if repos != "" {
		if info, err := os.Stat(repos); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--repos %s: not a folder", repos)
		}
	}
	limits, err := limitsOf(cmd)
	if err != nil {
		return nil, err
	}
	secret, err := secretOf(cache)
	if err != nil {
		return nil, err
	}
	d, name, err := openDriver(ctx, executor, cache, weak, hidden(cmd, cache))
	if err != nil {
		return nil, err
	}
	var runner harness.Runner = harness.Retry(d, 3, harness.Sleep)
	if !noCache {
		runner = harness.Cached(runner, harness.NewCache(filepath.Join(cache, "outcomes")))
	}
	sources := &mirror.Store{Dir: repos, Cache: filepath.Join(cache, "mirrors")}
	if err := sources.Sweep(now()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	images, _ := d.(languages.Images)
	return &machine{
		Machine: languages.Machine{
			Runner: runner, Preparer: harness.Remember(d), Names: d, Secret: secret, Sources: sources,
			Tools: toolLayers(), Limits: limits, Pythons: pythons(name), Images: images,
		},
		driver: d, executor: name,
	}, nil
}

// hidden lists what holds hidden tests and gold patches: the dataset, the
// predictions, the mirrors and the cache.
func hidden(cmd *cobra.Command, cache string) []string {
	paths := []string{cache}
	if name, err := cmd.Flags().GetString("dataset"); err == nil && name != "" {
		paths = append(paths, bench.DatasetPaths(name)...)
	}
	for _, name := range []string{"repos", "output", "agent-tasks", "record", "replay"} {
		if p, err := cmd.Flags().GetString(name); err == nil && p != "" {
			paths = append(paths, p)
		}
	}
	if cmd.Name() == "build" {
		if p, err := cmd.Flags().GetString("output"); err == nil && p != "" {
			paths = append(paths, p+".build")
		}
	}
	if ps, err := cmd.Flags().GetStringSlice("predictions"); err == nil {
		paths = append(paths, ps...)
	}
	var out []string
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			out = append(out, abs)
		}
	}
	return out
}

// secretOf returns this installation's secret, made when first needed. Only
// names of test files hang on it.
func secretOf(cache string) ([]byte, error) {
	path := filepath.Join(cache, "secret")
	data, err := os.ReadFile(path)
	if err == nil && len(data) == 32 {
		return data, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	return secret, bench.WriteAtomic(path, secret)
}
