package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

func (a *app) evalCommand() *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return a.eval(cmd) },
	}
	datasetFlags(cmd)
	executorFlags(cmd)
	f := cmd.Flags()
	f.StringSliceP("predictions", "p", nil, "files of predictions")
	f.Bool("gold", false, "submit the instances' own solutions")
	f.Bool("empty", false, "submit nothing")
	f.String("agent", "", "submit what a built-in agent makes: autofix (the linters' own fixers, for style tasks)")
	f.Float64("min-score", 1, "style tasks: the score from which one counts as resolved")
	f.Int("max-remaining", 0, "style tasks: how many findings may be left in one that counts as resolved")
	f.StringSliceP("tasks", "t", nil, "kinds of task: bugfix, testgen, review, style (default: what the predictions say, else bugfix; all for --gold and --empty)")
	f.IntP("jobs", "j", defaultJobs(), "how many submissions are judged at once")
	f.StringP("output", "o", "", "the run's folder (default: runs/ID, the ID made from the input)")
	f.Bool("full", false, "also run what the verdict does not need")
	f.Bool("no-gold-check", false, "do not run the gold patch first to prove each environment")
	f.Bool("dry-run", false, "say what would be run, and run nothing")
	f.Float64("min-resolved", -1, "gate: leave with code 1 when less than this share (0 to 1) is resolved")
	f.Bool("json", false, "write progress as JSON events to standard error")
	f.BoolP("quiet", "q", false, "write no progress")
	return cmd
}

// evaluation is one call of eval, its input read and checked.
type evaluation struct {
	options  evalOptions
	kinds    []tasks.Kind // the registered ones, with this run's options
	machine  languages.Machine
	solve    func(context.Context, tasks.Task) (bench.Prediction, error)
	data     *data
	items    []item
	unknown  int // predictions for instances that the dataset does not hold
	notBuilt map[string]int
	seen     map[string]bool // kind, instance and model of what is to be judged
	missing  missing         // tasks without a submission
	partial  bool            // broken records were left out
}

// item is one submission to judge: places in files, no content.
type item struct {
	kind       tasks.Kind
	entry      bench.Entry
	part       string
	prediction bench.PredictionEntry
	from       int // index of the predictions' file; -1: made by us
	seconds    float64
}

// name is the item's name in logs, progress and history.
func (i item) name() string { return i.kind.Name() + "/" + tasks.PartName(i.entry.ID, i.part) }

// model is who submitted it.
func (i item) model(o evalOptions) string {
	switch {
	case i.from >= 0:
		return i.prediction.Model
	case o.gold:
		return "gold"
	case o.agent != "":
		return o.agent
	}
	return "empty"
}

func (a *app) eval(cmd *cobra.Command) error {
	ctx := cmd.Context()
	o, err := a.evalOptionsOf(cmd)
	if err != nil {
		return err
	}
	ev, err := a.readEvaluation(ctx, o)
	if err != nil {
		return err
	}
	defer ev.data.Close()
	if ev.unknown > 0 {
		fmt.Fprintf(a.stderr, "assay: %d predictions are for instances that are not in the dataset, or were left out\n", ev.unknown)
	}
	if o.dryRun {
		return a.dryRun(ctx, ev)
	}
	if len(ev.items) == 0 {
		return errors.New("there is nothing to judge: no instance, task kind and prediction go together")
	}
	m, err := a.openMachine(ctx, cmd)
	if err != nil {
		return err
	}
	defer m.Close()
	cache, err := a.cacheDir(cmd)
	if err != nil {
		return err
	}
	ev.machine, ev.solve = m.Machine, solver(m)
	r, err := openRun(ctx, o, ev, m, cache)
	if err != nil {
		return err
	}
	defer r.Close()
	summary, err := a.judgeAll(ctx, m, r, ev)
	if err != nil {
		return err
	}
	return a.finish(r, ev, summary)
}

// finish prints the figures and decides the exit code.
func (a *app) finish(r *runFolder, ev *evaluation, s *report.Summary) error {
	if err := r.writeSummary(s); err != nil {
		return err
	}
	if err := s.Text(a.stdout); err != nil {
		return err
	}
	for _, kind := range sortedKeys(ev.notBuilt) {
		fmt.Fprintf(a.stdout, "%d instances have no %s task\n", ev.notBuilt[kind], kind)
	}
	fmt.Fprintf(a.stdout, "results: %s\n", r.dir)
	share := 0.0
	if s.Total.Judged > 0 {
		share = float64(s.Total.Resolved) / float64(s.Total.Judged)
	}
	switch {
	case s.Total.Judged < s.Total.Submitted:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d submissions could not be judged (see %s)", s.Total.Submitted-s.Total.Judged, s.Total.Submitted, r.path("results.jsonl"))}
	case ev.partial:
		return &codedError{exitNotJudged, errors.New("broken records were left out")}
	case ev.options.minResolved > share:
		return &codedError{exitGate, fmt.Errorf("%.1f %% are resolved, the gate asks for %.1f %%", 100*share, 100*ev.options.minResolved)}
	}
	return nil
}

// judgeAll judges what the run's folder does not hold yet.
func (a *app) judgeAll(ctx context.Context, m *machine, r *runFolder, ev *evaluation) (*report.Summary, error) {
	judge := tasks.Judge{Machine: m.Machine, Linters: linterSet(), Full: ev.options.full, Now: now, Seen: r.log, Prepared: r.environment}
	if !ev.options.noGoldCheck {
		judge.Golds = &tasks.Golds{}
	}
	if err := r.lookAtHost(ctx, m); err != nil {
		return nil, err
	}
	var todo []int32 // indices into ev.items
	summary := &report.Summary{}
	for i, it := range ev.items {
		done, ok, err := r.finished(ctx, judge, ev.loader(it))
		if err != nil {
			return nil, err
		}
		if ok {
			summary.Add(done)
			continue
		}
		todo = append(todo, int32(i))
	}
	show := a.newEvalProgress(ev.options, len(ev.items), len(todo), estimate(ev.items))
	show.known(summary)
	show.start(m.executor, r.dir)
	judge.Watch = show.watch
	err := judge.Batch(ctx, ev.todo(todo), ev.options.jobs, func(i tasks.Item, res bench.Result) error {
		if err := r.keep(i.Name, res); err != nil {
			return err
		}
		summary.Add(res)
		show.done(i.Name, res)
		return nil
	})
	show.finish()
	if err != nil {
		return nil, fmt.Errorf("stopped; give the same command again to go on: %w", err)
	}
	if err := r.keepHost(); err != nil {
		return nil, err
	}
	ev.missing.add(summary)
	summary.Sort(tasks.Default().Names())
	return summary, nil
}

// todo makes the batch's items one by one, so that a large batch costs no more
// memory than its index.
func (ev *evaluation) todo(indices []int32) iter.Seq[tasks.Item] {
	return func(yield func(tasks.Item) bool) {
		for _, i := range indices {
			it := ev.items[i]
			item := tasks.Item{Kind: it.kind, Name: it.name(), Instance: it.entry.ID, Part: it.part, Model: it.model(ev.options), Load: ev.loader(it)}
			if !yield(item) {
				return
			}
		}
	}
}

func (a *app) dryRun(ctx context.Context, ev *evaluation) error {
	for _, it := range ev.items {
		if ev.madeWhenRun(it) {
			fmt.Fprintf(a.stdout, "%s\t%s\tits submission is made when it runs\n", it.name(), it.model(ev.options))
			continue
		}
		task, p, err := ev.loader(it)(ctx)
		if err != nil {
			return err
		}
		plan := it.kind.Plan(task, p)
		fmt.Fprintf(a.stdout, "%s\t%s\t%s\n", it.name(), p.Model, describePlan(plan))
	}
	fmt.Fprintf(a.stdout, "%d submissions; nothing was run\n", len(ev.items))
	return nil
}

// madeWhenRun reports whether an item's submission needs the machine: an
// agent's, and the way from a bad patch to gold.
func (ev *evaluation) madeWhenRun(it item) bool {
	review := it.kind.Name() == tasks.Review{}.Name()
	return it.from < 0 && (ev.options.agent != "" || ev.options.gold && review)
}

func describePlan(p tasks.Plan) string {
	if p.Early != "" {
		return fmt.Sprintf("%s: %s", p.Early, p.Reason)
	}
	names := ""
	for i, run := range p.Runs {
		if i > 0 {
			names += " "
		}
		names += run.Name
	}
	return "runs: " + names
}
