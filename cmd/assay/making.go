package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

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

	mu      sync.Mutex
	trouble int // instances of which nothing could be kept
}

// all makes what the journal does not hold.
func (m *making[T]) all(ctx context.Context, jobs int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan bench.Entry)
	var wg sync.WaitGroup
	for range max(jobs, 1) {
		wg.Go(func() {
			for e := range queue {
				if err := m.one(ctx, e); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, e := range m.entries {
		select {
		case queue <- e:
		case <-ctx.Done():
		}
	}
	close(queue)
	wg.Wait()
	return context.Cause(ctx)
}

func (m *making[T]) one(ctx context.Context, e bench.Entry) error {
	inst, key, err := m.read(e)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if _, ok, err := m.journal.get(key); ok || err != nil {
		return err
	}
	made, line, keep, err := m.make(ctx, inst)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintln(m.app.stderr, line)
	if !keep {
		m.trouble++
		return nil
	}
	return m.journal.put(key, made)
}

// read returns an instance and the key of all that decides what is made of it.
func (m *making[T]) read(e bench.Entry) (bench.Instance, string, error) {
	inst, err := m.set.Read(e)
	if err != nil {
		return inst, "", err
	}
	text, err := json.Marshal(inst)
	if err != nil {
		return inst, "", err
	}
	sum := sha256.Sum256(append([]byte(m.settings), text...))
	return inst, hex.EncodeToString(sum[:]), nil
}

// each gives what was made, in the order of the dataset.
func (m *making[T]) each(do func(T) error) error {
	for _, e := range m.entries {
		_, key, err := m.read(e)
		if err != nil {
			return err
		}
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
	case m.trouble > 0:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances met trouble; give the same command again to try them anew", m.trouble, len(m.entries))}
	case m.set.partial:
		return &codedError{exitNotJudged, fmt.Errorf("broken records were left out")}
	}
	return nil
}
