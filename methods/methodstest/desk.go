// Package methodstest holds a desk for tests of methods: a tree in memory, a
// model whose answers are given, and runs that a function makes up.
package methodstest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"assay/languages"
	"assay/llm"
	"assay/llm/prompts"
	"assay/methods"
	"assay/trajectory"
)

// World is what a method under test finds.
type World struct {
	// Task is what the desk shows; Language, Kind, Attempt and Name have
	// defaults (the first, testgen, 1, o__r-1).
	Task methods.View
	// Files is the tree at the start.
	Files map[string]string
	// Answers are given one after the other. An error is returned as it is; after
	// the last one the session is spent.
	Answers []any // string or error
	// Runs makes up what a trial shows; nil means that every test that is run
	// passes, of which there are none.
	Runs func(t methods.Trial) (methods.Run, error)
	// Tools makes up what a tool shows; nil means that it prints nothing.
	Tools func(t methods.Tool) (methods.ToolRun, error)
	// Settings replace the method's defaults.
	Settings map[string]float64
	Prompts  prompts.Set

	mu       sync.Mutex
	requests []llm.Request
	trials   []methods.Trial
}

// Desk is a desk for a method.
func (w *World) Desk(m methods.Method) (*methods.Desk, error) {
	set := w.Prompts
	if set.Empty() {
		var err error
		if set, err = prompts.Load(""); err != nil {
			return nil, err
		}
	}
	set = set.Only(m.About().Prompts...)
	task := w.Task
	if task.Language == nil {
		known := languages.Default()
		task.Language = known.Named(known.Names()[0])
	}
	if task.Attempt == 0 {
		task.Attempt = 1
	}
	if task.Kind == "" {
		task.Kind = "testgen"
	}
	if task.Name == "" {
		task.Name = "o__r-1"
	}
	settings := methods.Agent{Method: m, Options: methods.Options{Settings: w.Settings}}.Settings()
	return methods.NewDesk(methods.Parts{
		Task: task, Tree: tree(w.Files), Model: model{w}, ModelName: "fake/model", Tests: runner{w}, Tools: toolbox{w}, Prompts: set, Settings: settings,
		Now: func() time.Time { return time.Unix(0, 0).UTC() },
	}), nil
}

// Solve lets a method solve the task. events are the steps that it took.
func (w *World) Solve(ctx context.Context, m methods.Method) (patch string, events []trajectory.Event, err error) {
	d, err := w.Desk(m)
	if err != nil {
		return "", nil, err
	}
	patch, err = m.Solve(ctx, d)
	events, eerr := trajectory.ReadEvents(bytes.NewReader(d.Journal()))
	if eerr != nil {
		return patch, nil, eerr
	}
	return patch, events, err
}

// Requests are the calls of the model so far.
func (w *World) Requests() []llm.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}

// Trials are the runs so far.
func (w *World) Trials() []methods.Trial {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.trials)
}

// Spent is the error of a session whose budget is spent.
func Spent() error {
	return &llm.Error{Class: llm.OverBudget, Provider: "fake", Err: fmt.Errorf("the budget is spent")}
}

type model struct{ w *World }

func (m model) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	m.w.mu.Lock()
	defer m.w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	n := len(m.w.requests)
	m.w.requests = append(m.w.requests, req)
	if n >= len(m.w.Answers) {
		return llm.Response{}, Spent()
	}
	switch a := m.w.Answers[n].(type) {
	case error:
		return llm.Response{}, a
	case string:
		return llm.Response{Text: a, Stop: llm.StopEnd}, nil
	default:
		return llm.Response{}, fmt.Errorf("methodstest: answer %d is a %T, want a string or an error", n, a)
	}
}

type runner struct{ w *World }

func (r runner) RunTests(ctx context.Context, t methods.Trial) (methods.Run, error) {
	r.w.mu.Lock()
	r.w.trials = append(r.w.trials, t)
	r.w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return methods.Run{}, err
	}
	if r.w.Runs == nil {
		return methods.Run{State: "done"}, nil
	}
	return r.w.Runs(t)
}

type toolbox struct{ w *World }

func (b toolbox) RunTool(ctx context.Context, t methods.Tool) (methods.ToolRun, error) {
	if b.w.Tools == nil || ctx.Err() != nil {
		return methods.ToolRun{End: "exited"}, ctx.Err()
	}
	return b.w.Tools(t)
}

type tree map[string]string

func (t tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t tree) Read(p string) ([]byte, error) {
	text, ok := t[p]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", p, fs.ErrNotExist)
	}
	return []byte(text), nil
}
