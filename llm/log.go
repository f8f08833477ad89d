package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// LogOptions tune Log.
type LogOptions struct {
	// Prompts writes prompts, answers and error messages too, which may hold
	// the benchmark's hidden parts.
	Prompts bool
	// Now is the clock; default time.Now.
	Now func() time.Time
	// OnError is called with the error of lines that could not be written;
	// nil ignores it.
	OnError func(error)
}

// LogEntry is one line of the log. Keys are never part of it.
type LogEntry struct {
	Time     time.Time `json:"time"` // when the call began, UTC
	Purpose  string    `json:"purpose,omitempty"`
	Model    string    `json:"model"`
	Answered string    `json:"answered_by,omitempty"` // as the provider names it
	Sample   int       `json:"sample,omitempty"`
	Usage    Usage     `json:"usage"`
	// CostUSD is what was counted, for calls without an answer too.
	CostUSD     float64   `json:"cost_usd"`
	Priced      bool      `json:"priced"`
	Cached      bool      `json:"cached"`
	LatencyMS   int64     `json:"latency_ms"`
	Stop        Stop      `json:"stop,omitempty"`
	ErrorClass  Class     `json:"error_class,omitempty"` // "context" when the call was called off
	Status      int       `json:"status,omitempty"`
	Error       string    `json:"error,omitempty"` // with Prompts only
	System      string    `json:"system,omitempty"`
	Messages    []Message `json:"messages,omitempty"`
	Answer      string    `json:"answer,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	Seed        *int64    `json:"seed,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
}

// Log writes one JSON line to w for each call that ends, whole lines also from
// many goroutines. Outermost it sees what the caller asked for, below Retry
// every attempt.
func Log(next Client, w io.Writer, opts LogOptions) Client {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &logged{next: next, w: w, opts: opts}
}

type logged struct {
	next Client
	opts LogOptions

	mu sync.Mutex
	w  io.Writer
}

func (l *logged) Complete(ctx context.Context, req Request) (Response, error) {
	start := l.opts.Now()
	res, err := l.next.Complete(ctx, req)
	entry := LogEntry{
		Time: start.UTC(), Purpose: req.Purpose, Model: req.Model, Sample: req.Sample, LatencyMS: l.opts.Now().Sub(start).Milliseconds(),
		Temperature: req.Temperature, Seed: req.Seed, MaxTokens: req.MaxTokens,
		Answered: res.Model, Usage: res.Usage, CostUSD: res.CostUSD, Priced: res.Priced, Cached: res.Cached, Stop: res.Stop,
	}
	if l.opts.Prompts {
		entry.System, entry.Messages, entry.Answer = req.System, req.Messages, res.Text
	}
	l.explain(&entry, err)
	if werr := l.write(entry); werr != nil && l.opts.OnError != nil {
		l.opts.OnError(werr)
	}
	return res, err
}

func (l *logged) explain(entry *LogEntry, err error) {
	if err == nil {
		return
	}
	entry.ErrorClass = "other"
	var e *Error
	if errors.As(err, &e) {
		entry.ErrorClass, entry.Status, entry.Usage = e.Class, e.Status, e.Usage
		entry.CostUSD, entry.Priced = e.CostUSD, e.CostUSD > 0
	} else if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		entry.ErrorClass = "context"
	}
	if l.opts.Prompts {
		entry.Error = err.Error()
	}
}

func (l *logged) write(entry LogEntry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("logging a call: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("logging a call: %w", err)
	}
	return nil
}
