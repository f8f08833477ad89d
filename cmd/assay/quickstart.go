package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/samples"
)

func (a *app) quickstartCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quickstart",
		Short: "Judge the sample benchmark: gold, empty and flawed submissions",
		Long: `Writes the sample benchmark that is built into assay (two instances each in Python,
Java and C++), makes a gold, an empty and a flawed submission for every task, judges them
and prints the table. The first time it prepares the environments, which needs the network.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.quickstart(cmd) },
	}
	cmd.Flags().String("dir", "quickstart", "where the samples and the run go")
	cmd.Flags().String("executor", "auto", "where jobs run: auto, docker or local")
	cmd.Flags().IntP("jobs", "j", defaultJobs(), "how many submissions are judged at once")
	return cmd
}

func (a *app) quickstart(cmd *cobra.Command) error {
	ctx := cmd.Context()
	dir, _ := cmd.Flags().GetString("dir")
	executor, _ := cmd.Flags().GetString("executor")
	jobs, _ := cmd.Flags().GetInt("jobs")
	cache, _ := cmd.Flags().GetString("cache-dir")
	paths, err := samples.Write(ctx, dir)
	if err != nil {
		return err
	}
	made := filepath.Join(dir, "predictions", "gold-and-empty.jsonl")
	if err := writeOwnSubmissions(ctx, paths.Dataset, made); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "The sample benchmark is in %s. What follows is this command:\n\n  assay eval -d %s -p %s,%s,%s -t bugfix,testgen --repos %s -o %s\n\n",
		dir, paths.Dataset, made, paths.Flawed, paths.FlawedTests, paths.Repos, filepath.Join(dir, "run"))
	root := a.root()
	args := []string{"eval", "-d", paths.Dataset, "-p", made, "-p", paths.Flawed, "-p", paths.FlawedTests,
		"-t", "bugfix,testgen", "--repos", paths.Repos, "-o", filepath.Join(dir, "run"),
		"--executor", executor, "-j", fmt.Sprint(jobs)}
	if cache != "" {
		args = append(args, "--cache-dir", cache)
	}
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	return a.checkQuickstart(ctx, filepath.Join(dir, "run", "results.jsonl"))
}

// writeOwnSubmissions makes the gold and the empty submission of every task.
func writeOwnSubmissions(ctx context.Context, dataset, path string) error {
	set, err := bench.OpenDataset(dataset)
	if err != nil {
		return err
	}
	defer set.Close()
	var buf bytes.Buffer
	err = set.Scan(ctx, func(_ bench.Entry, inst *bench.Instance) error {
		for _, k := range registered() {
			ts, err := k.Build(inst)
			if err != nil {
				continue
			}
			for _, gold := range []bool{true, false} {
				if err := bench.WritePrediction(&buf, ownSubmission(ts[0], gold)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), bench.WriteAtomic(path, buf.Bytes()))
}

// checkQuickstart holds the verdicts against what the samples are made for:
// gold submissions resolve, empty and flawed ones do not.
func (a *app) checkQuickstart(ctx context.Context, results string) error {
	last := map[string]bench.Result{}
	err := bench.ReadResults(ctx, results, func(r bench.Result) error {
		last[r.Task+"/"+r.InstanceID+" by "+r.Model] = r
		return nil
	})
	if err != nil {
		return err
	}
	wrong, n := 0, len(last)
	for _, name := range slices.Sorted(maps.Keys(last)) {
		if r := last[name]; (r.Verdict == bench.Resolved) != (r.Model == "gold") {
			wrong++
			fmt.Fprintf(a.stdout, "unexpected: %s is %s: %s\n", name, r.Verdict, r.Reason)
		}
	}
	if wrong > 0 {
		return &codedError{exitGate, fmt.Errorf("%d of %d verdicts are not what the samples are made for", wrong, n)}
	}
	fmt.Fprintf(a.stdout, "All %d verdicts are right: every gold submission is resolved, no empty and no flawed one.\n", n)
	return nil
}
