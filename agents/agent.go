// Package agents makes submissions. What is here needs no model: the linters'
// own fixers, as the baseline of style tasks.
package agents

import (
	"context"

	"assay/bench"
	"assay/internal/registry"
	"assay/languages"
	"assay/style"
	"assay/tasks"
)

// Agent solves tasks. Its methods are safe for concurrent use.
type Agent interface {
	// Name is the agent's name on the command line, and the model in results.
	Name() string
	// Solves reports whether it can be given tasks of a kind.
	Solves(k tasks.Kind) bool
	// Solve returns its submission, a patch on top of the task's start (see
	// tasks.Task.StartPatch); "" where it has nothing to submit. An error means
	// that it could not be run.
	Solve(ctx context.Context, m languages.Machine, t tasks.Task) (string, error)
}

// Registry holds agents by name, in the order in which they were registered.
type Registry = registry.Registry[Agent]

// Default returns the agents that come with assay.
func Default(linters *style.Linters) *Registry {
	return registry.New[Agent]("agent", Agent.Name, Fixers{Linters: linters})
}

// Submission lets an agent solve a task.
func Submission(ctx context.Context, a Agent, m languages.Machine, t tasks.Task) (bench.Prediction, error) {
	p := bench.Prediction{InstanceID: t.Name(), Model: a.Name(), Task: t.Kind}
	var err error
	p.Patch, err = a.Solve(ctx, m, t)
	return p, err
}
