package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assay/bench"
	"assay/languages"
	"assay/llm/prompts"
	"assay/tasks"
)

// agentTask is what an agent may see of a task: nothing of gold, of hidden
// tests or of how it is judged.
type agentTask struct {
	InstanceID string `json:"instance_id"` // as a prediction gives it
	Task       string `json:"task"`
	Language   string `json:"language"`
	Repo       string `json:"repo"`
	BaseCommit string `json:"base_commit"`
	// StartPatch is laid on base before the agent begins; its submission is a
	// patch on top of it.
	StartPatch string     `json:"start_patch,omitempty"`
	Env        *bench.Env `json:"env,omitempty"`
	Image      string     `json:"image,omitempty"`
	Prompt     string     `json:"prompt"`
}

// writeAgentTasks writes the instance's tasks of some kinds, one a line.
func writeAgentTasks(w *bytes.Buffer, set prompts.Set, kinds []string, inst *bench.Instance) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, name := range kinds {
		kind, err := tasks.Default().Lookup(name)
		if err != nil {
			return err
		}
		ts, err := kind.Build(inst)
		if err != nil {
			continue // told with the instance's record
		}
		for _, t := range ts {
			if leaks(t.Review) {
				continue // told with the instance's record
			}
			prompt, err := promptOf(set, t)
			if err != nil {
				return fmt.Errorf("%s: %w", t.ID(), err)
			}
			err = enc.Encode(agentTask{
				InstanceID: t.Name(), Task: t.Kind, Language: inst.Language, Repo: inst.Repo, BaseCommit: inst.BaseCommit,
				StartPatch: t.StartPatch(), Env: publicEnv(inst.Env), Image: inst.Image, Prompt: prompt,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// leaks reports whether the leak check found gold in a review.
func leaks(r *bench.Review) bool { return r != nil && r.Leak != nil && len(r.Leak.Leaks) > 0 }

// promptOf fills in the prompt of a task's kind.
func promptOf(set prompts.Set, t tasks.Task) (string, error) {
	language := map[string]string{languages.Python: "Python", languages.Java: "Java", languages.Cpp: "C++"}[t.Instance.Language]
	problem := t.Instance.ProblemStatement
	dir := languages.Root
	if t.Instance.Root != "" {
		dir = t.Instance.Root
	}
	switch t.Kind {
	case tasks.TestGen{}.Name():
		return set.Render(prompts.Testgen, prompts.TestgenData{Dir: dir, Language: language, Problem: problem, Framework: frameworkOf(t.Instance)})
	case tasks.Review{}.Name():
		return set.Render(prompts.Review, prompts.ReviewData{Dir: dir, Language: language, Problem: problem, Patch: t.StartPatch(), Review: t.Review.Text})
	case tasks.Style{}.Name():
		return set.Render(prompts.Style, prompts.StyleData{
			Dir: dir, Language: language, Linter: t.Style.Linter, Files: t.Style.Files, Problem: t.Style.ProblemStatement,
		})
	}
	return set.Render(prompts.Bugfix, prompts.BugfixData{Dir: dir, Language: language, Problem: problem})
}

func frameworkOf(inst *bench.Instance) string {
	if inst.Env == nil {
		return ""
	}
	return inst.Env.Framework
}

// publicEnv leaves out what tells of the hidden tests.
func publicEnv(env *bench.Env) *bench.Env {
	if env == nil {
		return nil
	}
	out := *env
	out.Test, out.Reports, out.Targets, out.PreTest = "", nil, nil, nil
	return &out
}
