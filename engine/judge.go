package engine

import (
	"context"
	"fmt"
	"iter"
	"time"

	"assay/bench"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

// Start describes the work at its beginning.
type Start struct {
	Total, Todo int // submissions; those that the run's folder does not hold yet
	Jobs        int
	// Estimate is how many seconds of work all of them took before; 0 if that is
	// not known.
	Estimate float64
	Known    *report.Summary // the results that the folder holds
	Executor string
	Folder   string
}

// Progress shows the work. Result is called by one goroutine at a time.
type Progress interface {
	Start(s Start)
	// Begin is called when work on a submission begins. It returns the context
	// to work under and a function to call at the end.
	Begin(ctx context.Context, i tasks.Item) (work context.Context, ended func())
	Result(name string, r bench.Result)
}

// silent is a progress that shows nothing.
type silent struct{}

func (silent) Start(Start)                 {}
func (silent) Result(string, bench.Result) {}
func (silent) Begin(ctx context.Context, _ tasks.Item) (context.Context, func()) {
	return ctx, func() {}
}

// Judge judges the submissions that the run's folder has no result of, and adds
// the results. The progress may be nil. After an error, the same call continues
// later.
func (ev *Evaluation) Judge(ctx context.Context, m *Machine, f *Folder, show Progress) (*report.Summary, error) {
	if show == nil {
		show = silent{}
	}
	judge := tasks.Judge{
		Machine: ev.machine(m), Linters: ev.parts.Linters, Full: ev.options.Full, Now: time.Now, Seen: f.log, Prepared: f.environment, Watch: show.Begin,
	}
	if !ev.options.NoGoldCheck {
		judge.Golds = &tasks.Golds{}
	}
	if err := f.lookAtHost(ctx, m, ev.options.Version); err != nil {
		return nil, err
	}
	summary := &report.Summary{}
	todo, err := ev.unfinished(ctx, judge, f, summary)
	if err != nil {
		return nil, err
	}
	show.Start(Start{
		Total: len(ev.items), Todo: len(todo), Jobs: ev.options.Jobs, Estimate: estimate(ev.items), Known: summary, Executor: m.Executor, Folder: f.Dir,
	})
	err = judge.Batch(ctx, ev.todo(m, todo), ev.options.Jobs, func(i tasks.Item, res bench.Result) error {
		if err := f.keep(i.Name, res); err != nil {
			return err
		}
		summary.Add(res)
		show.Result(i.Name, res)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("stopped; run the same command again to resume: %w", err)
	}
	if err := f.keepHost(); err != nil {
		return nil, err
	}
	ev.missing.add(summary)
	summary.Sort(ev.parts.Kinds.Names())
	return summary, f.writeSummary(summary)
}

// machine is the machine with the run's languages, where it has none of its own.
func (ev *Evaluation) machine(m *Machine) languages.Machine {
	machine := m.Machine
	if machine.Languages == nil {
		machine.Languages = ev.parts.Languages
	}
	return machine
}

// unfinished returns the items that the folder has no result of, and adds the
// other results to the summary.
func (ev *Evaluation) unfinished(ctx context.Context, judge tasks.Judge, f *Folder, summary *report.Summary) ([]int32, error) {
	var todo []int32
	for i, it := range ev.items {
		done, ok, err := f.finished(ctx, judge, it.kind, func(ctx context.Context) (tasks.Task, bench.Prediction, error) {
			return ev.Load(ctx, judge.Machine, i)
		})
		if err != nil {
			return nil, err
		}
		if ok {
			summary.Add(done)
			continue
		}
		todo = append(todo, int32(i))
	}
	return todo, nil
}

// todo makes the batch's items one by one, so that a large batch needs only the
// memory of its index.
func (ev *Evaluation) todo(m *Machine, indices []int32) iter.Seq[tasks.Item] {
	return func(yield func(tasks.Item) bool) {
		for _, i := range indices {
			it := ev.items[i]
			item := tasks.Item{
				Kind: it.kind, Name: it.name(), Instance: it.entry.ID, Part: it.part, Model: it.model(ev.options),
				Load: func(ctx context.Context) (tasks.Task, bench.Prediction, error) {
					return ev.Load(ctx, ev.machine(m), int(i))
				},
			}
			if !yield(item) {
				return
			}
		}
	}
}
