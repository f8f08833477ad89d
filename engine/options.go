package engine

import (
	"errors"
	"fmt"

	"assay/agents"
	"assay/tasks"
)

// Options of an evaluation. Exactly one of Predictions,
// Gold, Empty and Agent is given.
type Options struct {
	Selection
	Predictions []string // files of predictions
	Gold        bool     // submit the tasks' own answers
	Empty       bool     // submit nothing
	Agent       string   // submit what an agent makes
	// Tasks are names of kinds. None means: the kinds that the predictions name,
	// else the first one; all kinds with Gold and Empty; with Agent those that it
	// solves.
	Tasks []string
	// Jobs is how many submissions are judged at once; 0 means one.
	Jobs int
	// Full runs what the verdict does not need, too.
	Full bool
	// NoGoldCheck leaves out the gold run that proves each environment.
	NoGoldCheck bool
	// Output is the run's folder; "" means runs/ID, the ID made from the input.
	Output string
	// Version is the program's, for the run's records: results of another one
	// are not copied.
	Version string
	// Config is added to the run's config.yaml.
	Config map[string]any
}

// plan is what options mean with certain parts.
type plan struct {
	agent agents.Agent // nil for none
	kinds []tasks.Kind // to be judged
}

// check finds out what the options mean.
func (o Options) check(parts Parts) (plan, error) {
	given := 0
	for _, b := range []bool{len(o.Predictions) > 0, o.Gold, o.Empty, o.Agent != ""} {
		if b {
			given++
		}
	}
	var p plan
	var err error
	if given != 1 {
		return p, errors.New("expected exactly one of predictions, gold, empty and agent")
	}
	names := o.Tasks
	if o.Agent != "" {
		if p.agent, err = parts.Agents.Lookup(o.Agent); err != nil {
			return p, err
		}
		if len(names) == 0 {
			names, err = KindsSolved(p.agent, parts.Kinds)
		}
	}
	if err == nil {
		p.kinds, err = KindsOf(parts.Kinds, names, o.Gold || o.Empty)
	}
	return p, err
}

// KindsSolved names the kinds whose tasks an agent solves.
func KindsSolved(a agents.Agent, kinds *tasks.Registry) ([]string, error) {
	var names []string
	for _, k := range kinds.All() {
		if a.Solves(k) {
			names = append(names, k.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("agent %q solves no known kind of task", a.Name())
	}
	return names, nil
}

// KindsOf are the kinds of these names, each once. No name stands for all kinds
// or for the first one.
func KindsOf(registry *tasks.Registry, names []string, all bool) ([]tasks.Kind, error) {
	if len(names) == 0 {
		names = registry.Names()
		if !all {
			names = names[:min(len(names), 1)]
		}
	}
	var kinds []tasks.Kind
	for _, n := range names {
		k, err := registry.Lookup(n)
		if err != nil {
			return nil, err
		}
		if !containsKind(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds, nil
}

// submitter names who submits, in the run's ID: by what the options give.
func (o Options) submitter() string {
	switch {
	case o.Gold:
		return "gold"
	case o.Empty:
		return "empty"
	case o.Agent != "":
		return o.Agent
	case len(o.Predictions) == 1:
		return stem(o.Predictions[0])
	}
	return "predictions"
}
