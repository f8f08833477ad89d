package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/tasks"
)

// evalOptions are eval's flags, checked.
type evalOptions struct {
	selection
	predictions     []string
	gold, empty     bool
	kinds           []tasks.Kind
	kindsGiven      bool
	jobs            int
	output          string
	full, dryRun    bool
	minResolved     float64
	json, quiet     bool
	executor, repos string
}

func evalOptionsOf(cmd *cobra.Command) (evalOptions, error) {
	f := cmd.Flags()
	var o evalOptions
	var err error
	if o.selection, err = selectionOf(cmd); err != nil {
		return o, err
	}
	o.predictions, _ = f.GetStringSlice("predictions")
	o.gold, _ = f.GetBool("gold")
	o.empty, _ = f.GetBool("empty")
	o.jobs, _ = f.GetInt("jobs")
	o.output, _ = f.GetString("output")
	o.full, _ = f.GetBool("full")
	o.dryRun, _ = f.GetBool("dry-run")
	o.minResolved, _ = f.GetFloat64("min-resolved")
	o.json, _ = f.GetBool("json")
	o.quiet, _ = f.GetBool("quiet")
	o.executor, _ = f.GetString("executor")
	o.repos, _ = f.GetString("repos")
	names, _ := f.GetStringSlice("tasks")
	given := 0
	for _, b := range []bool{len(o.predictions) > 0, o.gold, o.empty} {
		if b {
			given++
		}
	}
	switch {
	case given != 1:
		return o, errors.New("give exactly one of -p PREDICTIONS, --gold and --empty")
	case o.jobs < 1:
		return o, fmt.Errorf("--jobs %d: expected at least 1", o.jobs)
	case o.minResolved > 1:
		return o, fmt.Errorf("--min-resolved %g: expected a share from 0 to 1", o.minResolved)
	}
	o.kindsGiven = len(names) > 0
	o.kinds, err = kindsOf(names, o.gold || o.empty)
	return o, err
}

func kindsOf(names []string, all bool) ([]tasks.Kind, error) {
	registry := tasks.Default()
	if len(names) == 0 && all {
		names = registry.Names()
	}
	if len(names) == 0 {
		names = []string{tasks.BugFix{}.Name()}
	}
	var kinds []tasks.Kind
	for _, n := range names {
		k, err := registry.Lookup(n)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// candidate is an instance that is meant, and the kinds it has tasks of.
type candidate struct {
	entry bench.Entry
	kinds uint8 // bit i: it has a task of the i-th registered kind
}

// readEvaluation reads and checks all input, and pairs instances with
// submissions, the longest known first.
func (a *app) readEvaluation(ctx context.Context, o evalOptions) (*evaluation, error) {
	ev := &evaluation{options: o, notBuilt: map[string]int{}, seen: map[string]bool{}}
	registry := registered()
	var found []candidate
	set, err := o.scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		c := candidate{entry: e}
		for i, k := range registry {
			if ts, err := k.Build(inst); err == nil && len(ts) > 0 {
				c.kinds |= 1 << i
			}
		}
		found = append(found, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	ev.data, ev.partial = set, set.partial
	if len(o.predictions) == 0 {
		ev.ownSubmissions(found)
		return ev, nil
	}
	for i := range o.predictions {
		if err := ev.addPredictions(ctx, i, found); err != nil {
			set.Close()
			return nil, err
		}
	}
	return ev, nil
}

func registered() []tasks.Kind {
	r := tasks.Default()
	var kinds []tasks.Kind
	for _, n := range r.Names() {
		if k, err := r.Lookup(n); err == nil {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func (c candidate) has(kind string) bool {
	for i, k := range registered() {
		if k.Name() == kind {
			return c.kinds&(1<<i) != 0
		}
	}
	return false
}

func (ev *evaluation) ownSubmissions(found []candidate) {
	for _, k := range ev.options.kinds {
		for _, c := range found {
			if !c.has(k.Name()) {
				ev.notBuilt[k.Name()]++
				continue
			}
			ev.items = append(ev.items, item{kind: k, entry: c.entry, from: -1})
		}
	}
}

// addPredictions pairs the predictions of one file with their instances.
func (ev *evaluation) addPredictions(ctx context.Context, file int, found []candidate) error {
	p, err := bench.OpenPredictions(ev.options.predictions[file])
	if err != nil {
		return err
	}
	ev.data.predictions = append(ev.data.predictions, p)
	entries, err := p.Index(ctx)
	partial, err := ev.options.tolerate(err)
	if err != nil {
		return err
	}
	ev.partial = ev.partial || partial
	byID := make(map[string]int, len(found))
	for i, c := range found {
		byID[bench.NormaliseID(c.entry.ID)] = i
	}
	for _, e := range entries {
		i, ok := byID[bench.NormaliseID(e.InstanceID)]
		if !ok {
			ev.unknown++
			continue
		}
		if err := ev.addPrediction(file, e, found[i]); err != nil {
			return fmt.Errorf("%s:%d: %w", p.Path(), e.Line, err)
		}
	}
	return nil
}

func (ev *evaluation) addPrediction(file int, e bench.PredictionEntry, c candidate) error {
	kinds := ev.options.kinds
	if e.Task != "" {
		k, err := tasks.Default().Lookup(e.Task)
		if err != nil {
			return fmt.Errorf("field \"task\": %w", err)
		}
		if ev.options.kindsGiven && !containsKind(kinds, k) {
			return nil
		}
		kinds = []tasks.Kind{k}
	}
	for _, k := range kinds {
		if !c.has(k.Name()) {
			ev.notBuilt[k.Name()]++
			continue
		}
		key := k.Name() + "\x00" + c.entry.ID + "\x00" + e.Model
		if ev.seen[key] {
			return fmt.Errorf("field \"instance_id\": %s by %q was submitted to %s already, in another file or with another task", e.InstanceID, e.Model, k.Name())
		}
		ev.seen[key] = true
		ev.items = append(ev.items, item{kind: k, entry: c.entry, prediction: e, from: file})
	}
	return nil
}

func containsKind(kinds []tasks.Kind, k tasks.Kind) bool {
	for _, have := range kinds {
		if have.Name() == k.Name() {
			return true
		}
	}
	return false
}

// loader reads an item's instance and submission when they are needed.
func (ev *evaluation) loader(it item) func() (tasks.Task, bench.Prediction, error) {
	return func() (tasks.Task, bench.Prediction, error) {
		inst, err := ev.data.Read(it.entry)
		if err != nil {
			return tasks.Task{}, bench.Prediction{}, err
		}
		ts, err := it.kind.Build(&inst)
		if err != nil {
			return tasks.Task{}, bench.Prediction{}, fmt.Errorf("instance %s: %w", inst.ID, err)
		}
		if it.from < 0 {
			return ts[0], ownSubmission(ts[0], ev.options.gold), nil
		}
		p, err := ev.data.predictions[it.from].Read(it.prediction)
		return ts[0], p, err
	}
}

// ownSubmission is the instance's own solution, or nothing.
func ownSubmission(t tasks.Task, gold bool) bench.Prediction {
	p := bench.Prediction{InstanceID: t.Instance.ID, Model: "empty", Task: t.Kind}
	if !gold {
		return p
	}
	p.Model, p.Patch = "gold", t.Instance.Patch
	if t.Kind == (tasks.TestGen{}).Name() {
		p.Patch = t.Instance.TestPatch
	}
	return p
}

// longestFirst orders items by what they are known to take, so that a batch
// does not end with one long task; what is not known comes first.
func longestFirst(items []item) {
	sort.SliceStable(items, func(i, j int) bool {
		a, b := items[i].seconds, items[j].seconds
		if (a == 0) != (b == 0) {
			return a == 0
		}
		return a > b
	})
}

// estimate adds up what the items took before; 0 where that is not known of
// all of them, since a part says little of the rest.
func estimate(items []item) float64 {
	total := 0.0
	for _, it := range items {
		if it.seconds == 0 {
			return 0
		}
		total += it.seconds
	}
	return total
}
