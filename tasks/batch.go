package tasks

import (
	"context"
	"iter"
	"sync"

	"assay/bench"
	"assay/internal/pool"
)

// Item is one submission of a batch. Its data is loaded when its turn comes,
// so that memory does not grow with the batch.
type Item struct {
	Kind Kind
	// Load returns the task and the prediction.
	Load func(context.Context) (Task, bench.Prediction, error)
	// Name identifies the item for people and in the history of durations.
	Name string
	// Instance and Model are in the result of an item that cannot be loaded.
	Instance, Part, Model string
}

// Batch evaluates items on a number of workers, in the order given (each is
// made when a worker is free for it), and hands each result to keep as soon as
// it is there; keep is called by one goroutine at a time. An item that cannot be
// loaded becomes a result with a harness error. Batch returns when all is done,
// or, after ctx is cancelled or keep failed, when what was running has been
// cleaned up.
func (j Judge) Batch(ctx context.Context, items iter.Seq[Item], workers int, keep func(Item, bench.Result) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	pool.Each(ctx, workers, items, func(ctx context.Context, item Item) {
		r, err := j.one(ctx, item)
		if err != nil {
			return // cancelled
		}
		mu.Lock()
		defer mu.Unlock()
		if err := keep(item, r); err != nil {
			cancel(err)
		}
	})
	return context.Cause(ctx)
}

func (j Judge) one(ctx context.Context, item Item) (bench.Result, error) {
	if err := ctx.Err(); err != nil {
		return bench.Result{}, err
	}
	if j.Watch != nil {
		work, ended := j.Watch(ctx, item)
		defer ended()
		ctx = work
	}
	task, p, err := item.Load(ctx)
	if ctx.Err() != nil {
		return bench.Result{}, ctx.Err()
	}
	if err != nil {
		verdict, reason := blame(err)
		return bench.Result{Task: item.Kind.Name(), InstanceID: item.Instance, Part: item.Part, Model: item.Model, Verdict: verdict, Reason: reason}, nil
	}
	return j.Evaluate(ctx, item.Kind, task, p)
}
