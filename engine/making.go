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

// Making makes something of every instance of a dataset, and keeps each as it
// comes: what the journal holds is not made again.
type Making[T any] struct {
	Data    *Data
	Entries []bench.Entry
	Journal *Journal[T]
	// Settings names all that decides what is made, beside the instance.
	Settings string
	// Make makes it, and says in a line the result. What is not to be kept is
	// tried again by the next call. An error would meet the next instance
	// too.
	Make func(context.Context, bench.Instance) (made T, line string, keep bool, err error)
	// Watch is called when work on the i-th entry begins. It returns the
	// context to work under, and is given the result; "" where the journal
	// has it.
	Watch func(ctx context.Context, i int) (work context.Context, ended func(line string))

	keys   []string     // by entry, of what All has read
	failed atomic.Int32 // instances of which nothing could be kept
}

// All makes what the journal does not hold, on so many workers.
func (m *Making[T]) All(ctx context.Context, workers int) error {
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

// one makes what is made of an entry, and describes the result; nothing where
// the journal has it.
func (m *Making[T]) one(ctx context.Context, i int) (string, error) {
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
	made, line, keep, err := m.Make(ctx, inst)
	if err != nil {
		return "", err
	}
	if !keep {
		m.failed.Add(1)
		return line, nil
	}
	return line, m.Journal.Put(key, made)
}

// key names all that decides what is made of an instance.
func (m *Making[T]) key(inst *bench.Instance) (string, error) {
	text, err := json.Marshal(inst)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(m.Settings), text...))
	return hex.EncodeToString(sum[:]), nil
}

// Each gives what was made, in the order of the dataset. It comes after All.
func (m *Making[T]) Each(do func(T) error) error {
	for _, key := range m.keys {
		made, ok, err := m.Journal.Get(key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := do(made); err != nil {
			return err
		}
	}
	return nil
}

// Failed is of how many instances nothing could be kept.
func (m *Making[T]) Failed() int { return int(m.failed.Load()) }
