package engine

import (
	"context"
	"fmt"
	"slices"

	"assay/bench"
	"assay/tasks"
)

// place is where an id of a prediction leads: an instance, or one of its parts.
type place struct {
	candidate int
	part      *part
}

// index finds instances and their parts by normalised id; an instance goes
// before a part of another one.
func index(found []candidate) map[string][]place {
	byID := make(map[string][]place, len(found))
	for i, c := range found {
		id := bench.NormaliseID(c.entry.ID)
		byID[id] = append(byID[id], place{candidate: i})
		for j := range c.parts {
			if c.parts[j].name == "" {
				continue // its id is the instance's
			}
			id := bench.NormaliseID(tasks.PartName(c.entry.ID, c.parts[j].name))
			byID[id] = append(byID[id], place{i, &c.parts[j]})
		}
	}
	return byID
}

// addPredictions pairs the predictions of one file with their tasks.
func (ev *Evaluation) addPredictions(ctx context.Context, file int, found []candidate, byID map[string][]place) error {
	p, err := bench.OpenPredictions(ev.options.Predictions[file])
	if err != nil {
		return err
	}
	ev.data.predictions = append(ev.data.predictions, p)
	entries, err := p.Index(ctx)
	partial, err := ev.options.tolerate(err)
	if err != nil {
		return err
	}
	ev.Partial = ev.Partial || partial
	for _, e := range entries {
		places := byID[bench.NormaliseID(e.InstanceID)]
		if len(places) == 0 {
			ev.Unknown++
			continue
		}
		if err := ev.addPrediction(file, e, found, places); err != nil {
			return fmt.Errorf("%s:%d: %w", p.Path(), e.Line, err)
		}
	}
	return nil
}

func (ev *Evaluation) addPrediction(file int, e bench.PredictionEntry, found []candidate, places []place) error {
	wanted := ev.wanted()
	if e.Task != "" {
		k, err := ev.parts.Kinds.Lookup(e.Task)
		if err != nil {
			return fmt.Errorf("field \"task\": %w", err)
		}
		if len(ev.options.Tasks) > 0 && !containsKind(ev.plan.kinds, k) {
			return nil
		}
		wanted = []int{slices.IndexFunc(ev.kinds, func(have tasks.Kind) bool { return have.Name() == k.Name() })}
	}
	for _, k := range wanted {
		c, part, err := meant(k, ev.kinds[k].Name(), e, found, places)
		if err != nil {
			return err
		}
		if c == nil {
			ev.NotBuilt[ev.kinds[k].Name()]++
			continue
		}
		name := ev.kinds[k].Name()
		key := name + "\x00" + tasks.PartName(c.entry.ID, part) + "\x00" + e.Model
		if ev.seen[key] {
			return fmt.Errorf("field \"instance_id\": %s by %q was submitted to %s already, in another file or with another task", e.InstanceID, e.Model, name)
		}
		ev.seen[key] = true
		ev.items = append(ev.items, item{kind: ev.kinds[k], entry: c.entry, part: part, prediction: e, from: file})
	}
	return nil
}

// meant finds the task of a kind that an id stands for. The instance's own id
// will do where the instance has one task of that kind.
func meant(k int, kind string, e bench.PredictionEntry, found []candidate, places []place) (*candidate, string, error) {
	var c *candidate
	for _, p := range places {
		if p.part != nil && p.part.kind == k {
			return &found[p.candidate], p.part.name, nil
		}
		if p.part == nil {
			c = &found[p.candidate]
		}
	}
	if c == nil {
		return nil, "", nil
	}
	parts := c.of(k)
	switch len(parts) {
	case 0:
		return nil, "", nil
	case 1:
		return c, parts[0], nil
	}
	return nil, "", fmt.Errorf("field \"instance_id\": %s has %d %s tasks: expected one of %s ... %s", e.InstanceID, len(parts), kind,
		tasks.PartName(c.entry.ID, parts[0]), tasks.PartName(c.entry.ID, parts[len(parts)-1]))
}

func containsKind(kinds []tasks.Kind, k tasks.Kind) bool {
	return slices.ContainsFunc(kinds, func(have tasks.Kind) bool { return have.Name() == k.Name() })
}
