// Package engine judges many submissions: it pairs the tasks of a dataset with
// predictions, keeps a run's folder, and resumes runs that were stopped.
package engine

import (
	"assay/agents"
	"assay/harness"
	"assay/languages"
	"assay/style"
	"assay/style/linters"
	"assay/tasks"
)

// Parts are the languages, kinds of task, linters and agents that a run can use. A
// program with parts of its own registers them here.
type Parts struct {
	Languages *languages.Registry
	Kinds     *tasks.Registry
	Linters   *style.Linters
	Agents    *agents.Registry
}

// Default returns the parts that come with assay.
func Default() Parts {
	l, known := linters.Default(), languages.Default()
	kinds := tasks.Default(l, known)
	return Parts{Languages: known, Kinds: kinds, Linters: l, Agents: withMethods(agents.Default(l, kinds))}
}

// Tools are the layers that an instance's env.linters can name.
func (p Parts) Tools() map[string]harness.Recipe {
	layers := map[string]harness.Recipe{}
	for _, l := range p.Linters.All() {
		layers[l.About().Name] = l.Install()
	}
	return layers
}
