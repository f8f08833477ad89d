package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/samples"
)

// BenchmarkCoverage is what change coverage adds to judging a generated test:
// the hidden tests of one sample of each language, with it over without it, in
// environments that are ready.
func BenchmarkCoverage(b *testing.B) {
	paths, err := samples.Write(b.Context(), b.TempDir())
	require.NoError(b, err)
	for _, c := range []struct{ language, instance string }{
		{"python", "assay-samples__tidemark-7"}, {"java", "assay-samples__coinsplit-31"}, {"cpp", "assay-samples__cellgraph-23"},
	} {
		b.Run(c.language, func(b *testing.B) { benchmarkCoverage(b, paths, c.instance) })
	}
}

func benchmarkCoverage(b *testing.B, paths samples.Paths, instance string) {
	binary := benchBinary(b)
	evaluate := func(more ...string) float64 {
		args := []string{"--cache-dir", filepath.Join(benchCache(b), "cache"), "eval", "-d", paths.Dataset, "-i", instance, "--gold", "-t", "testgen", "--executor", "local",
			"--repos", paths.Repos, "-j", "1", "--no-cache", "--no-gold-check", "-q", "--min-resolved", "1", "-o", filepath.Join(b.TempDir(), "run")}
		return runAssay(b, binary, append(args, more...)...).seconds
	}
	evaluate("--coverage") // makes the environments
	var plain, covered, ratio []float64
	for b.Loop() {
		without := evaluate()
		with := evaluate("--coverage")
		plain, covered, ratio = append(plain, without), append(covered, with), append(ratio, with/without)
	}
	b.ReportMetric(median(plain), "plain-s")
	b.ReportMetric(median(covered), "covered-s")
	b.ReportMetric(median(ratio), "covered/plain")
	reportLoad(b)
}
