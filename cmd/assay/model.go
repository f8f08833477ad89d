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
	"assay/llm/prompts"
)

// modelFlags are the flags of every command that can ask a model.
func modelFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("llm", "", "the model to ask, as provider/model; keys and base URLs by the usual variables or .env")
	f.Float64("budget", 0, "most dollars to spend in all; 0 means no limit")
	f.Float64("task-budget", 0, "most dollars to spend on one task")
	f.Float64("call-budget", 0, "most dollars to spend on one call")
	f.String("prices", "", "file of prices, laid over the table that assay brings")
	f.String("prompts", "", "folder of prompts that replace the ones assay brings, by file name")
	f.Float64("rpm", 0, "most calls a minute; 0 means no limit")
	f.String("record", "", "folder to record calls in")
	f.String("replay", "", "folder of recorded calls to answer from; no model is asked")
}

// model is a client with everything round it.
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

// openModel opens the model that --llm names; nil where none is named. Calls
// are logged to dir/llm.jsonl, and what was spent there before counts.
func (a *app) openModel(cmd *cobra.Command, dir string) (*model, error) {
	f := cmd.Flags()
	name, _ := f.GetString("llm")
	if name == "" {
		return nil, nil
	}
	if replay, _ := f.GetString("replay"); replay != "" {
		return &model{Client: llm.Replay(replay), name: name}, nil
	}
	dotenv, err := llm.LoadDotenv(".env")
	if err != nil {
		return nil, err
	}
	settings, err := llm.Resolve(a.getenv, dotenv, name)
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
	m := &model{name: name}
	if m.Client, err = a.around(cmd, m, client, settings, dir); err != nil {
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

// around lays the decorators round a client: every attempt is limited, counted
// and logged; answers that are known cost nothing.
func (a *app) around(cmd *cobra.Command, m *model, c llm.Client, s llm.Settings, dir string) (llm.Client, error) {
	f := cmd.Flags()
	var limits llm.Limits
	limits.Run, _ = f.GetFloat64("budget")
	limits.Task, _ = f.GetFloat64("task-budget")
	limits.Call, _ = f.GetFloat64("call-budget")
	rpm, _ := f.GetFloat64("rpm")
	pricesFile, _ := f.GetString("prices")
	prices, err := llm.LoadPrices(pricesFile)
	if err != nil {
		return nil, err
	}
	ledger := llm.NewLedger(prices, limits)
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
	cache, err := a.cacheDir(cmd)
	if err != nil {
		return nil, err
	}
	c = llm.RateLimit(c, rpm, 0)
	c = llm.Budget(c, ledger)
	c = llm.Log(c, m.log, llm.LogOptions{Now: now})
	c = llm.Retry(c, llm.RetryOptions{Rand: rand.NewPCG(rand.Uint64(), rand.Uint64())})
	c = llm.Lenient(c, func(model, name string) {
		fmt.Fprintf(a.stderr, "assay: %s takes no %s: left out\n", model, name)
	})
	if dir, _ := f.GetString("record"); dir != "" {
		c = llm.Record(c, dir)
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

// promptsOf are assay's prompts, or those of the folder that is given.
func promptsOf(cmd *cobra.Command) (prompts.Set, error) {
	dir, _ := cmd.Flags().GetString("prompts")
	return prompts.Load(dir)
}

// overBudget gives the error of a spent budget its exit code.
func overBudget(err error) error {
	var e *llm.Error
	if errors.As(err, &e) && (e.Class == llm.OverBudget || e.Class == llm.Unpriced) {
		return &codedError{exitBudget, err}
	}
	return err
}
