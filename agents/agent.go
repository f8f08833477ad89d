// Package agents lets agents solve tasks. Some need no model: the right answer,
// no answer, the linters' own fixers. The others are programs that adapters
// describe; they run in a sandbox without network, in the task's environment.
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
	// Name is the agent's name on the command line, and part of the model's name
	// in results.
	Name() string
	// Solves reports whether it can be given tasks of a kind.
	Solves(k tasks.Kind) bool
	// Solve makes one attempt. An error means that the agent could not be run; an
	// agent that failed is an Outcome.
	Solve(ctx context.Context, w Work) (Outcome, error)
}

// Modeled is an agent that needs a model.
type Modeled interface {
	Agent
	// Protocol is the protocol in which the agent talks to models of a provider:
	// chat, responses, messages or generate. It reports false where it cannot use
	// that provider.
	Protocol(provider string) (string, bool)
}

// Identified is an agent whose attempts depend on more than its name.
type Identified interface {
	Agent
	// Digest covers all that decides what the agent does but model, prompt and
	// task: equal digests mean that a finished attempt need not be repeated.
	Digest() string
}

// Registry holds agents by name, in the order in which they were registered.
type Registry = registry.Registry[Agent]

// Default returns the agents that come with assay and need no further input.
func Default(linters *style.Linters, kinds *tasks.Registry) *Registry {
	r := registry.New[Agent]("agent", Agent.Name, Fixers{Linters: linters}, Gold{Kinds: kinds}, Empty{})
	programs, _ := CLIs() // TestAdapters reads them all
	for _, c := range programs {
		_ = r.Register(c)
	}
	return r
}

// Submission lets an agent that needs no model solve a task.
func Submission(ctx context.Context, a Agent, m languages.Machine, t tasks.Task) (bench.Prediction, error) {
	p := bench.Prediction{InstanceID: t.Name(), Model: a.Name(), Task: t.Kind}
	out, err := a.Solve(ctx, Work{Task: t, Attempt: 1, Machine: m})
	p.Patch = out.Patch
	return p, err
}
