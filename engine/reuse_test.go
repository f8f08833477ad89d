package engine

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/internal/mirror"
	"assay/languages"
	"assay/tasks"
)

// named gives every recipe the same name.
type named struct {
	name string
	err  error
}

func (n named) Name(context.Context, harness.Recipe) (string, error) { return n.name, n.err }

// TestHost: a finished run on the same host takes its results over without a
// look at the environments, except for those that are images.
func TestHost(t *testing.T) {
	inst := &bench.Instance{ID: "i", Language: languages.Python}
	image := &bench.Instance{ID: "j", Language: languages.Python, Image: "image"}
	res := bench.Result{Runs: []bench.Run{{Environment: "env:0"}}}
	judge := tasks.Judge{Machine: languages.Machine{Names: named{name: "env:1"}, Sources: &mirror.Store{Dir: t.TempDir()}}}
	dir := t.TempDir()
	for _, step := range []struct {
		host   string
		steady bool
	}{{"a", false}, {"a", true}, {"b", false}, {"b", true}} {
		r := &Folder{Dir: dir, names: map[string]string{"i": "env:1"}}
		require.NoError(t, r.lookAtHost(t.Context(), &Machine{driver: someDriver{named: named{name: step.host}}, Executor: "local"}, "1"))
		require.Equal(t, step.steady, r.steady)
		require.Equal(t, step.steady, r.current(t.Context(), judge, inst, res))
		require.False(t, r.current(t.Context(), judge, image, res))
		require.NoError(t, r.keepHost())
	}
}

// someDriver is one of which only names are asked.
type someDriver struct {
	Driver
	named
}

func (d someDriver) Name(ctx context.Context, r harness.Recipe) (string, error) {
	return d.named.Name(ctx, r)
}

// TestFinished: which results of an earlier part of a run still hold.
func TestFinished(t *testing.T) {
	run := func(state bench.RunState, env string) []bench.Run {
		return []bench.Run{{Name: "base", State: bench.RunDone, Environment: env}, {Name: "submission", State: state, Environment: env}}
	}
	result := func(v bench.Verdict, runs []bench.Run) bench.Result { return bench.Result{Verdict: v, Runs: runs} }
	done := result(bench.Unresolved, run(bench.RunDone, "env:1"))
	slow := result(bench.Timeout, run(bench.RunTimeout, "env:1"))
	full := result(bench.Unresolved, run(bench.RunLimit, "env:1"))
	old := result(bench.Unresolved, run(bench.RunDone, "env:0"))
	tests := map[string]struct {
		held []bench.Result
		env  named
		want int // index of the one that holds; -1: none
	}{
		"nothing":                       {nil, named{name: "env:1"}, -1},
		"a verdict":                     {[]bench.Result{done}, named{name: "env:1"}, 0},
		"in another environment":        {[]bench.Result{old}, named{name: "env:1"}, -1},
		"then in this one":              {[]bench.Result{old, done}, named{name: "env:1"}, 1},
		"an environment nobody knows":   {[]bench.Result{old}, named{}, 0},
		"one that cannot be opened":     {[]bench.Result{done}, named{err: errors.New("gone")}, -1},
		"nothing was run":               {[]bench.Result{result(bench.EmptyPatch, nil)}, named{name: "env:1"}, 0},
		"trouble of the machine":        {[]bench.Result{result(bench.Infra, nil)}, named{name: "env:1"}, -1},
		"a measured run that failed":    {[]bench.Result{result(bench.Resolved, run(bench.RunInfra, "env:1"))}, named{name: "env:1"}, -1},
		"a time-out":                    {[]bench.Result{slow}, named{name: "env:1"}, -1},
		"a limit":                       {[]bench.Result{full}, named{name: "env:1"}, -1},
		"a time-out twice":              {[]bench.Result{slow, slow}, named{name: "env:1"}, 1},
		"a time-out three times":        {[]bench.Result{slow, slow, slow}, named{name: "env:1"}, 2},
		"a time-out, then a limit":      {[]bench.Result{slow, full}, named{name: "env:1"}, -1},
		"a time-out, then it was quick": {[]bench.Result{slow, done}, named{name: "env:1"}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			task := tasks.Task{Kind: "bugfix", Instance: &bench.Instance{ID: "i", Language: languages.Python, Image: "image"}}
			p := bench.Prediction{InstanceID: "i", Model: "m", Patch: "p"}
			judge := tasks.Judge{Machine: languages.Machine{Names: tt.env}}
			store, err := bench.OpenStore(filepath.Join(t.TempDir(), "results.jsonl"))
			require.NoError(t, err)
			defer store.Close()
			for i, r := range tt.held {
				r.Task, r.InstanceID, r.Model, r.TaskDigest = "bugfix", "i", "m", judge.Digest(tasks.BugFix{}, task, p)
				r.Reason = string(rune('0' + i))
				require.NoError(t, store.Append(r))
			}
			folder := &Folder{store: store, names: map[string]string{}}
			got, ok, err := folder.finished(t.Context(), judge, tasks.BugFix{}, func(context.Context) (tasks.Task, bench.Prediction, error) { return task, p, nil })
			require.NoError(t, err)
			require.Equal(t, tt.want >= 0, ok)
			if ok {
				require.Equal(t, string(rune('0'+tt.want)), got.Reason)
			}
		})
	}
}
