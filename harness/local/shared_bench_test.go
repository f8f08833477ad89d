//go:build linux

package local

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"assay/harness"
)

// BenchmarkSharedLayers is the time of twenty tasks on two environments that
// share their lower layers, at one worker and at two. A task prepares its
// environment, which is there, and runs a job that waits for a second, so
// that what is measured is waiting for each other and not the processors.
func BenchmarkSharedLayers(b *testing.B) {
	d := newDriver(b)
	tools := harness.Recipe{Name: "tools", Script: "echo tools > /opt/tools"}
	envs := make([]harness.Recipe, 2)
	for i := range envs {
		envs[i] = harness.Recipe{Name: fmt.Sprint(i), Parent: &tools, Script: fmt.Sprintf("echo %d > /opt/env", i)}
		_, err := d.Prepare(b.Context(), envs[i])
		require.NoError(b, err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("j%d", workers), func(b *testing.B) {
			for b.Loop() {
				began := time.Now()
				var g errgroup.Group
				g.SetLimit(workers)
				for i := range 20 {
					g.Go(func() error {
						name, err := d.Prepare(b.Context(), envs[i%len(envs)])
						if err == nil {
							_, err = d.Run(b.Context(), harness.Job{Environment: name, Script: "sleep 1"})
						}
						return err
					})
				}
				require.NoError(b, g.Wait())
				b.ReportMetric(time.Since(began).Seconds(), "s/20tasks")
			}
		})
	}
}
