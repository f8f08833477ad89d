package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/samples"
	"assay/tasks"
)

// quickFlags are quickstart's flags.
type quickFlags struct {
	dir, executor string
	jobs          int
	all           bool
}

func (a *app) quickstartCommand() *cobra.Command {
	o := &quickFlags{}
	cmd := &cobra.Command{
		Use:   "quickstart",
		Short: "Build and judge the sample benchmark: gold, flawed and empty submissions",
		Long: `Writes the sample benchmark that is built into assay (two instances each in Python,
Java and C++), and judges gold, flawed and empty submissions to tasks of all four kinds of
one instance of each language; --all takes all six instances, and the answers of the
linters' own fixers to the style tasks. The first time it prepares the environments, which
needs the network.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.quickstart(cmd.Context(), *o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "quickstart", "where the samples and the run go")
	secret(f, "dir")
	f.StringVar(&o.executor, "executor", "auto", "where jobs run: auto, docker or local")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many submissions are judged at once")
	f.BoolVar(&o.all, "all", false, "all six instances and every style task, with the linters' own fixers")
	return cmd
}

// quickstart judges first what needs no linting, so that a verdict comes
// early, and builds and judges reviews and style tasks then. Environments are
// prepared meanwhile.
func (a *app) quickstart(ctx context.Context, o quickFlags) error {
	paths, err := samples.Write(ctx, o.dir)
	if err != nil {
		return err
	}
	q := quick{
		parts: a.parts, dir: o.dir, repos: paths.Repos, dataset: filepath.Join(o.dir, "quick.jsonl"),
		flawed: []string{paths.Flawed, paths.FlawedTests}, all: o.all,
	}
	fmt.Fprintf(a.stderr, "The sample benchmark is in %s.\n", o.dir)
	instances, err := q.pick(ctx, paths.Dataset)
	if err != nil {
		return err
	}
	stop := a.prepareBeside(ctx, o.executor, q, instances)
	defer stop()
	ready, rest := q.kinds(instances)
	first, err := a.quickReady(ctx, o, q, ready)
	if err != nil {
		return err
	}
	second, err := a.quickRest(ctx, o, q, rest)
	if err != nil {
		return err
	}
	return a.checkQuickstart(ctx, first, second)
}

// quickReady judges submissions to the tasks that need no building, and returns
// the file of results.
func (a *app) quickReady(ctx context.Context, o quickFlags, q quick, kinds []tasks.Kind) (string, error) {
	made := filepath.Join(q.dir, "predictions", "quick.jsonl")
	if err := q.submissions(ctx, q.dataset, kinds, made); err != nil {
		return "", err
	}
	run := filepath.Join(q.dir, "run-tests")
	err := a.step(ctx, o, "eval", "-d", q.dataset, "-p", made, "-t", kindList(kinds), "--repos", q.repos, "-o", run)
	return filepath.Join(run, "results.jsonl"), err
}

// quickRest builds the other tasks and judges submissions to them.
func (a *app) quickRest(ctx context.Context, o quickFlags, q quick, kinds []tasks.Kind) (string, error) {
	built := filepath.Join(q.dir, "tasks.jsonl")
	made := filepath.Join(q.dir, "predictions", "made.jsonl")
	if err := a.step(ctx, o, "build", "-d", q.dataset, "-o", built, "--repos", q.repos, "--style-tasks", q.styleTasks()); err != nil {
		return "", err
	}
	if err := q.submissions(ctx, built, kinds, made); err != nil {
		return "", err
	}
	if q.all {
		fixed := filepath.Join(q.dir, "predictions", "autofix.jsonl")
		if err := a.step(ctx, o, "run", "-d", built, "--agent", agents.Autofix, "--repos", q.repos, "-o", fixed); err != nil {
			return "", err
		}
		made += "," + fixed
	}
	run := filepath.Join(q.dir, "run")
	err := a.step(ctx, o, "eval", "-d", built, "-p", made, "-t", kindList(kinds), "--repos", q.repos, "-o", run)
	return filepath.Join(run, "results.jsonl"), err
}

func kindList(kinds []tasks.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	return strings.Join(names, ",")
}

// step runs another command of assay's, with quickstart's own executor, and
// reports which. Its tables are left out: quickstart has one of its own, for
// all.
func (a *app) step(ctx context.Context, o quickFlags, args ...string) error {
	fmt.Fprintf(a.stderr, "\n$ assay %s\n", strings.Join(args, " "))
	args = append(args, "--executor", o.executor, "-j", fmt.Sprint(o.jobs))
	if a.cache != "" {
		args = append(args, "--cache-dir", a.cache)
	}
	silent := *a
	silent.stdout = io.Discard
	root := silent.root()
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(a.stderr)
	return root.ExecuteContext(ctx)
}
