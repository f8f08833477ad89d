package attempts

import (
	"io"

	"assay/agents"
)

// Session is what one try may use of a model.
type Session interface {
	agents.Session
	// Close ends all calls and returns what they came to.
	Close() Totals
}

// SessionOptions are what a session is opened with.
type SessionOptions struct {
	// Limit is what the try may spend, in dollars; 0 for no limit.
	Limit float64
	// Seed goes into the calls of the model; 0 for none.
	Seed int64
	// Record takes a line for each call: see docs/agents.md.
	Record io.Writer
	// Observe is called after each call with the figures so far.
	Observe func(Totals)
}

// Totals are what a session's calls came to.
type Totals struct {
	Calls, Input, Cached, Output int // tokens; Cached is a part of Input
	USD                          float64
	Estimated                    bool // a part of USD is an upper bound
	// End is why the session refused to continue, or what its last call ended with;
	// empty after an answer.
	End   SessionEnd
	Cause string // one sentence for people
}

// SessionEnd is why a session refuses to continue, or why its last call had no
// answer.
type SessionEnd string

// The ends of a session.
const (
	OverBudget    SessionEnd = "budget"
	OverRunBudget SessionEnd = "run_budget"
	OverCalls     SessionEnd = "calls"
	OverTokens    SessionEnd = "tokens"
	OverContext   SessionEnd = "context_window"
	RefusedCalls  SessionEnd = "refused"        // by the model, or by a filter of the provider's
	Denied        SessionEnd = "denied"         // by the provider: a wrong key, or a model that it does not have
	Unreachable   SessionEnd = "infrastructure" // the provider, or rate limited for good
)
