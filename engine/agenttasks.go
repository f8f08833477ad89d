package engine

import (
	"encoding/json"
	"fmt"
	"io"

	"assay/bench"
	"assay/llm/prompts"
	"assay/tasks"
)

// Prompter is a kind whose tasks can be given to agents.
type Prompter interface {
	tasks.Kind
	// Prompt is the text for an agent. It must not reveal gold or hidden tests.
	Prompt(set prompts.Set, t tasks.Task) (string, error)
}

// Withholder is a kind of whose tasks some must not be given to agents.
type Withholder interface{ Withheld(t tasks.Task) bool }

// agentTask is what an agent may see of a task: nothing of gold, of hidden
// tests or of how it is judged.
type agentTask struct {
	InstanceID string `json:"instance_id"` // as a prediction gives it
	Task       string `json:"task"`
	Language   string `json:"language"`
	Repo       string `json:"repo"`
	BaseCommit string `json:"base_commit"`
	// StartPatch is applied to base before the agent begins. The submission is a
	// patch on top of it.
	StartPatch string     `json:"start_patch,omitempty"`
	Env        *bench.Env `json:"env,omitempty"`
	Image      string     `json:"image,omitempty"`
	Prompt     string     `json:"prompt"`
}

// WriteAgentTasks writes what agents may see of an instance's tasks of some
// kinds, one a line. Instances without tasks of a kind, and tasks that must be
// withheld, are left out; the instance's record reports both. A kind without a
// prompt is an error.
func (p Parts) WriteAgentTasks(w io.Writer, set prompts.Set, kinds []tasks.Kind, inst *bench.Instance) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, kind := range kinds {
		prompter, ok := kind.(Prompter)
		if !ok {
			return fmt.Errorf("%s tasks have no prompt for agents", kind.Name())
		}
		ts, err := kind.Build(inst)
		if err != nil {
			continue
		}
		for _, t := range ts {
			if t.Languages == nil {
				t.Languages = p.Languages
			}
			if held, ok := kind.(Withholder); ok && held.Withheld(t) {
				continue
			}
			prompt, err := prompter.Prompt(set, t)
			if err != nil {
				return fmt.Errorf("%s: %w", t.ID(), err)
			}
			if err := enc.Encode(agentTaskOf(t, prompt)); err != nil {
				return err
			}
		}
	}
	return nil
}

func agentTaskOf(t tasks.Task, prompt string) agentTask {
	inst := t.Instance
	return agentTask{
		InstanceID: t.Name(), Task: t.Kind, Language: inst.Language, Repo: inst.Repo, BaseCommit: inst.BaseCommit,
		StartPatch: t.StartPatch(), Env: publicEnv(inst.Env), Image: inst.Image, Prompt: prompt,
	}
}

// publicEnv leaves out the fields that reveal hidden tests.
func publicEnv(env *bench.Env) *bench.Env {
	if env == nil {
		return nil
	}
	out := *env
	out.Test, out.Reports, out.Targets, out.PreTest = "", nil, nil, nil
	return &out
}
