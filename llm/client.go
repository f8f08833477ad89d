// Package llm talks to language models. Providers are in sub-packages
// (gemini, openai, anthropic), each around the provider's own SDK; retry,
// rate limit, cache, budget, log and replay are decorators over the one
// method of Client.
package llm

import (
	"context"
	"time"
)

// Client answers a request. Implementations are safe for concurrent use. An
// error wraps *Error, which describes what kind of failure it was, or the
// context's error.
type Client interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// Request is one call of a model.
type Request struct {
	// Model is provider/model ("gemini/gemini-2.5-flash"); providers get it
	// without the first part.
	Model    string
	System   string
	Messages []Message
	// Temperature and Seed continue the wire when set.
	Temperature *float64
	Seed        *int64
	// MaxTokens bounds the answer; 0 means the provider's default.
	MaxTokens int
	// Sample distinguishes repeated samples of one request in the cache.
	Sample int
	// Purpose labels the call in the log, the budget and errors
	// ("review/<instance>"); it is not sent and no part of the cache's key.
	Purpose string
}

// Message is one turn.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Role is who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Response is a model's answer.
type Response struct {
	Text string
	// Stop explains why the answer ended. A text cut by the token limit is an
	// answer (StopLength), a refusal is an *Error.
	Stop    Stop
	Usage   Usage
	Model   string // as the provider names what answered
	Latency time.Duration
	CostUSD float64 // 0 where Priced is false
	Priced  bool
	Cached  bool // came from the cache or a recording: it cost nothing now
}

// Stop is why an answer ended.
type Stop string

// The ends of an answer.
const (
	StopEnd    Stop = "end"
	StopLength Stop = "length"
)

// Usage counts tokens. Input includes CachedInput and CacheWrites, which
// includes CacheWritesHour; Output includes Reasoning.
type Usage struct {
	Input           int `json:"input"`
	CachedInput     int `json:"cached_input,omitempty"`
	CacheWrites     int `json:"cache_writes,omitempty"`      // stored in the provider's prompt cache
	CacheWritesHour int `json:"cache_writes_hour,omitempty"` // stored there for an hour instead of minutes
	Output          int `json:"output"`
	Reasoning       int `json:"reasoning,omitempty"`
}
