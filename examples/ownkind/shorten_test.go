package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/llm/prompts"
	"assay/tasks"
)

// task is the sample's.
func task(t *testing.T, k Shorten) tasks.Task {
	t.Helper()
	inst, err := instance("0123456789")
	require.NoError(t, err)
	ts, err := k.Build(&inst)
	require.NoError(t, err)
	require.Len(t, ts, 1)
	return ts[0]
}

func outcome(state bench.RunState, statuses map[string]bench.Status) tasks.Outcome {
	o := languages.Outcome{Run: bench.Run{State: state}}
	for id, s := range statuses {
		o.Tests = append(o.Tests, bench.Test{ID: id, Status: s})
	}
	return tasks.Outcome{Outcome: o}
}

// TestJudge decides by outcomes written by hand: nothing is run.
func TestJudge(t *testing.T) {
	pass, fail := map[string]bench.Status{"a": bench.Passed}, map[string]bench.Status{"a": bench.Failed}
	least := 3
	for name, c := range map[string]struct {
		kind        Shorten
		patch       string
		base, after tasks.Outcome
		want        bench.Verdict
	}{
		"shorter":               {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunDone, pass), bench.Resolved},
		"a test fails":          {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunDone, fail), bench.Unresolved},
		"a test is gone":        {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunDone, nil), bench.Unresolved},
		"it failed before":      {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, map[string]bench.Status{"a": bench.Failed, "b": bench.Passed}), outcome(bench.RunDone, map[string]bench.Status{"b": bench.Passed}), bench.Resolved},
		"not enough":            {Shorten{Least: &least}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunDone, pass), bench.Unresolved},
		"comments":              {Shorten{}, diff(done(lib)), outcome(bench.RunDone, pass), outcome(bench.RunDone, pass), bench.Unresolved},
		"does not apply":        {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunUnapplied, nil), bench.InvalidPatch},
		"does not import":       {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunUnbuilt, nil), bench.Unresolved},
		"base does not run":     {Shorten{}, diff(direct(lib)), outcome(bench.RunUnbuilt, nil), outcome(bench.RunDone, pass), bench.HarnessError},
		"tampered with":         {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunSuspect, nil), bench.Suspect},
		"it does not come back": {Shorten{}, diff(direct(lib)), outcome(bench.RunDone, pass), outcome(bench.RunTimeout, nil), bench.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			task := task(t, c.kind)
			plan := c.kind.Plan(task, bench.Prediction{Patch: c.patch})
			require.Len(t, plan.Runs, 2)
			r := c.kind.Judge(task, plan, tasks.Outcomes{onBase: c.base, onSubmission: c.after})
			require.Equal(t, c.want, r.Verdict, r.Reason)
		})
	}
}

func TestPlansWithoutRuns(t *testing.T) {
	k := Shorten{}
	require.Equal(t, bench.EmptyPatch, k.Plan(task(t, k), bench.Prediction{}).Early)
	require.Equal(t, bench.InvalidPatch, k.Plan(task(t, k), bench.Prediction{Patch: "--- a/x\n+++ b/x\n@@ what\n"}).Early)
}

func TestBuild(t *testing.T) {
	for name, field := range map[string]string{"none": "", "no list": `{"files":1}`, "no file": `{}`} {
		inst := bench.Instance{}
		if field != "" {
			inst.Extra = map[string]json.RawMessage{"shorten": json.RawMessage(field)}
		}
		_, err := Shorten{}.Build(&inst)
		require.Error(t, err, name)
	}
}

func TestPrompt(t *testing.T) {
	text, err := Shorten{}.Prompt(prompts.Set{}, task(t, Shorten{}))
	require.NoError(t, err)
	require.Equal(t, "Make shop.py shorter by at least 2 lines of code. All tests must still pass.\n", text)
}

// TestSetChangesTheDigest: results under one option are not those under another.
func TestSetChangesTheDigest(t *testing.T) {
	k, err := Shorten{}.Set("least-removed", "7")
	require.NoError(t, err)
	require.Equal(t, 7, k.(Shorten).Options()[0].Value)
	one, other := task(t, Shorten{}), task(t, k.(Shorten))
	require.NotEqual(t, tasks.Judge{}.Digest(Shorten{}, one, bench.Prediction{}), tasks.Judge{}.Digest(k, other, bench.Prediction{}))
	_, err = Shorten{}.Set("least-removed", "many")
	require.Error(t, err)
}
