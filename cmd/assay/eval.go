package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/engine"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

// evalFlags are eval's flags.
type evalFlags struct {
	dataset     datasetFlags
	executor    executorFlags
	kinds       kindFlags
	run         engine.Options
	dryRun      bool
	minResolved float64
	json, quiet bool
}

func (a *app) evalCommand() *cobra.Command {
	o := &evalFlags{kinds: kindFlags{a.parts.Kinds}}
	cmd := &cobra.Command{
		Use:   "eval -d DATASET (-p PREDICTIONS | --gold | --empty)",
		Short: "Judge submissions",
		Long: `Judges submissions to the tasks of a dataset and writes the run's folder.

Predictions are SWE-bench's (instance_id, model_name_or_path, model_patch) as JSON
Lines, a list, or an object keyed by id; a field "task" says which kind of task they are
for. --gold and --empty make the submissions themselves. A run that was stopped goes on
where it was when the same command is given again.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.eval(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	o.add(cmd, a.parts)
	return cmd
}

// add adds the flags that only eval has.
func (o *evalFlags) add(cmd *cobra.Command, parts engine.Parts) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.run.Predictions, "predictions", "p", nil, "files of predictions")
	secret(f, "predictions")
	f.BoolVar(&o.run.Gold, "gold", false, "submit the instances' own solutions")
	f.BoolVar(&o.run.Empty, "empty", false, "submit nothing")
	f.StringVar(&o.run.Agent, "agent", "", "submit what a built-in agent makes: autofix (the linters' own fixers, for style tasks)")
	o.kinds.add(f)
	f.StringSliceVarP(&o.run.Tasks, "tasks", "t", nil, "kinds of task: "+strings.Join(parts.Kinds.Names(), ", ")+" (default: what the predictions say, else "+parts.Kinds.Names()[0]+"; all for --gold and --empty)")
	f.IntVarP(&o.run.Jobs, "jobs", "j", defaultJobs(), "how many submissions are judged at once")
	f.StringVarP(&o.run.Output, "output", "o", "", "the run's folder (default: runs/ID, the ID made from the input)")
	secret(f, "output")
	f.BoolVar(&o.run.Full, "full", false, "also run what the verdict does not need")
	f.BoolVar(&o.run.NoGoldCheck, "no-gold-check", false, "do not run the gold patch first to prove each environment")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be run, and run nothing")
	f.Float64Var(&o.minResolved, "min-resolved", -1, "gate: leave with code 1 when less than this share (0 to 1) is resolved")
	f.BoolVar(&o.json, "json", false, "write progress as JSON events to standard error")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "write no progress")
}

// options checks the flags, and gives what the engine needs of them.
func (o evalFlags) options(parts engine.Parts, sel engine.Selection) (engine.Options, error) {
	run := o.run
	given := 0
	for _, b := range []bool{len(run.Predictions) > 0, run.Gold, run.Empty, run.Agent != ""} {
		if b {
			given++
		}
	}
	switch {
	case given != 1:
		return run, errors.New("give exactly one of -p PREDICTIONS, --gold, --empty and --agent")
	case run.Agent != "" && !slices.Contains(parts.Agents.Names(), run.Agent):
		return run, fmt.Errorf("--agent %q is not known (%s)", run.Agent, strings.Join(parts.Agents.Names(), ", "))
	case run.Agent != "" && asksModel(parts, run.Agent):
		return run, fmt.Errorf("--agent %s needs a model: let it run by assay run, and judge its predictions", run.Agent)
	case run.Jobs < 1:
		return run, fmt.Errorf("--jobs %d: expected at least 1", run.Jobs)
	case o.minResolved > 1:
		return run, fmt.Errorf("--min-resolved %g: expected a share from 0 to 1", o.minResolved)
	}
	run.Selection, run.Version = sel, version()
	run.Config = map[string]any{"executor": o.executor.name, "repos": o.executor.repos, "min-resolved": nil}
	if o.minResolved >= 0 {
		run.Config["min-resolved"] = o.minResolved
	}
	return run, nil
}

// asksModel reports whether a known agent needs a model, which eval has none of.
func asksModel(parts engine.Parts, name string) bool {
	agent, err := parts.Agents.Lookup(name)
	return err == nil && needsModel(agent)
}

func (a *app) eval(ctx context.Context, o evalFlags) error {
	sel, err := a.selection(ctx, o.dataset)
	if err != nil {
		return err
	}
	parts := a.parts
	parts.Kinds = o.kinds.kinds
	run, err := o.options(parts, sel)
	if err != nil {
		return err
	}
	ev, err := engine.Read(ctx, parts, run)
	if err != nil {
		return err
	}
	defer ev.Close()
	if ev.Unknown > 0 {
		fmt.Fprintf(a.stderr, "assay: %d predictions are for instances that are not in the dataset, or were left out\n", ev.Unknown)
	}
	if o.dryRun {
		return a.dryRun(ctx, ev)
	}
	if ev.Len() == 0 {
		return errors.New("there is nothing to judge: no instance, task kind and prediction go together")
	}
	// Without a name the run's folder is one of runs.
	m, err := a.openMachine(ctx, o.executor, slices.Concat(run.Predictions, []string{cmp.Or(run.Output, "runs")})...)
	if err != nil {
		return err
	}
	defer m.Close()
	return a.judge(ctx, ev, m, o)
}

// judge judges all submissions and shows the result of them.
func (a *app) judge(ctx context.Context, ev *engine.Evaluation, m *engine.Machine, o evalFlags) error {
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	folder, err := ev.OpenFolder(ctx, m, cache)
	if err != nil {
		return err
	}
	defer folder.Close()
	if note := folder.Repaired(); note != "" {
		fmt.Fprintln(a.stderr, note)
	}
	show := a.newEvalProgress(o)
	summary, err := ev.Judge(ctx, m, folder, show)
	show.finish()
	if err != nil {
		return err
	}
	return a.finish(ev, folder, summary, o.minResolved)
}

// finish prints the figures and decides the exit code.
func (a *app) finish(ev *engine.Evaluation, folder *engine.Folder, s *report.Summary, minResolved float64) error {
	if err := s.Text(a.stdout); err != nil {
		return err
	}
	for _, kind := range slices.Sorted(maps.Keys(ev.NotBuilt)) {
		fmt.Fprintf(a.stdout, "%d instances have no %s task\n", ev.NotBuilt[kind], kind)
	}
	fmt.Fprintf(a.stdout, "results: %s\n", folder.Dir)
	share := 0.0
	if s.Total.Judged > 0 {
		share = float64(s.Total.Resolved) / float64(s.Total.Judged)
	}
	switch {
	case s.Total.Judged < s.Total.Submitted:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d submissions could not be judged (see %s)", s.Total.Submitted-s.Total.Judged, s.Total.Submitted, folder.Results())}
	case ev.Partial:
		return &codedError{exitNotJudged, errors.New("broken records were left out")}
	case minResolved > share:
		return &codedError{exitGate, fmt.Errorf("%.1f %% are resolved, the gate asks for %.1f %%", 100*share, 100*minResolved)}
	}
	return nil
}

func (a *app) dryRun(ctx context.Context, ev *engine.Evaluation) error {
	for i := range ev.Len() {
		if ev.NeedsMachine(i) {
			fmt.Fprintf(a.stdout, "%s\t%s\tits submission is made when it runs\n", ev.Name(i), ev.Model(i))
			continue
		}
		task, p, err := ev.Load(ctx, languages.Machine{}, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\t%s\t%s\n", ev.Name(i), p.Model, describePlan(ev.Kind(i).Plan(task, p)))
	}
	fmt.Fprintf(a.stdout, "%d submissions; nothing was run\n", ev.Len())
	return nil
}

func describePlan(p tasks.Plan) string {
	if p.Early != "" {
		return fmt.Sprintf("%s: %s", p.Early, p.Reason)
	}
	names := make([]string, len(p.Runs))
	for i, run := range p.Runs {
		names[i] = run.Name
	}
	return "runs: " + strings.Join(names, " ")
}
