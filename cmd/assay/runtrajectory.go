package main

import (
	"io"

	"assay/attempts"
	"assay/trajectory"
)

// trajectoryOf makes a trajectory from the record of an attempt's calls.
func trajectoryOf(r attempts.Record, calls io.Reader) ([]byte, error) {
	t, err := trajectory.FromExchanges(trajectory.Meta{
		Agent: r.Agent, Version: r.Version, Model: r.Model, Session: r.Name(),
		Extra: map[string]any{"end": r.End, "instance_id": r.InstanceID, "task": r.Task, "attempt": r.Attempt},
	}, calls)
	if err != nil {
		return nil, err
	}
	return t.JSON()
}
