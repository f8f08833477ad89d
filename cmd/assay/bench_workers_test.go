package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// BenchmarkWorkers is the time that twenty tasks with real tests take two
// workers over what they take one, and the same of the bare commands, one after
// the other in every round.
func BenchmarkWorkers(b *testing.B) {
	r := newBenchRepo(b, 1, 0)
	s := shell{source: r.dir, scratch: b.TempDir(), python: benchPython(b)}
	c := newCourse(b, "local", r, func(course) []bench.Instance {
		return r.instances(b, benchModules, func(int) string { return r.commits[0] })
	})
	require.NotEmpty(b, c.jobs)
	bare := func(workers int) float64 {
		began := time.Now()
		inParallel(b, c.jobs, workers, s.run)
		return time.Since(began).Seconds()
	}
	var one, two, ratios, bares []float64
	for b.Loop() {
		alone, both := c.evaluate(b, 1), c.evaluate(b, 2)
		one, two, ratios = append(one, alone), append(two, both), append(ratios, both/alone)
		single := bare(1)
		bares = append(bares, bare(2)/single)
	}
	b.ReportMetric(median(one), "one-s")
	b.ReportMetric(median(two), "two-s")
	b.ReportMetric(median(ratios), "two/one")
	b.ReportMetric(median(bares), "bare-two/one")
	reportLoad(b)
}
