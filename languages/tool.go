package languages

import (
	"context"
	"errors"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
)

// Tool is a program other than a test runner, to be run on a variant's tree.
type Tool struct {
	// Script is POSIX shell, run in the repository.
	Script string
	// Files are put in after the variant's own, and so may stand in for them.
	Files   []harness.File
	Env     []string
	Collect []string // absolute glob patterns
	Limits  harness.Limits
}

// ToolOutcome is the outcome of a tool's run. State is RunDone when it ended
// by itself, with any code, RunUnapplied, RunTimeout or RunLimit.
type ToolOutcome struct {
	Name      string
	State     bench.RunState
	Detail    string
	Unapplied *UnappliedError
	Result    harness.Result
	// Environment is the digest-bearing name of the environment.
	Environment string
}

// Tree applies the variant's patches to base and returns the tree, the paths
// of all its files, and an *UnappliedError where a patch does not apply.
// Trees inside images hold what the patches name and extra, which are then
// read.
func (t *Testbed) Tree(ctx context.Context, v Variant, extra ...string) (patch.Tree, []string, error) {
	if err := t.load(ctx, v); err != nil {
		return nil, nil, err
	}
	if err := t.base.load(ctx, extra); err != nil {
		return nil, nil, err
	}
	c, err := compose(t.base, v)
	if err != nil {
		return nil, nil, err
	}
	l := newListing(t.base, c.changes)
	return l.tree, l.Paths(), nil
}

// RunTool runs a tool on the variant's tree in a fresh copy of the
// environment, without network. An error means that it could not be run.
func (t *Testbed) RunTool(ctx context.Context, v Variant, tool Tool) (ToolOutcome, error) {
	out := ToolOutcome{Name: v.Name}
	if err := t.load(ctx, v); err != nil {
		return out, err
	}
	c, err := compose(t.base, v)
	var un *UnappliedError
	if errors.As(err, &un) {
		out.State, out.Detail, out.Unapplied = bench.RunUnapplied, un.Error(), un
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if out.Environment, err = t.Prepare(ctx); err != nil {
		return out, err
	}
	put, remove := files(t.Root(), c.changes)
	harness.Notify(ctx, Linting, v.Name)
	out.Result, err = t.machine.Runner.Run(ctx, harness.Job{
		Name: t.instance.ID + " " + v.Name, Environment: out.Environment,
		Remove: remove, Files: append(put, tool.Files...),
		Script: tool.Script, Workdir: t.Root(),
		Env:    append([]string{"LANG=C.UTF-8", "TZ=UTC"}, append(environ(t.env.Vars), tool.Env...)...),
		Limits: t.machine.Limits.over(tool.Limits), Collect: tool.Collect, Attempt: v.Attempt,
	})
	if err != nil {
		return out, err
	}
	switch out.Result.End {
	case harness.Exited:
		out.State = bench.RunDone
	case harness.TimedOut:
		out.State, out.Detail = bench.RunTimeout, "it did not end in time"
	default:
		out.State, out.Detail = bench.RunLimit, string(out.Result.End)
	}
	return out, nil
}

// Dir is a directory in the environment for one use on a variant, with a name
// that a submission cannot guess.
func (t *Testbed) Dir(use string, v Variant) string { return "/assay/" + t.derive(use, v)[:15] }

// Log is what the tool printed, for people.
func (o ToolOutcome) Log() []byte { return logText(o.Result) }
