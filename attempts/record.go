// Package attempts lets an agent try tasks: many attempts in one folder, which
// continue where they were stopped, within a budget.
package attempts

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"assay/agents"
	"assay/bench"
)

// Ends of tries that are not attempts: they have no prediction, and the next
// call of the same command tries again.
const (
	RunBudget   agents.End = "run_budget"  // the budget of the whole run was spent
	Interrupted agents.End = "interrupted" // by a signal
	Killed      agents.End = "killed"      // together with assay, without a record of the end
)

// Ends lists the ends of finished attempts.
func Ends() []agents.End {
	return []agents.End{agents.Done, agents.GaveUp, agents.Budget, agents.Time, agents.Limit, agents.ContextWindow, agents.Refused}
}

// Record is what is known of one try at a task: a line of attempts.jsonl where
// the try is a finished attempt, and attempt.json in its folder.
type Record struct {
	// Key identifies all that went in: agent, model, prompt, task, number.
	Key        string `json:"key"`
	Task       string `json:"task"` // the kind
	InstanceID string `json:"instance_id"`
	Language   string `json:"language,omitempty"`
	Attempt    int    `json:"attempt"` // from 1
	Agent      string `json:"agent"`
	Version    string `json:"version,omitempty"`
	Model      string `json:"model,omitempty"`
	// Seed is the one that went into the calls of the model; 0 for none.
	Seed int64 `json:"seed,omitempty"`

	// Finished holds where the try is an attempt, however it ended. Tries that
	// the run's budget, a signal or a failure of the infrastructure cut are not.
	Finished bool       `json:"finished"`
	End      agents.End `json:"end"`
	Detail   string     `json:"detail,omitempty"`
	ExitCode int        `json:"exit_code"`
	Tries    int        `json:"tries"` // of this attempt so far, with this one

	Steps int `json:"steps"`
	Calls int `json:"calls"` // of the model
	// CostUSD is what this try cost. Estimated says that a part of it is an upper
	// bound, since a call had no answer.
	CostUSD   float64      `json:"cost_usd"`
	Estimated bool         `json:"estimated,omitempty"`
	Tokens    bench.Tokens `json:"tokens"`
	// Seconds is the try without the phase that prepares its environment; Phases
	// are all phases, by name.
	Seconds  float64            `json:"seconds"`
	Phases   map[string]float64 `json:"phases,omitempty"`
	Ended    time.Time          `json:"ended"`
	Patch    int                `json:"patch_bytes"`
	LeftOut  int                `json:"left_out"`           // paths that are not in the patch
	Dir      string             `json:"dir,omitempty"`      // relative to the run's folder
	Recorded bool               `json:"recorded,omitempty"` // there is a trajectory
}

// Submitter is the model's name in predictions: agent and model, and from the
// second attempt on its number, since eval takes one prediction of each name.
func (r Record) Submitter() string {
	name := r.Agent
	if r.Model != "" {
		name += "+" + r.Model
	}
	if r.Attempt > 1 {
		name += fmt.Sprintf("#%d", r.Attempt)
	}
	return name
}

// slot is the place of an attempt: two records of one slot are of the same
// task and number.
type slot struct {
	task, name string
	attempt    int
}

func (r Record) slot() slot { return slot{r.Task, r.InstanceID, r.Attempt} }

// String names an attempt for people.
func (s slot) String() string {
	if s.attempt > 1 {
		return fmt.Sprintf("%s/%s#%d", s.task, s.name, s.attempt)
	}
	return s.task + "/" + s.name
}

// compareRecords orders records by kind, task and number.
func compareRecords(a, b Record) int {
	return cmp.Or(strings.Compare(a.Task, b.Task), strings.Compare(a.InstanceID, b.InstanceID), cmp.Compare(a.Attempt, b.Attempt))
}
