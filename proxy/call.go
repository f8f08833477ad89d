package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"assay/llm"
)

// leastAnswer is the shortest answer, in tokens, for which the rest of a limit
// is still used up; what pays for less ends the attempt.
const leastAnswer = 4096

// No model writes more than these; they keep sums within range.
const (
	maxTokens  = 1 << 30
	maxAnswers = 1 << 10
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

// plan is what a call is sent with, and the money that is reserved for it.
type plan struct {
	input    int // tokens at most
	output   int // tokens at most, of all answers
	reserved float64
	body     []byte
	// short is the limit whose rest pays for a shorter answer than the agent
	// asked for, "" where it pays for all.
	short string
}

// plan reserves what the call may cost at most. Where the rest of a limit pays
// for a shorter answer only, that is asked for. why says that a limit is
// reached; an error is the context's.
func (s *Session) plan(ctx context.Context, c *call) (p plan, why *refusal, err error) {
	if why := s.countCall(c); why != nil {
		return plan{}, why, nil
	}
	asked, answers := c.t.wire.wanted(c.q)
	if asked <= 0 {
		asked = s.o.Price.Longest()
	}
	asked, answers = min(asked, maxTokens), min(answers, maxAnswers)
	least := min(asked, leastAnswer) * answers
	p = plan{output: asked * answers}
	if c.t.verb == count {
		p.output, least = 0, 0
	}
	err = s.fund(ctx, c, &p, least)
	var spent *limitError
	if errors.As(err, &spent) {
		return plan{}, s.noRoom(c, spent), nil
	}
	if err != nil {
		return plan{}, nil, err
	}
	e := edit{model: s.o.Model, modern: s.o.Upstream.Provider == "openai", seed: s.seedFor(c.t.wire, c.q)}
	if p.short != "" {
		e.most = max(1, min(p.output, affordable(s.o.Price, c.q, p.input, p.reserved))/answers)
		p.output = e.most * answers
	}
	c.x.OutputLimit = int64(e.most)
	if c.t.verb != count {
		c.x.Seed = e.seed
	}
	body, err := c.edited(e)
	if err != nil {
		s.release(p.reserved, 0)
		return plan{}, &refusal{badRequest, "assay: " + err.Error()}, nil
	}
	p.body = body
	if err := s.announce(c, p.reserved); err != nil {
		s.release(p.reserved, 0)
		s.end(EndInfrastructure, "writing the record: "+err.Error())
		return plan{}, &refusal{spentOut, "assay: the record cannot be written"}, nil
	}
	return p, nil, nil
}

// noRoom ends the attempt whose limit does not pay for a call, unless that only
// counts tokens. Where a try of
// the call was lost, it holds the most that it can cost, so that the connection
// is to blame.
func (s *Session) noRoom(c *call, spent *limitError) *refusal {
	end, cause := spent.end, spent.Error()
	if c.lost != nil && end == EndBudget {
		end = EndInfrastructure
		cause = fmt.Sprintf("%v; the lost request counts with the most that it can cost, and the rest does not pay for another: %s", c.lost, cause)
	}
	if c.t.verb != count {
		s.end(end, cause)
	}
	return &refusal{spentOut, "assay: " + s.scrub(cause)}
}

// fund reserves the money for a call with an answer of at most p.output tokens,
// or at least that for one of least, and sets the plan's input. While a call
// waits for money, answers to others may show that it needs less, and where that
// is not enough the provider is asked how long the request is: it is refused
// only after that.
func (s *Session) fund(ctx context.Context, c *call, p *plan, least int) (err error) {
	for before := math.MaxInt; ; before = p.input {
		if c.t.verb != count {
			p.input = s.bounds.input(c.q)
		}
		want := cost(s.o.Price, c.q, p.input, p.output)
		p.reserved, p.short, err = s.reserve(ctx, want, cost(s.o.Price, c.q, p.input, least))
		spent := errors.As(err, new(*limitError))
		if (spent || p.short != "") && s.countInput(ctx, c) {
			if !spent {
				s.release(p.reserved, 0)
			}
			continue
		}
		if !spent || p.input >= before {
			return err
		}
	}
}

func (c *call) edited(e edit) ([]byte, error) {
	if c.t.verb == count {
		if c.t.wire.protocol() == "generate" {
			return c.q.body.bytes(), nil
		}
		out, err := c.q.body.set("model", e.model)
		return out.bytes(), err
	}
	out, err := c.t.wire.edited(c.q, e)
	return out.bytes(), err
}

// countCall counts the call, once, where the limits that need no reservation
// allow it.
func (s *Session) countCall(c *call) *refusal {
	if c.t.verb == count {
		return nil
	}
	s.mu.Lock()
	end, cause := "", s.totals.Cause
	switch t := &s.totals; {
	case s.ended:
		end = t.End
	case c.counted:
	case s.o.Calls > 0 && t.Calls >= s.o.Calls:
		end, cause = EndCalls, fmt.Sprintf("the attempt has made its %d calls", s.o.Calls)
	case s.o.Tokens > 0 && t.Prompt+t.Completion >= s.o.Tokens:
		end, cause = EndTokens, fmt.Sprintf("the attempt has used its %d tokens", s.o.Tokens)
	default:
		c.counted = true
		t.Calls++
	}
	s.mu.Unlock()
	if end == "" {
		return nil
	}
	s.end(end, cause)
	return &refusal{spentOut, "assay: " + cause}
}

// limitError names which limit is reached.
type limitError struct {
	end, text string
}

func (e *limitError) Error() string { return e.text }

// reserve takes the money from the attempt's limit and the run's. short names
// the one that gave less than wanted.
func (s *Session) reserve(ctx context.Context, want, least float64) (granted float64, short string, err error) {
	own, err := s.own.reserve(ctx, want, least)
	if errors.Is(err, errNoRoom) {
		return 0, "", &limitError{EndBudget, fmt.Sprintf("budget spent: the attempt has spent $%.4f of $%.4f, and the next call may cost $%.4f", s.own.total(), s.own.limit, least)}
	}
	if err != nil {
		return 0, "", err
	}
	granted, err = s.run.reserve(ctx, own, min(own, least))
	if err != nil {
		s.own.settle(own, 0)
		if errors.Is(err, errNoRoom) {
			err = &limitError{EndRunBudget, fmt.Sprintf("budget spent: the run has spent $%.4f of $%.4f, and the next call may cost $%.4f", s.run.total(), s.run.limit, least)}
		}
		return 0, "", err
	}
	s.own.shrink(own - granted)
	switch {
	case granted < own:
		short = EndRunBudget
	case own < want:
		short = EndBudget
	}
	return granted, short, nil
}

func (s *Session) release(reserved, spent float64) {
	s.own.settle(reserved, spent)
	s.run.settle(reserved, spent)
}

// outcome is the result of asking once.
type outcome struct {
	status   int
	answer   json.RawMessage
	usage    llm.Usage
	known    bool    // usage is the provider's, of the whole call
	lost     bool    // it may cost something although the usage is not known
	said     float64 // dollars, by providers that say it (OpenRouter)
	declined string
	cut      bool // by the limit of tokens
	err      *llm.Error
	final    bool // err is not to be retried, whatever its class
	told     bool // the stream that was passed on holds err
	head     http.Header
	body     []byte // of an error
}

// settle replaces the reservation by what the call cost.
func (c *call) settle(p plan, o outcome) {
	usd, used := 0.0, o.usage
	switch {
	case c.t.verb == count:
	case o.known:
		usd = c.s.o.Price.Cost(used)
		if !c.s.o.Price.Known {
			usd = o.said
		}
		c.s.bounds.learn(c.q, used.Input)
	case o.lost && used.Input > 0: // a stream that broke off
		used.Output = max(used.Output, p.output)
		usd = min(p.reserved, c.s.o.Price.Cost(used))
		c.x.Estimated = true
	case o.lost:
		used = llm.Usage{Input: p.input, Output: p.output}
		usd = p.reserved
		c.x.Estimated = true
	}
	c.s.release(p.reserved, usd)
	c.x.USD += usd
	c.x.Usage.add(used)
}

func (u *Usage) add(more llm.Usage) {
	u.Prompt += int64(more.Input)
	u.Cached += int64(more.CachedInput)
	u.CacheWrites += int64(more.CacheWrites)
	u.CacheWritesHour += int64(more.CacheWritesHour)
	u.Completion += int64(more.Output)
	u.Reasoning += int64(more.Reasoning)
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

// write writes the exchange down and says how the attempt ends where it was
// its last.
func (c *call) write(p plan, o outcome) {
	c.x.Status, c.x.Response = o.status, o.answer
	end, cause, final := "", "", false
	switch {
	case o.err != nil:
		c.x.Error = c.s.scrub(o.err.Error())
		if !c.left() && c.t.verb != count {
			end, final = endOf(o.err), stops(o.err)
		}
		if end != "" {
			cause = c.x.Error
		}
	case o.declined != "":
		end, cause = EndRefused, o.declined
	case o.cut && p.short != "":
		end, cause = p.short, fmt.Sprintf("what was left of the budget paid for an answer of %d tokens only, which was cut there", p.output)
	}
	if final {
		c.s.end(end, cause)
	}
	c.s.finished(c, end, cause)
	if o.err != nil && o.err.Class == llm.Invalid && c.s.manyWrong() {
		c.s.slow()
	}
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

// endOf is how an attempt ends whose last call failed.
func endOf(e *llm.Error) string {
	switch e.Class {
	case llm.Authentication, llm.NotFound:
		return EndDenied
	case llm.Refused:
		return EndRefused
	case llm.TooLong:
		return EndContextWindow
	case llm.Invalid:
		return ""
	}
	return EndInfrastructure
}

// stops reports whether an error is one after which no other call can succeed.
func stops(e *llm.Error) bool {
	return e.Class != llm.Refused && e.Class != llm.TooLong && e.Class != llm.Invalid
}

// passError gives the provider's error to the agent; where there is none, one
// that makes it stop, or go on without a count of tokens.
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
