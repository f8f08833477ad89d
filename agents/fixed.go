package agents

import (
	"context"

	"assay/tasks"
)

// Gold is the agent that submits the tasks' own answers.
type Gold struct{ Kinds *tasks.Registry }

// Name implements Agent.
func (Gold) Name() string { return "gold" }

// Solves implements Agent.
func (Gold) Solves(k tasks.Kind) bool { return tasks.HasSolution(k) }

// Solve implements Agent.
func (g Gold) Solve(ctx context.Context, w Work) (Outcome, error) {
	kind, err := g.Kinds.Lookup(w.Task.Kind)
	if err != nil {
		return Outcome{}, err
	}
	p, err := tasks.Solution(ctx, w.Machine, kind, w.Task)
	return Outcome{Patch: p.Patch, End: Done}, err
}

// Empty is the agent that submits nothing.
type Empty struct{}

// Name implements Agent.
func (Empty) Name() string { return "empty" }

// Solves implements Agent.
func (Empty) Solves(tasks.Kind) bool { return true }

// Solve implements Agent.
func (Empty) Solve(context.Context, Work) (Outcome, error) { return Outcome{End: Done}, nil }
