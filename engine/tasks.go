package engine

import (
	"assay/bench"
	"assay/tasks"
)

// candidate is an instance that is meant, and the tasks it has.
type candidate struct {
	entry bench.Entry
	parts []part
}

// part is one task of an instance.
type part struct {
	kind int // index among the registered kinds
	// name is the task's part; empty where the kind makes one task of an
	// instance.
	name string
}

// candidateOf finds out which tasks an instance has.
func candidateOf(kinds []tasks.Kind, e bench.Entry, inst *bench.Instance) candidate {
	c := candidate{entry: e}
	for i, k := range kinds {
		ts, err := k.Build(inst)
		if err != nil {
			continue // counted as not built
		}
		for _, t := range ts {
			c.parts = append(c.parts, part{i, t.Part})
		}
	}
	return c
}

// of lists the parts of its tasks of a kind.
func (c candidate) of(kind int) []string {
	var names []string
	for _, p := range c.parts {
		if p.kind == kind {
			names = append(names, p.name)
		}
	}
	return names
}
