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

// each does n things on a number of workers and tells of each as it ends; tell
// is called by one goroutine at a time. When the context ends, what has not
// begun is left undone.
func each(ctx context.Context, workers, n int, do func(int) string, tell func(string)) {
	queue := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range max(workers, 1) {
		wg.Go(func() {
			for i := range queue {
				line := do(i)
				mu.Lock()
				tell(line)
				mu.Unlock()
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
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
