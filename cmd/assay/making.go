package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"assay/bench"
)

// making makes something of every instance of a dataset, on a number of
// workers, and keeps each as it comes: what the journal holds is not made
// again.
type making[T any] struct {
	app     *app
	set     *data
	entries []bench.Entry
	journal *journal[T]
	// settings names all that decides what is made, beside the instance.
	settings string
	// make makes it, and says in a line what came of it. What is not to be
	// kept is tried again by the next call. An error would meet the next
	// instance too.
	make func(context.Context, bench.Instance) (made T, line string, keep bool, err error)

	keys    []string     // by entry, of what all has read
	trouble atomic.Int32 // instances of which nothing could be kept
}

// all makes what the journal does not hold.
func (m *making[T]) all(ctx context.Context, jobs int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m.keys = make([]string, len(m.entries))
	m.app.each(ctx, batch{
		workers: jobs, n: len(m.entries), name: func(i int) string { return m.entries[i].ID }, tell: m.app.tell,
		do: func(ctx context.Context, i int) string {
			line, err := m.one(ctx, i)
			if err != nil {
				cancel(err)
			}
			return line
		},
	})
	return context.Cause(ctx)
}

// one makes what is made of an entry, and says what came of it; nothing where
// the journal has it.
func (m *making[T]) one(ctx context.Context, i int) (string, error) {
	inst, err := m.set.Read(m.entries[i])
	if err != nil || ctx.Err() != nil {
		return "", err
	}
	key, err := m.key(&inst)
	if err != nil {
		return "", err
	}
	m.keys[i] = key
	if _, ok, err := m.journal.get(key); ok || err != nil {
		return "", err
	}
	made, line, keep, err := m.make(ctx, inst)
	if err != nil {
		return "", err
	}
	if !keep {
		m.trouble.Add(1)
		return line, nil
	}
	return line, m.journal.put(key, made)
}

// key names all that decides what is made of an instance.
func (m *making[T]) key(inst *bench.Instance) (string, error) {
	text, err := json.Marshal(inst)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(m.settings), text...))
	return hex.EncodeToString(sum[:]), nil
}

// each gives what was made, in the order of the dataset. It comes after all.
func (m *making[T]) each(do func(T) error) error {
	for _, key := range m.keys {
		made, ok, err := m.journal.get(key)
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

// verdict is the error with which a command ends that could not make all.
func (m *making[T]) verdict() error {
	switch {
	case m.trouble.Load() > 0:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances met trouble; give the same command again to try them anew", m.trouble.Load(), len(m.entries))}
	case m.set.partial:
		return &codedError{exitNotJudged, fmt.Errorf("broken records were left out")}
	}
	return nil
}
