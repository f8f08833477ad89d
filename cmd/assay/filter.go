package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/report"
	"assay/tasks"
)

// filterFlags are filter's flags.
type filterFlags struct {
	dataset      datasetFlags
	executor     executorFlags
	fixes, tests []string
	output       string
	jobs         int
	noGoldCheck  bool
}

func (a *app) filterCommand() *cobra.Command {
	o := &filterFlags{}
	cmd := &cobra.Command{
		Use:   "filter -d DATASET --fixes PREDICTIONS --tests PREDICTIONS",
		Short: "Measure generated tests as a filter of fixes",
		Long: `Runs every fix against the hidden tests, and against the generated tests for the same
instance. A suite of generated tests lets a fix pass where it fails on base and passes on
the fix. For each number of suites that must let a fix pass, the table has the precision
(how many of the fixes kept are right) and the recall (how many of the right ones are kept).
Several suites for an instance come from several models, or from several files.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.filter(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&o.fixes, "fixes", nil, "files of predictions for bug-fix tasks")
	secret(f, "fixes")
	f.StringSliceVar(&o.tests, "tests", nil, "files of predictions for test generation tasks")
	secret(f, "tests")
	f.StringVarP(&o.output, "output", "o", "", "write results.jsonl, summary.json and summary.md to this folder")
	secret(f, "output")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many fixes are judged at once")
	f.BoolVar(&o.noGoldCheck, "no-gold-check", false, "do not run the gold patch first to prove each environment")
	return cmd
}

func (a *app) filter(ctx context.Context, flags filterFlags) error {
	if len(flags.fixes) == 0 || len(flags.tests) == 0 {
		return errors.New("give both --fixes PREDICTIONS and --tests PREDICTIONS")
	}
	if flags.jobs < 1 {
		return fmt.Errorf("--jobs %d: expected at least 1", flags.jobs)
	}
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	fixes, err := readSubmitted(ctx, flags.fixes, tasks.BugFix{}.Name())
	if err != nil {
		return err
	}
	defer fixes.close()
	tests, err := readSubmitted(ctx, flags.tests, tasks.TestGen{}.Name())
	if err != nil {
		return err
	}
	defer tests.close()
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	results, err := a.filterAll(ctx, o, fixes, tests, flags)
	if err != nil {
		return err
	}
	return a.showFiltered(results, flags.output, o.set.Partial)
}

// submitted are the predictions of some files for one kind of task, by
// normalised id of the instance.
type submitted struct {
	files []*bench.Predictions
	byID  map[string][]submission
}

type submission struct {
	file  *bench.Predictions
	entry bench.PredictionEntry
}

// readSubmitted indexes files; predictions for other kinds are left out.
func readSubmitted(ctx context.Context, paths []string, kind string) (*submitted, error) {
	s := &submitted{byID: map[string][]submission{}}
	for _, path := range paths {
		p, err := bench.OpenPredictions(path)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		s.files = append(s.files, p)
		entries, err := p.Index(ctx)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		for _, e := range entries {
			if e.Task == "" || e.Task == kind {
				id := bench.NormaliseID(e.InstanceID)
				s.byID[id] = append(s.byID[id], submission{p, e})
			}
		}
	}
	return s, nil
}

func (s *submitted) close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// of reads all predictions for an instance, in the order of the files.
func (s *submitted) of(id string) ([]bench.Prediction, error) {
	var out []bench.Prediction
	for _, found := range s.byID[bench.NormaliseID(id)] {
		p, err := found.file.Read(found.entry)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// readAllSubmitted reads the predictions of files for one kind of task, in the
// order of the instances' normalised ids.
func readAllSubmitted(ctx context.Context, paths []string, kind string) ([]bench.Prediction, error) {
	s, err := readSubmitted(ctx, paths, kind)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var all []bench.Prediction
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		list, err := s.of(id)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// filterAll judges the fixes of the instances that have generated tests.
func (a *app) filterAll(ctx context.Context, o *opened, fixes, tests *submitted, flags filterFlags) ([]bench.Result, error) {
	items, without := filterItems(o, fixes, tests)
	if without > 0 {
		fmt.Fprintf(a.stderr, "assay: %d fixes are left out: there are no tests for their instances\n", without)
	}
	if len(items) == 0 {
		return nil, errors.New("there is nothing to judge: no instance has both fixes and tests")
	}
	watch, end := a.watch(batch{workers: flags.jobs, n: len(items), name: func(i int) string { return items[i].Name }, statusLine: a.statusLine})
	defer end()
	judge := tasks.Judge{Machine: o.Machine.Machine, Now: now}
	if !flags.noGoldCheck {
		judge.Golds = &tasks.Golds{}
	}
	index := map[string]int{}
	for i, item := range items {
		index[item.Name] = i
	}
	judge.Watch = func(ctx context.Context, item tasks.Item) (context.Context, func()) {
		work, ended := watch(ctx, index[item.Name])
		return work, func() { ended("") }
	}
	results := make([]bench.Result, len(items))
	err := judge.Batch(ctx, seqOf(items), flags.jobs, func(item tasks.Item, r bench.Result) error {
		results[index[item.Name]] = r
		return nil
	})
	return results, err
}

func seqOf(items []tasks.Item) iter.Seq[tasks.Item] {
	return func(yield func(tasks.Item) bool) {
		for _, i := range items {
			if !yield(i) {
				return
			}
		}
	}
}

// filterItems pairs fixes with the tests for their instances; without counts
// fixes for which there are none.
func filterItems(o *opened, fixes, tests *submitted) (items []tasks.Item, without int) {
	kind := tasks.Filter{BugFix: tasks.BugFix{Languages: o.Languages}}
	for _, e := range o.entries {
		id := bench.NormaliseID(e.ID)
		if len(tests.byID[id]) == 0 {
			without += len(fixes.byID[id])
			continue
		}
		for i, fix := range fixes.byID[id] {
			load := func(context.Context) (tasks.Task, bench.Prediction, error) {
				inst, err := o.set.Read(e)
				if err != nil {
					return tasks.Task{}, bench.Prediction{}, err
				}
				return filterTask(kind, &inst, fix, tests)
			}
			items = append(items, tasks.Item{Kind: kind, Load: load, Name: fmt.Sprintf("%s (%s, %d)", e.ID, fix.entry.Model, i), Instance: e.ID, Model: fix.entry.Model})
		}
	}
	return items, without
}

func filterTask(kind tasks.Filter, inst *bench.Instance, fix submission, tests *submitted) (tasks.Task, bench.Prediction, error) {
	built, err := kind.Build(inst)
	if err != nil {
		return tasks.Task{}, bench.Prediction{}, err
	}
	suites, err := tests.of(inst.ID)
	if err != nil {
		return tasks.Task{}, bench.Prediction{}, err
	}
	task := built[0]
	task.Kind, task.Data = kind.Name(), tasks.Suites(suites)
	p, err := fix.file.Read(fix.entry)
	return task, p, err
}

// showFiltered prints the table, and writes what was asked for.
func (a *app) showFiltered(results []bench.Result, dir string, partial bool) error {
	f, unjudged := report.Filtering{}, 0
	for _, r := range results {
		f.Add(r)
		if !r.Verdict.Judged() {
			unjudged++
			fmt.Fprintf(a.stderr, "assay: %s (%s): %s: %s\n", r.InstanceID, r.Model, r.Verdict, r.Reason)
		}
	}
	f.Sort()
	if err := f.Text(a.stdout); err != nil {
		return err
	}
	if dir != "" {
		if err := writeFiltered(dir, results, &f); err != nil {
			return err
		}
	}
	if unjudged > 0 || partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d fixes could not be judged", unjudged, len(results))}
	}
	return nil
}

func writeFiltered(dir string, results []bench.Result, f *report.Filtering) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	sort.SliceStable(results, func(i, j int) bool { return results[i].InstanceID < results[j].InstanceID })
	var lines, md bytes.Buffer
	for _, r := range results {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	summary, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(f.Markdown(&md), bench.WriteAtomic(filepath.Join(dir, "results.jsonl"), lines.Bytes()),
		bench.WriteAtomic(filepath.Join(dir, "summary.json"), append(summary, '\n')), bench.WriteAtomic(filepath.Join(dir, "summary.md"), md.Bytes()))
}
