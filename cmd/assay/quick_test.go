package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/engine"
	"assay/samples"
)

// TestQuickTable: gold, flawed and empty are side by side, by language and
// kind; what was not submitted is distinguished from what was not resolved.
func TestQuickTable(t *testing.T) {
	one := func(language, kind, model string, v bench.Verdict) bench.Result {
		return bench.Result{Language: language, Task: kind, Model: model, Verdict: v}
	}
	got := quickTable([]bench.Result{
		one("java", "bugfix", "gold", bench.Resolved), one("python", "style", "empty", bench.EmptyPatch),
		one("python", "bugfix", "gold", bench.Resolved), one("python", "bugfix", "gold", bench.Unresolved),
		one("python", "bugfix", "flawed", bench.Unresolved),
	}, engine.Default().Kinds.Names())
	require.Equal(t, `┌──────────┬──────────────┬────────┬────────┬────────┐
│ language │ kind of task │ gold   │ flawed │ empty  │
├──────────┼──────────────┼────────┼────────┼────────┤
│ python   │ bugfix       │ 1 of 2 │ 0 of 1 │ -      │
│ python   │ style        │ -      │ -      │ 0 of 1 │
│ java     │ bugfix       │ 1 of 1 │ -      │ -      │
└──────────┴──────────────┴────────┴────────┴────────┘`, strings.TrimSpace(got[:strings.LastIndex(got, "\n")]))
}

// TestQuickData: a short run takes one instance of each language, all of them
// takes six; every task gets a gold, a flawed and an empty submission.
func TestQuickData(t *testing.T) {
	dir := t.TempDir()
	paths, err := samples.Write(t.Context(), dir)
	require.NoError(t, err)
	for all, want := range map[bool]int{false: 3, true: 6} {
		q := quick{parts: engine.Default(), dir: dir, repos: paths.Repos, dataset: dir + "/q.jsonl", flawed: []string{paths.Flawed, paths.FlawedTests}, all: all}
		instances, err := q.pick(t.Context(), paths.Dataset)
		require.NoError(t, err)
		require.Len(t, instances, want)
		require.Equal(t, "python", instances[0].Language)
		for _, inst := range instances {
			require.Len(t, inst.Env.Linters, 1)
		}
		ready, rest := q.kinds(instances)
		require.Equal(t, "bugfix,testgen", kindList(ready))
		require.Equal(t, "review,style", kindList(rest))
		require.NoError(t, q.submissions(t.Context(), q.dataset, ready, dir+"/p.jsonl"))
		models := map[string]int{}
		made, err := bench.ReadPredictions(t.Context(), dir+"/p.jsonl")
		require.NoError(t, err)
		for _, p := range made {
			models[p.Model]++
			require.Equal(t, p.Model == "empty", p.Patch == "", p.InstanceID)
		}
		require.Equal(t, map[string]int{"gold": 2 * want, "flawed": 2 * want, "empty": 2 * want}, models)
	}
}
