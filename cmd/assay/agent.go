package main

import (
	"context"

	"assay/agents"
	"assay/bench"
	"assay/harness"
	"assay/style"
	"assay/style/linters"
	"assay/tasks"
)

// linterSet is every linter that assay brings, by name.
func linterSet() map[string]style.Linter {
	set := map[string]style.Linter{}
	for _, l := range linters.All() {
		set[l.About().Name] = l
	}
	return set
}

// toolLayers are the layers that an instance's env.linters can name.
func toolLayers() map[string]harness.Recipe {
	layers := map[string]harness.Recipe{}
	for name, l := range linterSet() {
		layers[name] = l.Install()
	}
	return layers
}

// defaultRules is the list that assay brings for a linter.
func defaultRules(linter string) style.Rules {
	file, err := linters.Rules(linter)
	if err != nil {
		return style.Rules{Linter: linter}
	}
	return file.Rules()
}

// solver is the built-in agent on a machine.
func solver(m *machine) func(context.Context, tasks.Task) (bench.Prediction, error) {
	fixers := agents.Fixers{Machine: m.Machine, Linters: linterSet(), Rules: defaultRules}
	return func(ctx context.Context, t tasks.Task) (bench.Prediction, error) {
		p := bench.Prediction{InstanceID: t.Name(), Model: agents.Autofix, Task: t.Kind}
		var err error
		p.Patch, err = fixers.Solve(ctx, t.Instance, t.Style)
		return p, err
	}
}
