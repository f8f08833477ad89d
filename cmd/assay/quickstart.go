package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/samples"
	"assay/tasks"
)

func (a *app) quickstartCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quickstart",
		Short: "Build and judge the sample benchmark: gold, flawed and empty submissions",
		Long: `Writes the sample benchmark that is built into assay (two instances each in Python,
Java and C++), and judges gold, flawed and empty submissions to tasks of all four kinds of
one instance of each language; --all takes all six instances, and the answers of the
linters' own fixers to the style tasks. The first time it prepares the environments, which
needs the network.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.quickstart(cmd) },
	}
	cmd.Flags().String("dir", "quickstart", "where the samples and the run go")
	cmd.Flags().String("executor", "auto", "where jobs run: auto, docker or local")
	cmd.Flags().IntP("jobs", "j", defaultJobs(), "how many submissions are judged at once")
	cmd.Flags().Bool("all", false, "all six instances and every style task, with the linters' own fixers")
	return cmd
}

// quickstart judges first what needs no linting, so that a verdict comes early,
// and builds and judges reviews and style tasks then. Environments are prepared
// beside.
func (a *app) quickstart(cmd *cobra.Command) error {
	ctx := cmd.Context()
	dir, _ := cmd.Flags().GetString("dir")
	paths, err := samples.Write(ctx, dir)
	if err != nil {
		return err
	}
	q := quick{dir: dir, repos: paths.Repos, dataset: filepath.Join(dir, "quick.jsonl"), flawed: []string{paths.Flawed, paths.FlawedTests}}
	q.all, _ = cmd.Flags().GetBool("all")
	fmt.Fprintf(a.stderr, "The sample benchmark is in %s.\n", dir)
	instances, err := q.pick(ctx, paths.Dataset)
	if err != nil {
		return err
	}
	stop := a.prepareBeside(cmd, q.repos, instances)
	defer stop()
	tests, err := a.quickTests(cmd, q)
	if err != nil {
		return err
	}
	rest, err := a.quickRest(cmd, q)
	if err != nil {
		return err
	}
	return a.checkQuickstart(ctx, tests, rest)
}

// quickTests judges fixes and generated tests, and returns the file of results.
func (a *app) quickTests(cmd *cobra.Command, q quick) (string, error) {
	made := filepath.Join(q.dir, "predictions", "quick.jsonl")
	kinds := []string{tasks.BugFix{}.Name(), tasks.TestGen{}.Name()}
	if err := q.submissions(cmd.Context(), q.dataset, kinds, made); err != nil {
		return "", err
	}
	run := filepath.Join(q.dir, "run-tests")
	err := a.step(cmd, "eval", "-d", q.dataset, "-p", made, "-t", strings.Join(kinds, ","), "--repos", q.repos, "-o", run)
	return filepath.Join(run, "results.jsonl"), err
}

// quickRest builds reviews and style tasks and judges submissions to them.
func (a *app) quickRest(cmd *cobra.Command, q quick) (string, error) {
	built := filepath.Join(q.dir, "tasks.jsonl")
	made := filepath.Join(q.dir, "predictions", "made.jsonl")
	kinds := []string{tasks.Review{}.Name(), tasks.Style{}.Name()}
	if err := a.step(cmd, "build", "-d", q.dataset, "-o", built, "--repos", q.repos, "--style-tasks", q.styleTasks()); err != nil {
		return "", err
	}
	if err := q.submissions(cmd.Context(), built, kinds, made); err != nil {
		return "", err
	}
	if q.all {
		fixed := filepath.Join(q.dir, "predictions", "autofix.jsonl")
		if err := a.step(cmd, "run", "-d", built, "--agent", agents.Autofix, "--repos", q.repos, "-o", fixed); err != nil {
			return "", err
		}
		made += "," + fixed
	}
	run := filepath.Join(q.dir, "run")
	err := a.step(cmd, "eval", "-d", built, "-p", made, "-t", strings.Join(kinds, ","), "--repos", q.repos, "-o", run)
	return filepath.Join(run, "results.jsonl"), err
}

// step runs another command of assay's, with quickstart's own executor, and
// says which. Its tables are left out: quickstart has one of its own, for all.
func (a *app) step(cmd *cobra.Command, args ...string) error {
	fmt.Fprintf(a.stderr, "\n$ assay %s\n", strings.Join(args, " "))
	executor, _ := cmd.Flags().GetString("executor")
	jobs, _ := cmd.Flags().GetInt("jobs")
	args = append(args, "--executor", executor, "-j", fmt.Sprint(jobs))
	if cache, _ := cmd.Flags().GetString("cache-dir"); cache != "" {
		args = append(args, "--cache-dir", cache)
	}
	silent := *a
	silent.stdout = io.Discard
	root := silent.root()
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(a.stderr)
	return root.ExecuteContext(cmd.Context())
}
