package tasks

import "assay/bench"

// Environment is where an instance's submissions are judged, for the record.
type Environment struct {
	InstanceID string `json:"instance_id"`
	// Name holds a digest of all that the environment is made from; empty
	// where it was not made.
	Name string `json:"environment,omitempty"`
	// Env is the instance's env with all that was inferred.
	Env bench.Env `json:"env"`
	// Decisions are the inferred choices with their evidence.
	Decisions []bench.Decision `json:"decisions,omitempty"`
}
