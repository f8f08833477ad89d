package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/llm"
	"assay/llm/anthropic"
	"assay/llm/gemini"
	"assay/llm/openai"
)

// modelFlags are the flags of every command that can ask a model.
type modelFlags struct {
	name            string
	budget          llm.Limits
	prices, prompts string
	rpm             float64
	record, replay  string
}

func (o *modelFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.name, "llm", "", "the model to ask, as provider/model; keys and base URLs by the usual variables or .env")
	f.Float64Var(&o.budget.Run, "budget", 0, "most dollars to spend in all; 0 means no limit")
	f.Float64Var(&o.budget.Task, "task-budget", 0, "most dollars to spend on one task")
	f.Float64Var(&o.budget.Call, "call-budget", 0, "most dollars to spend on one call")
	f.StringVar(&o.prices, "prices", "", "file of prices that replace rows of the built-in table")
	f.StringVar(&o.prompts, "prompts", "", "folder of prompts that replace the built-in ones, by file name")
	f.Float64Var(&o.rpm, "rpm", 0, "most calls a minute; 0 means no limit")
	f.StringVar(&o.record, "record", "", "folder to record calls in")
	secret(f, "record")
	f.StringVar(&o.replay, "replay", "", "folder of recorded calls to answer from; no model is asked")
	secret(f, "replay")
}

// model is a client with everything around it.
type model struct {
	llm.Client
	name string
	log  *os.File
}

// Close closes the log.
func (m *model) Close() error {
	if m == nil || m.log == nil {
		return nil
	}
	return m.log.Close()
}

// openModel opens the model that --llm names; nil without a name. Calls are
// logged to dir/llm.jsonl, and what was spent there before counts.
func (a *app) openModel(o modelFlags, dir string) (*model, error) {
	if o.name == "" {
		return nil, nil
	}
	if o.replay != "" {
		return &model{Client: llm.Replay(o.replay), name: o.name}, nil
	}
	dotenv, err := llm.LoadDotenv(".env")
	if err != nil {
		return nil, err
	}
	settings, err := llm.Resolve(a.getenv, dotenv, o.name)
	if err != nil {
		return nil, err
	}
	for _, w := range settings.Warnings {
		fmt.Fprintf(a.stderr, "assay: %s\n", w)
	}
	client, err := provider(settings)
	if err != nil {
		return nil, err
	}
	m := &model{name: o.name}
	if m.Client, err = a.around(o, m, client, settings, dir); err != nil {
		return nil, err
	}
	return m, nil
}

// provider is the bare client of a provider.
func provider(s llm.Settings) (llm.Client, error) {
	var c llm.Client
	var err error
	switch s.Provider.Protocol {
	case llm.ProtocolGemini:
		c, err = gemini.New(gemini.Options{Key: s.Key, BaseURL: s.BaseURL})
	case llm.ProtocolAnthropic:
		c = anthropic.New(anthropic.Options{Key: s.Key, BaseURL: s.BaseURL})
	default:
		c = openai.New(openai.Options{Name: s.Provider.Name, Key: s.Key, BaseURL: s.BaseURL})
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", s.Provider.Name, err)
	}
	return llm.ForProvider(c, s.Provider.Name), nil
}

// around puts the decorators around a client: every attempt is limited,
// counted and logged; answers that are known cost nothing.
func (a *app) around(o modelFlags, m *model, c llm.Client, s llm.Settings, dir string) (llm.Client, error) {
	prices, err := llm.LoadPrices(o.prices)
	if err != nil {
		return nil, err
	}
	ledger := llm.NewLedger(prices, o.budget)
	path := filepath.Join(dir, "llm.jsonl")
	if err := spentBefore(path, ledger); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if m.log, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	cache, err := a.cacheDir()
	if err != nil {
		return nil, err
	}
	c = llm.RateLimit(c, o.rpm, 0)
	c = llm.Budget(c, ledger)
	c = llm.Log(c, m.log, llm.LogOptions{Now: now})
	c = llm.Retry(c, llm.RetryOptions{Rand: rand.NewPCG(rand.Uint64(), rand.Uint64())})
	c = llm.Lenient(c, func(model, name string) {
		fmt.Fprintf(a.stderr, "assay: %s takes no %s: left out\n", model, name)
	})
	if o.record != "" {
		c = llm.Record(c, o.record)
	}
	return llm.Cache(c, llm.CacheOptions{Dir: filepath.Join(cache, "llm"), BaseURL: s.BaseURL}), nil
}

// spentBefore counts what earlier calls of the same command cost.
func spentBefore(path string, ledger *llm.Ledger) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, line := range strings.Split(string(data), "\n") {
		var e llm.LogEntry
		if json.Unmarshal([]byte(line), &e) == nil && e.CostUSD > 0 {
			ledger.Add(e.Purpose, e.CostUSD)
		}
	}
	return nil
}

// overBudget gives the error of a spent budget its exit code.
func overBudget(err error) error {
	var e *llm.Error
	if errors.As(err, &e) && (e.Class == llm.OverBudget || e.Class == llm.Unpriced) {
		return &codedError{exitBudget, err}
	}
	return err
}
