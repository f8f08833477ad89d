package methods

import (
	"context"
	"fmt"
	"time"

	"assay/harness"
	"assay/languages"
)

// Tool is a run of a program of our own on texts, outside of the task's
// environment: a linter that needs nothing but a source.
type Tool struct {
	Name string
	// Install makes the environment of the tool; all tasks share it.
	Install harness.Recipe
	Files   []harness.File
	Script  string // POSIX shell
}

// ToolRun is what a tool showed.
type ToolRun struct {
	End  string `json:"end"` // exited, timeout, ...
	Code int    `json:"code"`
	// Output is what it printed: its beginning.
	Output string `json:"output"`
}

// ToolRunner runs tools.
type ToolRunner interface {
	RunTool(ctx context.Context, t Tool) (ToolRun, error)
}

// Tool runs a tool, without network. An error means that it could not be run.
func (d *Desk) Tool(ctx context.Context, step string, t Tool) (ToolRun, error) {
	return recorded(d, step, map[string]string{"tool": t.Name}, func() (ToolRun, string, error) {
		run, err := d.parts.Tools.RunTool(ctx, t)
		return run, fmt.Sprintf("%s: %s, code %d", t.Name, run.End, run.Code), err
	})
}

// toolbox runs tools on a machine.
type toolbox struct{ machine languages.Machine }

// RunTool implements ToolRunner.
func (b toolbox) RunTool(ctx context.Context, t Tool) (ToolRun, error) {
	t.Install.Limits = harness.Limits{Time: time.Hour, Memory: 4 << 30, Processes: 4096}
	env, err := b.machine.Preparer.Prepare(ctx, t.Install)
	if err != nil {
		return ToolRun{}, fmt.Errorf("installing %s: %w", t.Name, err)
	}
	res, err := b.machine.Runner.Run(ctx, harness.Job{
		Name: t.Name, Environment: env, Files: t.Files, Script: t.Script, Workdir: "/", Env: []string{"LANG=C.UTF-8"},
		Limits: harness.Limits{Time: 2 * time.Minute, Memory: 2 << 30},
	})
	if err != nil {
		return ToolRun{}, fmt.Errorf("running %s: %w", t.Name, err)
	}
	return ToolRun{End: string(res.End), Code: res.ExitCode, Output: head(string(res.Output.Head), mostLog)}, nil
}
