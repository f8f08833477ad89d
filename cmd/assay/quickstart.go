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
	"strings"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/bench"
	"assay/internal/mirror"
	"assay/languages"
	"assay/samples"
	"assay/tasks"
)

func (a *app) quickstartCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quickstart",
		Short: "Build and judge the sample benchmark: gold, empty, flawed and autofix submissions",
		Long: `Writes the sample benchmark that is built into assay (two instances each in Python,
Java and C++), builds its tasks of all four kinds, makes gold, empty, flawed and, for the
style tasks, autofix submissions, judges them and prints the figures. The first time it
prepares the environments, which needs the network.`,
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
	paths, err := samples.Write(ctx, dir)
	if err != nil {
		return err
	}
	built := filepath.Join(dir, "tasks.jsonl")
	made := filepath.Join(dir, "predictions", "made.jsonl")
	fixed := filepath.Join(dir, "predictions", "autofix.jsonl")
	fmt.Fprintf(a.stderr, "The sample benchmark is in %s.\n", dir)
	if err := a.step(cmd, "build", "-d", paths.Dataset, "-o", built, "--repos", paths.Repos); err != nil {
		return err
	}
	if err := writeOwnSubmissions(ctx, built, paths.Repos, made); err != nil {
		return err
	}
	if err := a.step(cmd, "run", "-d", built, "--agent", agents.Autofix, "--repos", paths.Repos, "-o", fixed); err != nil {
		return err
	}
	run := filepath.Join(dir, "run")
	err = a.step(cmd, "eval", "-d", built, "-p", strings.Join([]string{made, paths.Flawed, paths.FlawedTests, fixed}, ","),
		"-t", strings.Join(tasks.Default().Names(), ","), "--repos", paths.Repos, "-o", run)
	if err != nil {
		return err
	}
	return a.checkQuickstart(ctx, filepath.Join(run, "results.jsonl"))
}

// step runs another command of assay's, with quickstart's own executor, and
// says which.
func (a *app) step(cmd *cobra.Command, args ...string) error {
	fmt.Fprintf(a.stderr, "\n$ assay %s\n", strings.Join(args, " "))
	executor, _ := cmd.Flags().GetString("executor")
	jobs, _ := cmd.Flags().GetInt("jobs")
	args = append(args, "--executor", executor, "-j", fmt.Sprint(jobs))
	if cache, _ := cmd.Flags().GetString("cache-dir"); cache != "" {
		args = append(args, "--cache-dir", cache)
	}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return root.ExecuteContext(cmd.Context())
}

// writeOwnSubmissions makes what needs no agent: the gold and the empty
// submission of every task, and for reviews and style tasks a flawed one.
func writeOwnSubmissions(ctx context.Context, dataset, repos, path string) error {
	set, err := bench.OpenDataset(dataset)
	if err != nil {
		return err
	}
	defer set.Close()
	m := languages.Machine{Sources: &mirror.Store{Dir: repos}}
	var buf bytes.Buffer
	err = set.Scan(ctx, func(_ bench.Entry, inst *bench.Instance) error {
		for _, k := range registered() {
			ts, err := k.Build(inst)
			if err != nil {
				continue
			}
			for _, t := range ts {
				if err := writeTaskSubmissions(ctx, &buf, m, t); err != nil {
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

func writeTaskSubmissions(ctx context.Context, w *bytes.Buffer, m languages.Machine, t tasks.Task) error {
	made := []bench.Prediction{tasks.Nothing(t)}
	if t.Style == nil {
		gold, err := tasks.Solution(ctx, m, t)
		if err != nil {
			return err
		}
		made = append(made, gold)
	}
	flawed, err := flawedSubmission(ctx, m, t)
	if err != nil {
		return err
	}
	if flawed != "" {
		made = append(made, bench.Prediction{InstanceID: t.Name(), Model: "flawed", Task: t.Kind, Patch: flawed})
	}
	for _, p := range made {
		if err := bench.WritePrediction(w, p); err != nil {
			return err
		}
	}
	return nil
}

// checkQuickstart holds the verdicts against what the samples are made for:
// gold submissions resolve, empty and flawed ones do not, and silence mends
// nothing. What autofix reaches is only shown.
func (a *app) checkQuickstart(ctx context.Context, results string) error {
	last := map[string]bench.Result{}
	err := bench.ReadResults(ctx, results, func(r bench.Result) error {
		last[r.Task+"/"+tasks.PartName(r.InstanceID, r.Part)+" by "+r.Model] = r
		return nil
	})
	if err != nil {
		return err
	}
	wrong, n := 0, 0
	for _, name := range slices.Sorted(maps.Keys(last)) {
		r := last[name]
		if r.Model == agents.Autofix {
			continue
		}
		n++
		silence := r.Style != nil && r.Style.HeldScore != nil && *r.Style.HeldScore > 0
		if (r.Verdict == bench.Resolved) != (r.Model == "gold") || silence {
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
