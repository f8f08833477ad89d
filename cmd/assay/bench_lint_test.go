package main

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/harness/local"
	"assay/internal/mirror"
	"assay/languages"
	"assay/samples"
	"assay/style"
	"assay/style/linters"
)

// BenchmarkLint is what linting costs with the environment ready: one file, as
// at judgement, and all sources of a repository, as at building. A linter
// spends most of its time starting, so the two differ by less than the files.
func BenchmarkLint(b *testing.B) {
	driver, err := local.New(local.Options{Dir: filepath.Join(b.TempDir(), "local"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Skipf("the local executor cannot run here: %v", err)
	}
	defer driver.Close()
	paths, err := samples.Write(b.Context(), b.TempDir())
	require.NoError(b, err)
	m := languages.Machine{
		Runner: driver, Preparer: harness.Remember(driver), Secret: []byte("bench"),
		Sources: &mirror.Store{Dir: paths.Repos, Cache: b.TempDir()}, Tools: engine.Default().Tools(),
	}
	for _, c := range []struct{ linter, instance string }{
		{"pylint", "assay-samples__tidemark-7"}, {"pmd", "assay-samples__coinsplit-31"},
		{"checkstyle", "assay-samples__coinsplit-31"}, {"clang-tidy", "assay-samples__cellgraph-23"},
	} {
		b.Run(c.linter, func(b *testing.B) { benchmarkLint(b, m, paths.Dataset, c.linter, c.instance) })
	}
}

func benchmarkLint(b *testing.B, m languages.Machine, dataset, name, id string) {
	linter, err := engine.Default().Linters.Lookup(name)
	require.NoError(b, err)
	file, err := linters.Rules(name)
	require.NoError(b, err)
	bed, all := lintBed(b, m, dataset, name, id)
	lint := func(files []string) float64 {
		began := time.Now()
		o, err := style.Lint(b.Context(), bed, languages.Variant{Name: "bench"}, linter, file.Rules(), files, nil)
		require.NoError(b, err)
		require.Equal(b, bench.RunDone, o.State, o.Detail)
		return time.Since(began).Seconds()
	}
	_, err = bed.Prepare(b.Context())
	require.NoError(b, err)
	lint(all[:1]) // what the first start reads from disk is not the tool's cost
	b.ResetTimer()
	var one, whole float64
	for range b.N {
		one += lint(all[:1])
		whole += lint(all)
	}
	n := float64(b.N)
	b.ReportMetric(one/n, "file-s")
	b.ReportMetric(whole/n, "repository-s")
	b.ReportMetric(float64(len(all)), "files")
	b.ReportMetric(one/whole, "file/repository")
	reportLoad(b)
}

// lintBed opens a sample with a linter, and lists its sources.
func lintBed(b *testing.B, m languages.Machine, dataset, linter, id string) (*languages.Testbed, []string) {
	set, err := bench.OpenDataset(dataset)
	require.NoError(b, err)
	defer set.Close()
	var found *bench.Instance
	require.NoError(b, set.Scan(b.Context(), func(_ bench.Entry, inst *bench.Instance) error {
		if inst.ID == id {
			found = inst
		}
		return nil
	}))
	require.NotNil(b, found)
	env := bench.Env{}
	if found.Env != nil {
		env = *found.Env
	}
	env.Linters = []string{linter}
	found.Env = &env
	bed, err := m.Open(b.Context(), found)
	require.NoError(b, err)
	_, paths, err := bed.Tree(b.Context(), languages.Variant{})
	require.NoError(b, err)
	var all []string
	for _, p := range paths {
		if l := languages.Default().Named(found.Language); l.About().IsCode(p) && l.Classify(p) == languages.SourcePath {
			all = append(all, p)
		}
	}
	require.NotEmpty(b, all)
	return bed, all
}
