package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/bench"
	"assay/engine"
	"assay/internal/pool"
)

// batch is the work on a number of things.
type batch struct {
	workers, n int
	name       func(i int) string // of a thing, for people
	// do works on a thing and returns a line about the result.
	do func(ctx context.Context, i int) string
	// statusLine takes the line; it is called by one goroutine at a time.
	statusLine func(string)
}

// each does the work and shows what is under way. When the context ends, what
// has not begun is left undone.
func (a *app) each(ctx context.Context, b batch) {
	watch, end := a.watch(b)
	defer end()
	pool.Each(ctx, b.workers, pool.Indices(b.n), func(ctx context.Context, i int) {
		work, ended := watch(ctx, i)
		ended(b.do(work, i))
	})
}

// watch shows work on things. The first function is called when work on one
// begins, and the function that it returns when that ends, with the line.
func (a *app) watch(b batch) (watch func(context.Context, int) (context.Context, func(string)), end func()) {
	show := newProgress(a.stderr, plainLines, b.n, b.n, b.workers)
	show.run()
	return func(ctx context.Context, i int) (context.Context, func(string)) {
		work, ended := show.begin(ctx, b.name(i), b.name(i))
		return work, func(line string) {
			ended()
			show.count("")
			show.aside(func() { b.statusLine(line) })
		}
	}, show.end
}

// workOn does the work that the journal has no result of, and shows it.
func workOn[T any](ctx context.Context, a *app, m *engine.Resumable[T], jobs int) error {
	var end func()
	m.Watch, end = a.watch(batch{workers: jobs, n: len(m.Entries), name: func(i int) string { return m.Entries[i].ID }, statusLine: a.statusLine})
	defer end()
	return m.Run(ctx, jobs)
}

// incomplete is the error of a command that did not finish all work; nil if it did.
func incomplete[T any](m *engine.Resumable[T]) error {
	switch {
	case m.Failed() > 0:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances failed; run the same command again to retry them", m.Failed(), len(m.Entries))}
	case m.Data.Partial:
		return &codedError{exitNotJudged, fmt.Errorf("broken records were left out")}
	}
	return nil
}

// statusLine prints a line about the progress, unless it is empty.
func (a *app) statusLine(line string) {
	if line != "" {
		fmt.Fprintln(a.stderr, line)
	}
}

// writePredictions writes those that were made, the file as a whole.
func writePredictions(path string, made []*bench.Prediction) error {
	var buf bytes.Buffer
	for _, p := range made {
		if p == nil {
			continue
		}
		if err := bench.WritePrediction(&buf, *p); err != nil {
			return err
		}
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), bench.WriteAtomic(path, buf.Bytes()))
}
