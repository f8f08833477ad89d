package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"assay/bench"
)

// batch is the work on a number of things.
type batch struct {
	workers, n int
	name       func(i int) string // of a thing, for people
	// do works on a thing and says what came of it.
	do func(ctx context.Context, i int) string
	// tell passes that on; it is called by one goroutine at a time.
	tell func(string)
}

// each does the work and shows what is under way. When the context ends, what
// has not begun is left undone.
func (a *app) each(ctx context.Context, b batch) {
	show := newProgress(a.stderr, plainLines, b.n, b.n, b.workers)
	show.run()
	defer show.end()
	queue := make(chan int)
	var wg sync.WaitGroup
	for range max(b.workers, 1) {
		wg.Go(func() {
			for i := range queue {
				work, ended := show.begin(ctx, b.name(i), b.name(i))
				line := b.do(work, i)
				ended()
				show.count("")
				show.aside(func() { b.tell(line) })
			}
		})
	}
	for i := 0; i < b.n && ctx.Err() == nil; i++ {
		select {
		case queue <- i:
		case <-ctx.Done():
		}
	}
	close(queue)
	wg.Wait()
}

// tell says how far the work is; a line of nothing is not said.
func (a *app) tell(line string) {
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
