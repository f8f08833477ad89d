package main

import (
	"errors"
	"fmt"
	"io"

	"assay/agents"
	"assay/attempts"
)

// agentModel is the model that an agent is given; nil where it needs none.
type agentModel struct{}

// agentModel finds key, base URL and price of the model that the agent is to
// use.
func (a *app) agentModel(o runFlags, agent agents.Agent) (*agentModel, error) {
	_, needs := agent.(agents.Modeled)
	switch {
	case !needs && o.model == "":
		return nil, nil
	case !needs:
		return nil, fmt.Errorf("-m %s: %s uses no model", o.model, agent.Name())
	case o.model == "":
		return nil, fmt.Errorf("no model: %s needs one, give it with -m PROVIDER/MODEL", agent.Name())
	}
	return nil, errors.New("agents with a model cannot be run yet")
}

// opener opens sessions that share what is left of the run's budget.
func (m *agentModel) opener(left float64) func(attempts.SessionOptions) (attempts.Session, error) {
	return nil
}

// trajectoryOf makes a trajectory from the record of an attempt's calls.
func trajectoryOf(r attempts.Record, calls io.Reader) ([]byte, error) { return nil, nil }
