package harnesstest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/harness/harnesstest"
)

// flawed is a driver with one flaw.
type flawed struct {
	harnesstest.Fake
	job     func(*harness.Job)
	result  func(*harness.Result, *error)
	recipe  func(*harness.Recipe)
	prepare func(*error)
	leaks   []string
}

func (f *flawed) Run(ctx context.Context, job harness.Job) (harness.Result, error) {
	if f.job != nil {
		f.job(&job)
	}
	res, err := f.Fake.Run(ctx, job)
	if f.result != nil {
		f.result(&res, &err)
	}
	return res, err
}

func (f *flawed) Prepare(ctx context.Context, r harness.Recipe) (string, error) {
	if f.recipe != nil {
		f.recipe(&r)
	}
	name, err := f.Fake.Prepare(ctx, r)
	if f.prepare != nil && err != nil {
		f.prepare(&err)
	}
	return name, err
}

// flaws are drivers that the sub-test of their name must find wanting.
func flaws() map[string]*flawed {
	var calls atomic.Int64
	onJob := func(f func(*harness.Job)) *flawed { return &flawed{job: f} }
	onResult := func(f func(*harness.Result, *error)) *flawed { return &flawed{result: f} }
	onEnd := func(from, to harness.End) *flawed {
		return onResult(func(r *harness.Result, _ *error) {
			if r.End == from {
				r.End, r.Files = to, nil
			}
		})
	}
	return map[string]*flawed{
		"files/modes":                onJob(func(j *harness.Job) { j.Files = slices.Clone(j.Files); clearModes(j.Files) }),
		"files/order":                onJob(func(j *harness.Job) { j.Files = slices.Clone(j.Files); slices.Reverse(j.Files) }),
		"files/newer":                onJob(func(j *harness.Job) { j.Files = nil }),
		"files/link":                 onJob(func(j *harness.Job) { j.Files = j.Files[:min(1, len(j.Files))] }),
		"files/remove":               onJob(func(j *harness.Job) { j.Remove = nil }),
		"files/caller":               onJob(func(j *harness.Job) { slices.Sort(j.Env) }),
		"script/workdir":             onJob(func(j *harness.Job) { j.Workdir = "" }),
		"script/env":                 onJob(func(j *harness.Job) { slices.Reverse(j.Env) }),
		"script/user":                onJob(func(j *harness.Job) { j.User = "" }),
		"script/exit-codes":          onResult(func(r *harness.Result, _ *error) { r.ExitCode = min(r.ExitCode, 1) }),
		"script/killed":              onResult(func(r *harness.Result, _ *error) { r.ExitCode &= 127 }),
		"script/timings":             onResult(func(r *harness.Result, _ *error) { r.Timings.Run /= 2 }),
		"script/unknown-environment": onResult(func(_ *harness.Result, err *error) { *err = errors.New("no such environment") }),
		"output/bytes":               onResult(func(r *harness.Result, _ *error) { r.Output.Head = append(r.Output.Head, '\n') }),
		"output/cut":                 onResult(func(r *harness.Result, _ *error) { r.Output.Omitted++ }),
		"output/whole":               onJob(func(j *harness.Job) { j.Limits.Output -= 2 }),
		"output/flood":               onEnd(harness.OutputLimit, harness.Exited),
		"collect/globs":              onJob(func(j *harness.Job) { j.Collect = j.Collect[:min(1, len(j.Collect))] }),
		"collect/content":            onResult(func(r *harness.Result, _ *error) { delete(r.Files, "/out/empty") }),
		"collect/after-timeout":      onEnd(harness.TimedOut, harness.TimedOut),
		"collect/limit":              onEnd(harness.CollectLimit, harness.Exited),
		"tree/content":               onResult(func(r *harness.Result, _ *error) { clearTreeModes(r.Tree) }),
		"tree/known":                 onJob(func(j *harness.Job) { onTree(j, func(q *harness.TreeQuery) { q.Known = nil }) }),
		"tree/skip":                  onJob(func(j *harness.Job) { onTree(j, func(q *harness.TreeQuery) { q.Skip = q.Skip[:min(1, len(q.Skip))] }) }),
		"tree/limit":                 onJob(func(j *harness.Job) { onTree(j, func(q *harness.TreeQuery) { q.Limit = 0 }) }),
		"tree/no-script":             onResult(func(r *harness.Result, _ *error) { r.Tree = nil }),
		"stop/during":                onEnd(harness.Stopped, harness.TimedOut),
		"stop/before":                onJob(func(j *harness.Job) { j.Stop = nil; j.Limits.Time = 100 * time.Millisecond }),
		"relays/refused":             onJob(func(j *harness.Job) { j.Relays = nil }),
		"collect/no-script":          onResult(func(r *harness.Result, _ *error) { r.Output.Head = []byte("started\n") }),
		"time/timeout":               onEnd(harness.TimedOut, harness.Exited),
		"limits/memory":              onEnd(harness.OutOfMemory, harness.Exited),
		"limits/disk":                onJob(func(j *harness.Job) { j.Limits.Disk = 4 << 30; j.Script = "echo wrote it all" }),
		"cancel/during":              onResult(func(_ *harness.Result, err *error) { *err = nil }),
		"cancel/deadline":            onResult(func(_ *harness.Result, err *error) { *err = context.Canceled }),
		"many/concurrent": onJob(func(j *harness.Job) {
			if calls.Add(1)%8 == 0 {
				j.Files = nil
			}
		}),
		"many/no-leak":         {leaks: []string{"container 1"}},
		"prepare/equal":        {recipe: func(r *harness.Recipe) { r.Env = append(slices.Clone(r.Env), "LABEL="+r.Name) }},
		"prepare/once":         {recipe: func(r *harness.Recipe) { r.Env = append(slices.Clone(r.Env), "N="+string('0'+rune(calls.Add(1)))) }},
		"prepare/chain":        {recipe: forgetParentEnv},
		"prepare/layer":        {recipe: func(r *harness.Recipe) { r.Workdir = "" }},
		"prepare/different":    {recipe: func(r *harness.Recipe) { r.Files = nil }},
		"prepare/failure":      {prepare: func(err *error) { *err = &harness.InfraError{Op: "building", Err: errors.New("failed")} }},
		"prepare/cancel":       {prepare: func(err *error) { *err = errors.New("failed") }},
		"isolation/fresh":      onJob(func(j *harness.Job) { j.Files = nil; j.Script = "echo written\necho found in /tmp\necho looked" }),
		"files/large":          onJob(func(j *harness.Job) { j.Files = slices.Clone(j.Files); truncate(j.Files) }),
		"script/goes-on":       onResult(func(r *harness.Result, _ *error) { r.Output.Head = nil }),
		"prepare/archives":     {recipe: func(r *harness.Recipe) { r.Archives = nil }},
		"prepare/files":        {recipe: func(r *harness.Recipe) { clearModes(r.Files) }},
		"collect/regular-only": onResult(func(r *harness.Result, _ *error) { r.Files["/out/passwd.xml"] = nil }),
	}
}

// onTree changes a copy of the tree that a job asks for.
func onTree(j *harness.Job, change func(*harness.TreeQuery)) {
	if j.Tree != nil {
		q := *j.Tree
		change(&q)
		j.Tree = &q
	}
}

func clearTreeModes(tree []harness.Entry) {
	for i := range tree {
		tree[i].Mode &^= 0o111
	}
}

func forgetParentEnv(r *harness.Recipe) {
	if r.Parent != nil {
		parent := *r.Parent
		parent.Env = nil
		r.Parent = &parent
	}
}

func clearModes(files []harness.File) {
	for i := range files {
		files[i].Mode = 0
	}
}

func truncate(files []harness.File) {
	for i := range files {
		files[i].Data = files[i].Data[:len(files[i].Data)/2]
	}
}

// TestSuiteFindsFlaws runs the suite on flawed drivers, in a process of its
// own each, as a suite that finds something fails its test.
func TestSuiteFindsFlaws(t *testing.T) {
	const variable = "HARNESSTEST_FLAW"
	if name := os.Getenv(variable); name != "" {
		f := flaws()[name]
		o := harnesstest.Options{Base: harness.Recipe{Base: "simulated"}, Jobs: 1}
		if f.leaks != nil {
			o.Leaks = func(*testing.T) []string { return f.leaks }
		}
		harnesstest.Run(t, f, o)
		return
	}
	if testing.Short() {
		t.Skip("it starts a process for every flaw: not in short mode")
	}
	for name := range flaws() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSuiteFindsFlaws$/^"+name+"$")
			cmd.Env = append(os.Environ(), variable+"="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "the suite found nothing")
			require.Contains(t, string(out), "--- FAIL: TestSuiteFindsFlaws/"+name)
		})
	}
}
