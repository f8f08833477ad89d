package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"assay/bench"
)

// each does n things on a number of workers and tells of each as it ends; tell
// is called by one goroutine at a time.
func each(workers, n int, do func(int) string, tell func(string)) {
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
	for i := range n {
		queue <- i
	}
	close(queue)
	wg.Wait()
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
