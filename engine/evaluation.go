package engine

import (
	"context"
	"sort"

	"assay/agents"
	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// Evaluation is the tasks of a dataset, paired with what was submitted to them.
type Evaluation struct {
	// Unknown counts predictions for instances that the dataset does not hold.
	Unknown int
	// NotBuilt counts, by kind, the instances that have no such task.
	NotBuilt map[string]int
	// Partial says that broken records were left out.
	Partial bool

	options Options
	plan    plan
	parts   Parts
	kinds   []tasks.Kind // all registered ones
	data    *Data
	items   []item
	seen    map[string]bool // kind, instance and model of what is to be judged
	missing missing         // tasks without a submission
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
func (i item) model(o Options) string {
	if i.from >= 0 {
		return i.prediction.Model
	}
	return o.submitter()
}

// Read reads and checks all input, and pairs instances with submissions.
func Read(ctx context.Context, parts Parts, o Options) (*Evaluation, error) {
	p, err := o.check(parts)
	if err != nil {
		return nil, err
	}
	ev := &Evaluation{options: o, plan: p, parts: parts, kinds: parts.Kinds.All(), NotBuilt: map[string]int{}, seen: map[string]bool{}}
	var found []candidate
	o.Selection.Languages = parts.Languages
	ev.data, err = o.Scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		found = append(found, candidateOf(ev.kinds, e, inst))
		return nil
	})
	if err != nil {
		return nil, err
	}
	ev.Partial = ev.data.Partial
	if len(o.Predictions) == 0 {
		ev.ownSubmissions(found)
		return ev, nil
	}
	byID := index(found)
	for i := range o.Predictions {
		if err := ev.addPredictions(ctx, i, found, byID); err != nil {
			ev.data.Close()
			return nil, err
		}
	}
	ev.missing = ev.missingOf(found)
	return ev, nil
}

// Close closes the dataset and the predictions.
func (ev *Evaluation) Close() error { return ev.data.Close() }

// Len is how many submissions there are.
func (ev *Evaluation) Len() int { return len(ev.items) }

// Name is the i-th submission's task: its kind, instance and part.
func (ev *Evaluation) Name(i int) string { return ev.items[i].name() }

// Model is who made the i-th submission.
func (ev *Evaluation) Model(i int) string { return ev.items[i].model(ev.options) }

// Kind is the kind of the i-th submission's task.
func (ev *Evaluation) Kind(i int) tasks.Kind { return ev.items[i].kind }

// NeedsMachine reports whether the i-th submission is made by running
// something: an agent's, and answers that need the repository.
func (ev *Evaluation) NeedsMachine(i int) bool {
	it := ev.items[i]
	return it.from < 0 && (ev.plan.agent != nil || ev.options.Gold && tasks.SolvesInTree(it.kind))
}

// wanted are the indices of the kinds that this run is about.
func (ev *Evaluation) wanted() []int {
	var out []int
	for i, k := range ev.kinds {
		if containsKind(ev.plan.kinds, k) {
			out = append(out, i)
		}
	}
	return out
}

func (ev *Evaluation) ownSubmissions(found []candidate) {
	for _, k := range ev.wanted() {
		for _, c := range found {
			parts := c.of(k)
			if len(parts) == 0 || !ev.solves(ev.kinds[k]) {
				ev.NotBuilt[ev.kinds[k].Name()]++
				continue
			}
			for _, part := range parts {
				ev.items = append(ev.items, item{kind: ev.kinds[k], entry: c.entry, part: part, from: -1})
			}
		}
	}
}

// solves reports whether the run's own submissions are for this kind.
func (ev *Evaluation) solves(k tasks.Kind) bool {
	switch {
	case ev.plan.agent != nil:
		return ev.plan.agent.Solves(k)
	case ev.options.Gold:
		return tasks.HasSolution(k)
	}
	return true
}

// Load reads the i-th submission with its task, or makes it. Unless NeedsMachine
// holds, the machine may be the zero value.
func (ev *Evaluation) Load(ctx context.Context, m languages.Machine, i int) (tasks.Task, bench.Prediction, error) {
	it := ev.items[i]
	task, err := ev.task(it)
	if err != nil {
		return task, bench.Prediction{}, err
	}
	var p bench.Prediction
	switch {
	case it.from >= 0:
		p, err = ev.data.predictions[it.from].Read(it.prediction)
	case ev.options.Gold:
		p, err = tasks.Solution(ctx, m, it.kind, task)
	case ev.plan.agent != nil:
		p, err = agents.Submission(ctx, ev.plan.agent, m, task)
	default:
		p = tasks.Nothing(task)
	}
	return task, p, err
}

// task builds an item's task.
func (ev *Evaluation) task(it item) (tasks.Task, error) {
	return loadTask(ev.data, ev.parts, it.kind, it.entry, it.part)
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
