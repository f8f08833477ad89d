package main

import (
	"fmt"
	"sync"

	"assay/badpatch"
	"assay/badpatch/modelsource"
	"assay/llm/prompts"
)

// badpatchModel makes candidates by a model, and counts the answers that could
// not be used. nil stands for no model.
type badpatchModel struct {
	*model
	asker modelsource.Asker

	mu      sync.Mutex
	refused map[string]int
}

func (a *app) openBadpatchModel(o modelFlags, dir string) (*badpatchModel, error) {
	set, err := prompts.Load(o.prompts)
	if err != nil {
		return nil, err
	}
	m, err := a.openModel(o, dir)
	if m == nil || err != nil {
		return nil, err
	}
	return &badpatchModel{
		model: m, asker: modelsource.Asker{Client: m, Model: m.name, Prompts: set}, refused: map[string]int{},
	}, nil
}

// Close closes the model's log.
func (m *badpatchModel) Close() error {
	if m == nil {
		return nil
	}
	return m.model.Close()
}

// key names what decides the model's candidates.
func (m *badpatchModel) key() string {
	if m == nil {
		return ""
	}
	return m.name + " " + m.asker.Prompts.Digest()
}

// sources are the two ways of asking.
func (m *badpatchModel) sources() []badpatch.Source {
	return []badpatch.Source{
		modelsource.Edits{Asker: m.asker, Refused: m.count},
		modelsource.WholeFile{Asker: m.asker, Refused: m.count},
	}
}

func (m *badpatchModel) count(cause string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[cause]++
}

// report describes what the model's answers came to grief with.
func (m *badpatchModel) report() string {
	if m == nil || len(m.refused) == 0 {
		return ""
	}
	line := "answers of the model that could not be used:"
	for _, cause := range sortedKeys(m.refused) {
		line += fmt.Sprintf(" %s %d;", cause, m.refused[cause])
	}
	return line[:len(line)-1] + "\n"
}
