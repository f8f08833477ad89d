package main

import (
	"context"
	"fmt"

	"assay/bench"
	"assay/tasks"
)

// candidate is an instance that is meant, and the tasks it has.
type candidate struct {
	entry bench.Entry
	kinds uint8 // bit i: it has a single task of the i-th registered kind
	// parts are its tasks of kinds that make several.
	parts []part
}

// part is one of several tasks of a kind: its name within the instance.
type part struct {
	kind int // index among the registered kinds
	name string
}

// candidateOf finds out which tasks an instance has.
func candidateOf(registry []tasks.Kind, e bench.Entry, inst *bench.Instance) candidate {
	c := candidate{entry: e}
	for i, k := range registry {
		ts, err := k.Build(inst)
		switch {
		case err != nil:
		case len(ts) == 1 && ts[0].Part == "":
			c.kinds |= 1 << i
		default:
			for _, t := range ts {
				c.parts = append(c.parts, part{i, t.Part})
			}
		}
	}
	return c
}

// of lists the parts of its tasks of a kind: a single "" where the kind makes
// one task of an instance.
func (c candidate) of(kind int) []string {
	if c.kinds&(1<<kind) != 0 {
		return []string{""}
	}
	var names []string
	for _, p := range c.parts {
		if p.kind == kind {
			names = append(names, p.name)
		}
	}
	return names
}

// readEvaluation reads and checks all input, and pairs instances with
// submissions, the longest known first.
func (a *app) readEvaluation(ctx context.Context, o evalOptions) (*evaluation, error) {
	ev := &evaluation{options: o, notBuilt: map[string]int{}, seen: map[string]bool{}}
	ev.kinds = a.kinds(o)
	var found []candidate
	set, err := o.scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		found = append(found, candidateOf(ev.kinds, e, inst))
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
	byID := index(found)
	for i := range o.predictions {
		if err := ev.addPredictions(ctx, i, found, byID); err != nil {
			set.Close()
			return nil, err
		}
	}
	ev.missing = ev.missingOf(found)
	return ev, nil
}

// kinds are the registered kinds, with the options that this run gives them.
func (a *app) kinds(o evalOptions) []tasks.Kind {
	kinds := registered()
	for i, k := range kinds {
		if s, ok := k.(tasks.Style); ok {
			s.MinScore, s.MaxRemaining = o.minScore, o.maxRemaining
			kinds[i] = s
		}
	}
	return kinds
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

// wanted are the indices of the kinds that this run is about.
func (ev *evaluation) wanted() []int {
	var out []int
	for i, k := range ev.kinds {
		if containsKind(ev.options.kinds, k) {
			out = append(out, i)
		}
	}
	return out
}

func (ev *evaluation) ownSubmissions(found []candidate) {
	for _, k := range ev.wanted() {
		for _, c := range found {
			parts := c.of(k)
			if len(parts) == 0 || !ev.options.solves(ev.kinds[k]) {
				ev.notBuilt[ev.kinds[k].Name()]++
				continue
			}
			for _, part := range parts {
				ev.items = append(ev.items, item{kind: ev.kinds[k], entry: c.entry, part: part, from: -1})
			}
		}
	}
}

// solves reports whether the run's own submissions are for this kind: style
// tasks have no gold, and the fixers mend nothing else.
func (o evalOptions) solves(k tasks.Kind) bool {
	style := k.Name() == tasks.Style{}.Name()
	return o.empty || o.gold && !style || o.agent != "" && style
}

// loader reads an item's instance and submission when they are needed.
func (ev *evaluation) loader(it item) func(context.Context) (tasks.Task, bench.Prediction, error) {
	return func(ctx context.Context) (tasks.Task, bench.Prediction, error) {
		task, err := ev.task(it)
		if err != nil {
			return task, bench.Prediction{}, err
		}
		var p bench.Prediction
		switch {
		case it.from >= 0:
			p, err = ev.data.predictions[it.from].Read(it.prediction)
		case ev.options.gold:
			p, err = tasks.Solution(ctx, ev.machine, task)
		case ev.options.agent != "":
			p, err = ev.solve(ctx, task)
		default:
			p = tasks.Nothing(task)
		}
		return task, p, err
	}
}

// task builds an item's task.
func (ev *evaluation) task(it item) (tasks.Task, error) {
	inst, err := ev.data.Read(it.entry)
	if err != nil {
		return tasks.Task{}, err
	}
	ts, err := it.kind.Build(&inst)
	if err != nil {
		return tasks.Task{}, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	for _, t := range ts {
		if t.Part == it.part {
			return t, nil
		}
	}
	return tasks.Task{}, fmt.Errorf("instance %s: there is no %s task %s any more", inst.ID, it.kind.Name(), it.part)
}
