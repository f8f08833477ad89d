// Package otter holds the methods of TDD-Bench-Verified's paper, which write a
// test for an issue that is not resolved yet: Otter, with its localizer, its
// self-reflective planner and its generator of whole functions; Otter++, which
// chooses among five tests by how they fail; and the paper's own zero-shot
// baseline, a whole test file.
package otter

import (
	"context"

	"assay/llm/prompts"
	"assay/methods"
)

// kindTestgen is the kind of task that these methods solve.
const kindTestgen = "testgen"

// Otter is the method of the paper's section 4.1 and, with Plus, that of 4.2.
type Otter struct {
	Plus bool
}

var _ methods.Method = Otter{}

// About implements methods.Method.
func (o Otter) About() methods.About {
	about := methods.About{
		Name: "otter", Title: "Otter (TDD-Bench-Verified, 4.1): localizes, plans with reflection, writes a test function",
		Kinds:   []string{kindTestgen},
		Runs:    true, // the linter, too
		Prompts: []string{prompts.OtterFiles, prompts.OtterFunctions, prompts.OtterPlan, prompts.OtterReflect, prompts.OtterTest},
		Settings: []methods.Setting{
			{Name: "files", Default: 10, Least: 1, Most: 50, Whole: true, What: "files that the localizer may choose"},
			{Name: "rounds", Default: 5, Least: 1, Most: 20, Whole: true, What: "rounds of reflection on the plan, at most"},
		},
	}
	if o.Plus {
		about.Name, about.Title = "otter++", "Otter++ (TDD-Bench-Verified, 4.2): five tests by different prompts, chosen by how they fail"
	}
	return about
}

// Solve implements methods.Method.
func (o Otter) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	s := &solver{d: d, repo: newRepo(d)}
	if err := s.installLinter(ctx); err != nil {
		return "", err
	}
	if o.Plus {
		return s.ensemble(ctx)
	}
	found, err := s.locate(ctx)
	if err != nil {
		return "", err
	}
	return s.planned(ctx, found)
}

// solver is one attempt.
type solver struct {
	d    *methods.Desk
	repo *repo
}

// planned is Otter's own test: a plan, and what it asks for. It is "" where the
// model wrote none.
func (s *solver) planned(ctx context.Context, found located) (string, error) {
	p, err := s.plan(ctx, found)
	if err != nil {
		return "", err
	}
	texts, err := s.repo.texts(p.reads)
	if err != nil {
		return "", err
	}
	return s.generate(ctx, "generate", order{target: p.target, functions: texts, shown: true})
}

// ask fills a prompt and makes one call, with greedy decoding.
func (s *solver) ask(ctx context.Context, step, prompt string, data any) (string, error) {
	text, err := s.d.Template(prompt, data)
	if err != nil {
		return "", err
	}
	answer, err := s.d.Ask(ctx, step, methods.Say(text).At(0))
	return answer.Text, err
}
