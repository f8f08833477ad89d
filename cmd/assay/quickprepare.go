package main

import (
	"context"
	"sync"

	"assay/bench"
)

// prepareBeside makes the environments of instances while other work
// continues: the first one alone, since everybody waits for it, then all
// others at once, since they wait for the network most of the time. What
// fails here fails again, and is reported, where the environment is needed.
// The function that it returns ends the work.
func (a *app) prepareBeside(ctx context.Context, executor string, q quick, instances []bench.Instance) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	m, err := a.openMachine(ctx, executorFlags{name: executor, repos: q.repos})
	if err != nil {
		return cancel
	}
	prepare := func(i int) {
		if bed, err := m.Open(ctx, &instances[i]); err == nil {
			_, _ = bed.Prepare(ctx)
		}
	}
	var work sync.WaitGroup
	work.Go(func() {
		for i := range instances {
			if i == 0 {
				prepare(i)
			} else {
				work.Go(func() { prepare(i) })
			}
		}
	})
	return func() {
		cancel()
		work.Wait()
		_ = m.Close()
	}
}
