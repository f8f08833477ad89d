package proxy

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// Exchange is one request of the agent and its result: a line of a session's
// record. Requests are as the agent sent them. The answer to a stream is what
// the provider would have sent without one. Keys are never part of it.
type Exchange struct {
	At time.Time `json:"at"` // when the request came, UTC
	// Error is what the provider said instead of an answer.
	Error string `json:"error"`
	// Estimated says that USD is an upper bound, since the provider did not
	// report the usage.
	Estimated bool   `json:"estimated"`
	Model     string `json:"model"` // that was asked
	// N counts the exchanges of a session from 1 in the order in which they
	// began; lines are in the order in which they ended.
	N int64 `json:"n"`
	// OutputLimit is how many tokens the answer could have, where the rest of a
	// limit paid for fewer than the agent asked for.
	OutputLimit int64  `json:"output_limit,omitempty"`
	Path        string `json:"path"`
	Protocol    string `json:"protocol"` // chat, responses, messages or generate
	// Refused is why the proxy did not forward it, "" where it did.
	Refused  string          `json:"refused"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
	Retries  int             `json:"retries"` // how often the provider was asked again
	Seconds  float64         `json:"seconds"`
	// Seed is the one that the proxy put into the request.
	Seed   int64   `json:"seed,omitempty"`
	Status int     `json:"status"` // that the agent got; 0 where it was gone
	Stream bool    `json:"stream"`
	Usage  Usage   `json:"usage"`
	USD    float64 `json:"usd"`
}

// Usage counts the tokens of an exchange. Prompt includes Cached and
// CacheWrites; Completion includes Reasoning.
type Usage struct {
	CacheWrites     int64 `json:"cache_writes"`
	CacheWritesHour int64 `json:"cache_writes_hour,omitempty"`
	Cached          int64 `json:"cached"`
	Completion      int64 `json:"completion"`
	Prompt          int64 `json:"prompt"`
	Reasoning       int64 `json:"reasoning"`
}

// Reserved is a line of the record that is written before a request is sent, so
// that its cost is known if the process dies before it writes the exchange. The
// exchange with the same N replaces it; of several the last one counts.
type Reserved struct {
	At          time.Time `json:"at"`
	N           int64     `json:"n"`
	ReservedUSD float64   `json:"reserved_usd"`
}

// An agent can send as many requests as it likes, so what it makes this machine
// write is bounded. Refused exchanges are written with the request where that
// is short, without after manyRefused, and not at all after allRefused. Past
// maxRecord bytes all lines go without request and response, and without the
// words of refusals and errors.
const (
	manyRefused  = 100
	allRefused   = 1000
	shortRefused = 64 << 10
	maxRecord    = 256 << 20
)

// recorder writes lines; the session's lock guards it.
type recorder struct {
	w       io.Writer
	scrub   func(string) string
	written int
	err     error
}

// exchange writes one down.
func (r *recorder) exchange(x *Exchange) {
	if r.written+len(x.Request)+len(x.Response)+len(x.Refused)+len(x.Error) > maxRecord {
		x.Request, x.Response = nil, nil
		x.Refused, x.Error = emptied(x.Refused), emptied(x.Error)
	}
	r.write(x)
}

// emptied keeps that there was a text, since calls are counted by that.
func emptied(text string) string {
	if text == "" {
		return ""
	}
	return "left out: the record is full"
}

// write writes one line by one call.
func (r *recorder) write(entry any) {
	if r.w == nil || r.err != nil {
		return
	}
	line, err := json.Marshal(entry)
	if err == nil {
		var b bytes.Buffer
		b.WriteString(r.scrub(string(line)))
		b.WriteByte('\n')
		_, err = r.w.Write(b.Bytes())
		r.written += b.Len()
	}
	r.err = err
}

// refused counts and writes a refusal.
func (s *Session) refused(x *Exchange) {
	s.mu.Lock()
	s.n++
	x.N = s.n
	s.totals.Refused++
	x.Seconds = time.Since(x.At).Seconds()
	if s.totals.Refused > manyRefused || len(x.Request) > shortRefused {
		x.Request = nil
	}
	if s.totals.Refused <= allRefused {
		s.record.exchange(x)
	}
	many := s.totals.Refused > manyRefused
	s.mu.Unlock()
	if many {
		s.slow()
	}
}

// manyWrong counts a request that the provider would not take.
func (s *Session) manyWrong() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong++
	return s.wrong > manyRefused
}

// slow delays an agent that was refused often, so that it does not keep this
// machine busy.
func (s *Session) slow() {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-s.closing:
	}
}

// finished counts and writes an exchange that was forwarded. A count of tokens
// says nothing about how the attempt ends.
func (s *Session) finished(c *call, end, cause string) {
	x := c.x
	s.mu.Lock()
	x.Seconds = time.Since(x.At).Seconds()
	s.totals.add(x)
	if !s.ended && c.t.verb != count {
		s.totals.End, s.totals.Cause = end, s.scrub(cause)
	}
	s.record.exchange(x)
	now, err := s.totals, s.record.err
	s.mu.Unlock()
	if err != nil {
		s.end(EndInfrastructure, "writing the record: "+err.Error())
	}
	s.observe(now)
}

func (s *Session) observe(t Totals) {
	if s.o.Observe == nil {
		return
	}
	s.observing.Lock()
	defer s.observing.Unlock()
	s.o.Observe(t)
}

// unsent writes an exchange down that was not forwarded after all.
func (s *Session) unsent(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.counted && c.x.Retries == 0 {
		s.totals.Calls--
	}
	s.totals.Refused++
	c.x.Seconds = time.Since(c.x.At).Seconds()
	s.totals.add(c.x) // of earlier tries
	s.record.exchange(c.x)
}

func (t *Totals) add(x *Exchange) {
	t.Prompt += x.Usage.Prompt
	t.Cached += x.Usage.Cached
	t.CacheWrites += x.Usage.CacheWrites
	t.Completion += x.Usage.Completion
	t.Reasoning += x.Usage.Reasoning
	t.USD += x.USD
	t.Estimated = t.Estimated || x.Estimated
	t.Seconds += x.Seconds
}

// announce writes down what a call may cost before it is sent; an error means
// that it must not be.
func (s *Session) announce(c *call, usd float64) error {
	s.mu.Lock()
	s.record.write(Reserved{At: time.Now().UTC(), N: c.x.N, ReservedUSD: c.x.USD + usd})
	err := s.record.err
	s.mu.Unlock()
	return err
}
