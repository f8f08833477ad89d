package llm

import (
	"fmt"
	"time"
)

// Class is the kind of failure of a call; it decides whether a retry makes
// sense.
type Class string

// The classes.
const (
	RateLimited    Class = "rate_limited"    // too many requests: wait and retry
	Overloaded     Class = "overloaded"      // 5xx, server busy
	Network        Class = "network"         // connection refused, reset, cut, timed out
	Malformed      Class = "malformed"       // an answer that could not be read
	Authentication Class = "authentication"  // no key, wrong key, not allowed
	Quota          Class = "quota"           // paid usage is used up
	NotFound       Class = "model_not_found" // no such model
	TooLong        Class = "context_window"  // the request does not fit the model
	Invalid        Class = "invalid_request" // the request is wrong
	Refused        Class = "refused"         // the model or its filter would not answer
	OverBudget     Class = "over_budget"     // our own budget stops the call
	Unpriced       Class = "unpriced"        // a budget is set and the model's price is not known
)

// Error is the failure of one call.
type Error struct {
	Class    Class
	Provider string
	Status   int // HTTP status; 0 when there was none
	// RetryAfter is what the server asked for; 0 when it did not.
	RetryAfter time.Duration
	// Sent says that the model may have been run, and billed, although there
	// is no answer to use.
	Sent bool
	// Usage is what a call without a usable answer is known to have used.
	Usage Usage
	// CostUSD is what Budget counted for it, which is at least what it cost.
	CostUSD float64
	// Err never holds a key or a URL that carries one.
	Err error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s: %s (HTTP %d): %v", e.Provider, e.Class, e.Status, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Provider, e.Class, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same call may succeed later: never for
// authentication, refusal, quota, budget or a wrong request.
func (e *Error) Retryable() bool {
	switch e.Class {
	case RateLimited, Overloaded, Network, Malformed:
		return true
	}
	return false
}
