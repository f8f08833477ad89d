package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"assay/bench"
	"assay/llm/prompts"
	"assay/tasks"
)

// TaskList is the tasks of a dataset that an agent can be given: places in
// files, no content. It is safe for concurrent use.
type TaskList struct {
	// NotBuilt counts, by kind, the instances that have no such task.
	NotBuilt map[string]int
	// Withheld counts the tasks that agents must not be given.
	Withheld int
	// Partial says that broken records were left out.
	Partial bool

	parts Parts
	data  *Data
	items []item
}

// ListTasks lists the tasks of some kinds, in the order of kinds and dataset.
func ListTasks(ctx context.Context, parts Parts, sel Selection, kinds []tasks.Kind) (*TaskList, error) {
	l := &TaskList{NotBuilt: map[string]int{}, parts: parts}
	byKind := make([][]item, len(kinds))
	sel.Languages = parts.Languages
	var err error
	l.data, err = sel.Scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		for i, k := range kinds {
			byKind[i] = append(byKind[i], l.itemsOf(k, e, inst)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.Partial = l.data.Partial
	for _, items := range byKind {
		l.items = append(l.items, items...)
	}
	return l, nil
}

// itemsOf are an instance's tasks of a kind, without those that are withheld.
func (l *TaskList) itemsOf(k tasks.Kind, e bench.Entry, inst *bench.Instance) []item {
	ts, err := k.Build(inst)
	if err != nil || len(ts) == 0 {
		l.NotBuilt[k.Name()]++
		return nil
	}
	var out []item
	for _, t := range ts {
		if held, ok := k.(Withholder); ok && held.Withheld(t) {
			l.Withheld++
			continue
		}
		out = append(out, item{kind: k, entry: e, part: t.Part, from: -1})
	}
	return out
}

// Close closes the dataset.
func (l *TaskList) Close() error { return l.data.Close() }

// Len is how many tasks there are.
func (l *TaskList) Len() int { return len(l.items) }

// Name is the i-th task's: its kind, instance and part.
func (l *TaskList) Name(i int) string { return l.items[i].name() }

// Instance is the id of the i-th task's instance.
func (l *TaskList) Instance(i int) string { return l.items[i].entry.ID }

// Load reads the i-th task.
func (l *TaskList) Load(i int) (tasks.Task, error) {
	it := l.items[i]
	return loadTask(l.data, l.parts, it.kind, it.entry, it.part)
}

// Prompt is what an agent is asked; "" for a kind without a prompt.
func (p Parts) Prompt(set prompts.Set, t tasks.Task) (string, error) {
	kind, err := p.Kinds.Lookup(t.Kind)
	if err != nil {
		return "", err
	}
	prompter, ok := kind.(Prompter)
	if !ok {
		return "", nil
	}
	prompt, err := prompter.Prompt(set, t)
	if err != nil {
		return "", fmt.Errorf("%s: %w", t.ID(), err)
	}
	return prompt, nil
}

// WholeDigest identifies a task with everything that the dataset has of its
// instance, for agents that may use all of it.
func WholeDigest(t tasks.Task, prompt string) (string, error) {
	text, err := json.Marshal([]any{t.Instance, t.Part, prompt})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// VisibleDigest identifies all that an agent can see of a task. What it does
// not cover (hidden tests, bad patches, gold) may change without another
// attempt being due.
func VisibleDigest(t tasks.Task, prompt string) (string, error) {
	text, err := json.Marshal(agentTaskOf(t, prompt))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// loadTask reads an instance and builds one of its tasks.
func loadTask(data *Data, parts Parts, kind tasks.Kind, e bench.Entry, part string) (tasks.Task, error) {
	inst, err := data.Read(e)
	if err != nil {
		return tasks.Task{}, err
	}
	ts, err := kind.Build(&inst)
	if err != nil {
		return tasks.Task{}, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	for _, t := range ts {
		if t.Part == part {
			if t.Languages == nil {
				t.Languages = parts.Languages
			}
			return t, nil
		}
	}
	return tasks.Task{}, fmt.Errorf("instance %s: there is no %s task %s any more", inst.ID, kind.Name(), part)
}
