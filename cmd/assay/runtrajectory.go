package main

import (
	"bytes"
	"io"

	"assay/attempts"
	"assay/trajectory"
)

// trajectoryOf makes a trajectory from the record of an attempt's calls, or from
// the agent's own journal where it keeps one.
func trajectoryOf(r attempts.Record, calls io.Reader, journal []byte) ([]byte, error) {
	meta := trajectory.Meta{
		Agent: r.Agent, Version: r.Version, Model: r.Model, Session: r.Name(),
		Extra: map[string]any{"end": r.End, "instance_id": r.InstanceID, "task": r.Task, "attempt": r.Attempt},
	}
	var t trajectory.Trajectory
	var err error
	if len(journal) > 0 {
		t, err = trajectory.FromEvents(meta, calls, bytes.NewReader(journal))
	} else {
		t, err = trajectory.FromExchanges(meta, calls)
	}
	if err != nil {
		return nil, err
	}
	return t.JSON()
}
