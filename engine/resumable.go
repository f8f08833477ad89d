package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync/atomic"

	"assay/bench"
	"assay/internal/pool"
)

// Resumable does work on every instance of a dataset. Each result goes into a
// journal, so that a later call continues where an earlier one stopped.
type Resumable[T any] struct {
	Data    *Data
	Entries []bench.Entry
	Journal *Journal[T]
	// Settings identifies everything but the instance that affects the result.
	Settings string
	// Work returns the result and a line about it for people. Without keep the
	// next call tries again. An error ends the whole work: it would occur for the
	// next instance too.
	Work func(context.Context, bench.Instance) (result T, line string, keep bool, err error)
	// Watch is called when work on the i-th entry begins. It returns the context
	// to work under and a function that takes the line; the line is empty if the
	// journal has the result.
	Watch func(ctx context.Context, i int) (work context.Context, ended func(line string))

	keys   []string     // of the journal, by entry
	failed atomic.Int32 // instances without a result to keep
}

// Run does the work that the journal has no result of, on a number of workers.
func (m *Resumable[T]) Run(ctx context.Context, workers int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m.keys = make([]string, len(m.Entries))
	pool.Each(ctx, workers, pool.Indices(len(m.Entries)), func(ctx context.Context, i int) {
		work, ended := m.Watch(ctx, i)
		line, err := m.one(work, i)
		if err != nil {
			cancel(err)
		}
		ended(line)
	})
	return context.Cause(ctx)
}

// one works on an entry and returns the line; the line is empty if the journal
// has the result.
func (m *Resumable[T]) one(ctx context.Context, i int) (string, error) {
	inst, err := m.Data.Read(m.Entries[i])
	if err != nil || ctx.Err() != nil {
		return "", err
	}
	key, err := m.key(&inst)
	if err != nil {
		return "", err
	}
	m.keys[i] = key
	if _, ok, err := m.Journal.Get(key); ok || err != nil {
		return "", err
	}
	result, line, keep, err := m.Work(ctx, inst)
	if err != nil {
		return "", err
	}
	if !keep {
		m.failed.Add(1)
		return line, nil
	}
	return line, m.Journal.Put(key, result)
}

// key identifies everything that affects an instance's result.
func (m *Resumable[T]) key(inst *bench.Instance) (string, error) {
	text, err := json.Marshal(inst)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(m.Settings), text...))
	return hex.EncodeToString(sum[:]), nil
}

// Each passes the results to a function, in the order of the dataset. Call it
// after Run.
func (m *Resumable[T]) Each(do func(T) error) error {
	for _, key := range m.keys {
		result, ok, err := m.Journal.Get(key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := do(result); err != nil {
			return err
		}
	}
	return nil
}

// Failed counts the instances without a result to keep.
func (m *Resumable[T]) Failed() int { return int(m.failed.Load()) }
