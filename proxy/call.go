package proxy

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// call is one exchange under way.
type call struct {
	s         *Session
	t         target
	q         *query
	x         *Exchange
	header    http.Header // to the provider
	reply     *reply
	counted   bool  // in Totals.Calls
	measured  bool  // the provider was asked how long the request is
	passed    bool  // bytes of the answer went to the agent
	concluded bool  // what it cost is settled, and the exchange written down
	lost      error // of the last try that may have cost something without an answer
}

// start runs the exchange on its own goroutine; false when the session is
// closed.
func (s *Session) start(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.n++
	c.x.N = s.n
	s.calls.Add(1)
	go func() {
		defer s.calls.Done()
		defer close(c.reply.parts)
		defer c.q.release()
		c.run()
	}()
	return true
}

// run forwards the request and settles what it cost.
func (c *call) run() {
	ctx, cancel := context.WithCancel(c.s.ctx)
	defer cancel()
	here, left := context.WithCancel(ctx) // ends when the agent is gone, too
	defer left()
	go func() {
		select {
		case <-c.reply.gone:
			left()
			c.drain(ctx, cancel)
		case <-ctx.Done():
		}
	}()
	select {
	case c.s.running <- struct{}{}:
		defer func() { <-c.s.running }()
	case <-here.Done():
		c.abandoned()
		return
	}
	c.attempts(ctx, here)
}

// drain cuts the provider off when it takes too long for an agent that is gone.
func (c *call) drain(ctx context.Context, cancel context.CancelFunc) {
	timer := time.NewTimer(c.s.o.Drain)
	defer timer.Stop()
	select {
	case <-timer.C:
		cancel()
	case <-ctx.Done():
	}
}

// attempts asks the provider until it answers or a retry makes no sense.
func (c *call) attempts(ctx, here context.Context) {
	for n := 0; ; n++ {
		p, why, err := c.s.plan(here, c)
		if err != nil {
			c.abandoned()
			return
		}
		if why != nil {
			c.turnedDown(*why)
			return
		}
		o := c.ask(ctx, p)
		if c.concluded {
			return
		}
		c.settle(p, o)
		if o.err != nil && o.lost && !o.known {
			c.lost = o.err
		}
		if o.err != nil && o.err.Retryable() && !c.passed && !o.final {
			if again, err := c.s.wait.Wait(here, n, o.err); err == nil && again {
				c.x.Retries++
				continue
			}
		}
		c.write(p, o)
		if o.err != nil {
			c.passError(o)
		}
		return
	}
}

// conclude settles and writes a call down whose answer is about to be passed
// on, so that the agent's next one finds it counted.
func (c *call) conclude(p plan, o outcome) {
	c.settle(p, o)
	c.write(p, o)
	c.concluded = true
}

// turnedDown answers a call that was not sent.
func (c *call) turnedDown(why refusal) {
	status, body, message := why.failure(c.t.wire)
	c.x.Status, c.x.Refused = status, message
	c.s.unsent(c)
	c.reply.send(part{status: status, header: jsonHeader(), data: encode(body)})
}

func jsonHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }

func encode(body any) []byte {
	data, err := json.Marshal(body)
	if err != nil {
		return []byte(`{}`) // cannot be: maps of texts
	}
	return data
}

// abandoned ends a call whose agent is gone before anything was sent.
func (c *call) abandoned() {
	c.x.Refused = "the agent was gone before the request was sent"
	if c.x.Retries > 0 {
		c.x.Refused += " again"
	}
	c.s.unsent(c)
}

// left reports whether the agent is gone: what fails then may have failed
// because of that.
func (c *call) left() bool {
	select {
	case <-c.reply.gone:
		return true
	default:
		return false
	}
}

// passError gives the provider's error to the agent. If there is none, it gives
// an error that makes the agent stop, or continue without a count of tokens.
func (c *call) passError(o outcome) {
	switch {
	case c.passed && o.told:
	case c.passed:
		c.reply.send(part{broken: true})
	case len(o.body) > 0 && o.status != 0:
		c.reply.send(part{status: o.status, header: o.head, data: []byte(c.s.scrub(string(o.body)))})
	default:
		kind := spentOut
		if c.t.verb == count {
			kind = badRequest
		}
		status, body := c.t.wire.failure(kind, "assay: "+c.x.Error)
		c.reply.send(part{status: status, header: jsonHeader(), data: encode(body)})
	}
}
