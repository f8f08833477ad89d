// Package fixer fixes problems in the manner of Agentless (Xia et al., 2024): it
// localises file, function and lines, samples patches as search/replace edits,
// keeps those that break the fewest existing tests and pass the most generated
// ones, and submits the one that was sampled most often.
package fixer

import (
	"context"
	"errors"

	"assay/agents"
	"assay/bench"
	"assay/llm/prompts"
	"assay/methods"
)

// Fixer is the method. The zero value has no generated tests.
type Fixer struct {
	// Suites are generated tests by normalised id of the instance.
	Suites map[string][]Suite
	// Source identifies the suites; "" where there are none.
	Source string
}

// Suite is a submission to test generation. What its patch changes besides tests
// is left out.
type Suite struct {
	Model string
	Patch string
}

var _ methods.Method = Fixer{}

// The settings' names.
const (
	setFiles       = "files"
	setContext     = "context"
	setSamples     = "samples"
	setTemperature = "temperature"
	setRegression  = "regression"
	setVotes       = "votes"
)

// About implements methods.Method.
func (f Fixer) About() methods.About {
	return methods.About{
		Name:    "fixer",
		Title:   "a fixer after Agentless: localises, samples patches, filters them by tests, takes the most frequent one",
		Kinds:   []string{"bugfix", "review"},
		Prompts: []string{prompts.FixerFiles, prompts.FixerFunctions, prompts.FixerLines, prompts.FixerRepair},
		Source:  f.Source,
		Runs:    true,
		Settings: []methods.Setting{
			{Name: setFiles, Default: 3, Least: 1, Most: 20, Whole: true, What: "files in which the problem is looked for"},
			{Name: setContext, Default: 10, Least: 0, Most: 200, Whole: true, What: "lines around a place that may be edited, too"},
			{Name: setSamples, Default: 10, Least: 1, Most: 100, Whole: true, What: "patches that are sampled; the first one at temperature 0"},
			{Name: setTemperature, Default: 0.8, Least: 0, Most: 2, What: "of the samples after the first one"},
			{Name: setRegression, Default: 5, Least: 0, Most: 1000, Whole: true, What: "files of existing tests that a patch must not break"},
			{Name: setVotes, Default: 0, Least: 0, Most: 100, Whole: true, What: "generated suites that must let a patch pass, else nothing is submitted"},
		},
	}
}

// Solve implements methods.Method.
func (f Fixer) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	w := open(d)
	if len(w.sources) == 0 {
		return "", nil
	}
	shown, err := w.localise(ctx)
	if err != nil || len(shown) == 0 {
		return "", err
	}
	samples, ended := w.sample(ctx, shown)
	if err := w.keep(samples); err != nil {
		return "", err
	}
	if ended != nil && !final(ended) && ctx.Err() == nil { // the best so far counts where time ends
		return "", ended
	}
	best, err := w.choose(ctx, groupsOf(samples), w.testsOf(f.Suites[bench.NormaliseID(d.Task().Instance)]))
	return best, errors.Join(ended, err)
}

// final reports whether an error only says that the model gives no further
// answers, so that the samples so far may be filtered.
func final(err error) bool {
	var end *methods.EndError
	return errors.As(err, &end) && (end.End == agents.Budget || end.End == agents.Refused || end.End == agents.ContextWindow)
}
