package methods

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"assay/agents"
	"assay/llm"
	"assay/llm/prompts"
	"assay/tasks"
)

// version is that of the methods' code, which digests cannot see: it is raised by
// hand where a method's steps change so much that finished attempts are to be made
// again. Prompts, settings and what a method was given need no new version: they
// are in the digest themselves.
const version = "1"

// Agent makes an agent of a method.
type Agent struct {
	Method Method
	// Options are what the user chose; the zero value is the default.
	Options Options
}

// Options are how a method's agent works.
type Options struct {
	Prompts prompts.Set // the built-in ones where it is empty
	// Settings replace the defaults of the method's settings, by name.
	Settings map[string]float64
	// Around wraps the client of the session, or replaces it: cache, record,
	// replay. nil leaves it.
	Around func(llm.Client) llm.Client
	// Replayed says that Around answers all calls, so that no session is needed.
	Replayed bool
}

var (
	_ agents.Modeled    = Agent{}
	_ agents.Identified = Agent{}
)

// Name implements agents.Agent.
func (a Agent) Name() string { return a.Method.About().Name }

// Title describes the agent in a line.
func (a Agent) Title() string { return a.Method.About().Title }

// Solves implements agents.Agent.
func (a Agent) Solves(k tasks.Kind) bool {
	return slices.Contains(a.Method.About().Kinds, k.Name())
}

// Protocol implements agents.Modeled.
func (a Agent) Protocol(provider string) (string, bool) {
	p, ok := protocolOf(provider)
	return map[llm.Protocol]string{llm.ProtocolAnthropic: "messages", llm.ProtocolGemini: "generate", llm.ProtocolOpenAI: "chat"}[p], ok
}

// NeedsModel reports that the agent cannot do without a model.
func (a Agent) NeedsModel() bool { return true }

// Digest implements agents.Identified: the method, its settings, its prompts and
// what else it was given.
func (a Agent) Digest() string {
	about := a.Method.About()
	set, err := a.prompts()
	texts := map[string]string{}
	for _, name := range about.Prompts {
		texts[name] = set.DigestOf(name)
	}
	data, _ := json.Marshal([]any{version, about.Name, a.Settings(), texts, about.Source, err != nil})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Settings are the values of all settings.
func (a Agent) Settings() map[string]float64 {
	out := map[string]float64{}
	for _, s := range a.Method.About().Settings {
		out[s.Name] = s.Default
		if v, ok := a.Options.Settings[s.Name]; ok {
			out[s.Name] = v
		}
	}
	return out
}

func (a Agent) prompts() (prompts.Set, error) {
	if a.Options.Prompts.Empty() {
		return prompts.Load("")
	}
	return a.Options.Prompts, nil
}

// Solve implements agents.Agent.
func (a Agent) Solve(ctx context.Context, w agents.Work) (agents.Outcome, error) {
	began := time.Now()
	d, err := a.desk(ctx, w)
	if err != nil {
		return agents.Outcome{Version: version}, fmt.Errorf("agent %s: %w", a.Name(), err)
	}
	prepared := time.Since(began).Seconds()
	out, err := a.work(ctx, d, w.Limits.Time)
	out.Seconds["prepare"] = prepared
	return out, err
}

// work lets the method work for a time, 0 for any.
func (a Agent) work(ctx context.Context, d *Desk, allowed time.Duration) (agents.Outcome, error) {
	began := time.Now()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if allowed > 0 {
		limited, cancel = context.WithTimeout(ctx, allowed)
	}
	defer cancel()
	patch, err := a.solve(limited, d)
	out := agents.Outcome{Version: version, Seconds: map[string]float64{"run": time.Since(began).Seconds()}}
	out.Patch, out.Journal, out.Steps, out.Files = patch, d.Journal(), d.Calls(), d.Kept()
	var end *EndError
	switch {
	case err == nil:
		out.End = agents.Done
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil:
		out.End = agents.Time
	case errors.As(err, &end):
		out.End, out.Detail = end.End, end.Error()
	case errors.As(err, new(*panicError)):
		out.End, out.Detail = agents.GaveUp, err.Error()
	default:
		return out, fmt.Errorf("agent %s: %w", a.Name(), err)
	}
	return out, nil
}

// panicError is a panic of a method: answers of models may hold what it did not
// foresee, which must not end the whole run.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

func (a Agent) solve(ctx context.Context, d *Desk) (patch string, err error) {
	defer func() {
		if p := recover(); p != nil {
			patch, err = "", &panicError{p, debug.Stack()}
		}
	}()
	return a.Method.Solve(ctx, d)
}

// errNoSession says that the method was given no model.
var errNoSession = errors.New("it needs a model: give one as provider/model")

// desk opens the desk of an attempt.
func (a Agent) desk(ctx context.Context, w agents.Work) (*Desk, error) {
	if w.Session == nil && !a.Options.Replayed {
		return nil, errNoSession
	}
	parts := Parts{Task: viewOf(w.Task, w.Attempt), ModelName: w.Model, Seed: w.Seed, Settings: a.Settings(), Log: w.Log}
	if w.Session != nil {
		s, err := openSession(w.Session, w.Model)
		if err != nil {
			return nil, err
		}
		parts.Model, parts.Requests = s, func() int { return int(s.requests.Load()) }
	}
	if a.Options.Around != nil {
		parts.Model = a.Options.Around(parts.Model)
	}
	set, err := a.prompts()
	if err != nil {
		return nil, err
	}
	parts.Prompts = set.Only(a.Method.About().Prompts...) // the digest has no others
	b, tree, err := openBed(ctx, w.Machine, w.Task)
	if err == nil && a.Method.About().Runs {
		_, err = b.Prepare(ctx)
	}
	parts.Tests, parts.Tree, parts.Tools = b, tree, toolbox{w.Machine}
	return NewDesk(parts), err
}
