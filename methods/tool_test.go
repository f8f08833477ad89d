package methods

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/languages"
)

// machine is a preparer and a runner that make nothing.
type machine struct {
	prepared []harness.Recipe
	jobs     []harness.Job
	broken   error
}

func (m *machine) Prepare(_ context.Context, r harness.Recipe) (string, error) {
	m.prepared = append(m.prepared, r)
	return "env", m.broken
}

func (m *machine) Run(_ context.Context, j harness.Job) (harness.Result, error) {
	m.jobs = append(m.jobs, j)
	return harness.Result{End: harness.Exited, ExitCode: 1, Output: harness.Output{Head: []byte("a.py:1:1: \xff")}}, nil
}

func TestTool(t *testing.T) {
	m := &machine{}
	d := NewDesk(Parts{Tools: toolbox{languages.Machine{Preparer: m, Runner: m}}})
	tool := Tool{Name: "lint", Install: harness.Recipe{Name: "lint"}, Files: []harness.File{{Path: "/a.py"}}, Script: "lint /a.py"}
	run, err := d.Tool(t.Context(), "lint-1", tool)
	require.NoError(t, err)
	require.Equal(t, ToolRun{End: "exited", Code: 1, Output: "a.py:1:1: ?"}, run)
	require.Equal(t, "lint", m.prepared[0].Name)
	require.Equal(t, "env", m.jobs[0].Environment)
	require.False(t, m.jobs[0].Network)
	require.Contains(t, string(d.Journal()), `"step":"lint-1","kind":"run"`)
	m.broken = errors.New("no network")
	_, err = d.Tool(t.Context(), "lint-2", tool)
	require.EqualError(t, err, "installing lint: no network")
	require.Contains(t, string(d.Journal()), `"error":"installing lint: no network"`)
}
