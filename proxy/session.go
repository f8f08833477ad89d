// Package proxy connects an agent without network to a provider of models. A
// Session is what one attempt may use: it forwards the calls of the agent with
// the real key, counts tokens and dollars by the provider's own figures, refuses
// a call that a limit does not pay for before it is sent, and records every
// exchange.
package proxy

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"assay/llm"
)

// Upstream is the provider that a session asks.
type Upstream struct {
	Provider string // its name, for messages
	Protocol llm.Protocol
	BaseURL  string
	Key      llm.Key
	// Client sends the requests; nil means one of the proxy's own. Redirects
	// are never followed.
	Client *http.Client
}

// UpstreamOf is the provider that settings were resolved to.
func UpstreamOf(s llm.Settings) Upstream {
	return Upstream{Provider: s.Provider.Name, Protocol: s.Provider.Protocol, BaseURL: s.BaseURL, Key: s.Key}
}

// Options open a session.
type Options struct {
	Upstream Upstream
	// Model is as the provider calls it. Only it may be asked for.
	Model string
	Price llm.Price
	// Seed goes into requests that have none, where the protocol has seeds (see
	// HasSeed); 0 for none.
	Seed int64
	// Limit is in dollars; Tokens counts those of prompts and answers; Calls
	// those that the provider answered. 0 means none.
	Limit         float64
	Tokens, Calls int64
	// Ledger holds the limit of the run; nil means none.
	Ledger *Ledger
	// Record gets one Exchange a line; nil means nowhere. The caller closes it.
	Record io.Writer
	// Observe is called after each exchange, one call at a time.
	Observe func(Totals)
	// Retry tunes how often a provider that is overloaded is asked again.
	Retry llm.RetryOptions
	// Drain is how long the answer to an agent that is gone is still read, so
	// that its cost is known; default 60 s.
	Drain time.Duration
}

// Totals are the sums of a session.
type Totals struct {
	Calls   int64 // that the provider answered, or may have
	Refused int64 // that the proxy refused
	// Prompt includes Cached and CacheWrites; Completion includes Reasoning.
	Prompt, Cached, CacheWrites, Completion, Reasoning int64
	USD                                                float64
	// Estimated says that USD, and the tokens, hold upper bounds of calls whose
	// usage the provider did not report.
	Estimated bool
	Seconds   float64 // in calls, summed
	// End is why the attempt had to end, "" where nothing ended it.
	End   string
	Cause string // a sentence about End
}

// The values of Totals.End.
const (
	EndBudget         = "budget"         // Limit
	EndRunBudget      = "run_budget"     // the ledger's
	EndCalls          = "calls"          // Calls
	EndTokens         = "tokens"         // Tokens
	EndContextWindow  = "context_window" // the last request did not fit the model
	EndRefused        = "refused"        // the model, or a content filter, would not answer
	EndDenied         = "denied"         // the provider takes no call: a wrong or revoked key, an unknown model
	EndInfrastructure = "infrastructure" // the provider failed, or its quota is used up
)

// Session is what one attempt may use. It is safe for concurrent use.
type Session struct {
	o      Options
	key    llm.Key
	client *http.Client
	own    *account
	run    *account
	bounds bounds
	wait   *llm.Backoff
	seed   maphash.Seed

	server  *http.Server
	conns   chan net.Conn
	open    chan struct{} // one element for each connection
	running chan struct{} // one element for each exchange
	large   chan struct{} // one element for each large request
	closing chan struct{}
	spent   chan struct{}
	ctx     context.Context
	cancel  context.CancelFunc
	calls   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	n      int64
	totals Totals
	ended  bool // totals.End is final
	wrong  int  // requests that the provider would not take
	record recorder

	observing sync.Mutex
}

const (
	maxConns   = 128
	maxRunning = 32
	maxHeader  = 64 << 10
	maxRequest = 16 << 20
	// Requests above largeRequest bytes are served maxLarge at a time.
	largeRequest = 1 << 20
	maxLarge     = 2
	slowClient   = 2 * time.Minute
	idleClient   = 15 * time.Minute
	defaultWait  = time.Minute
)

// Open starts a session. A limit in dollars needs a known price.
func Open(o Options) (*Session, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("opening the proxy: %w", err)
	}
	if o.Drain <= 0 {
		o.Drain = defaultWait
	}
	if o.Ledger == nil {
		o.Ledger = NewLedger(0)
	}
	if o.Retry.Rand == nil {
		o.Retry.Rand = mathrand.NewPCG(mathrand.Uint64(), mathrand.Uint64())
	}
	key := make([]byte, 24)
	_, _ = rand.Read(key) // never fails
	s := &Session{
		o: o, key: llm.NewKey("sk-assay-" + hex.EncodeToString(key)), client: clientOf(o.Upstream.Client),
		own: newAccount(o.Limit), run: o.Ledger.account, wait: llm.NewBackoff(o.Retry), seed: maphash.MakeSeed(),
		conns: make(chan net.Conn), open: make(chan struct{}, maxConns), running: make(chan struct{}, maxRunning), large: make(chan struct{}, maxLarge),
		closing: make(chan struct{}), spent: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.record = recorder{w: o.Record, scrub: s.scrub}
	s.server = s.newServer()
	go func() { _ = s.server.Serve(listener{s}) }()
	return s, nil
}

func (o Options) check() error {
	u, err := url.Parse(o.Upstream.BaseURL)
	switch {
	case o.Model == "":
		return errors.New("no model is given")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("the provider's base URL is not of the form https://host/path")
	case !o.Price.Known && (o.Limit != 0 || o.Ledger != nil && o.Ledger.Limit() != 0):
		return fmt.Errorf("no price for %s/%s: add it to the price file, or set no budget", o.Upstream.Provider, o.Model)
	}
	switch o.Upstream.Protocol {
	case llm.ProtocolOpenAI, llm.ProtocolAnthropic, llm.ProtocolGemini:
		return nil
	}
	return fmt.Errorf("the protocol %q is not known", o.Upstream.Protocol)
}

// Key is the key that the agent gets. It is good for this session only.
func (s *Session) Key() string { return s.key.Reveal() }

// Spent is closed when the attempt must end: a limit is reached, or the
// provider refuses for good. Close's Totals have the reason.
func (s *Session) Spent() <-chan struct{} { return s.spent }

// Totals are the sums so far.
func (s *Session) Totals() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.totals
}

// Close ends all connections, reads answers that are on their way to their end
// (at most Options.Drain) and returns the sums. What was still open then is
// counted with the most that it can cost.
func (s *Session) Close() Totals {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.mu.Unlock()
	if first {
		close(s.closing)
		_ = s.server.Close()
	}
	s.calls.Wait()
	s.cancel()
	return s.Totals()
}

// scrub takes the keys out of a text.
func (s *Session) scrub(text string) string {
	return s.key.Scrub(s.o.Upstream.Key.Scrub(text))
}

// end makes the attempt end for good; the first reason counts.
func (s *Session) end(end, cause string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	s.totals.End, s.totals.Cause = end, s.scrub(cause)
	close(s.spent)
}

// over explains why the attempt ended; "" where it did not.
func (s *Session) over() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		return ""
	}
	return s.totals.Cause
}
