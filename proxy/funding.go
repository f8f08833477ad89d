package proxy

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// leastAnswer is the shortest answer, in tokens, for which the rest of a limit
// is still used up; what pays for less ends the attempt.
const leastAnswer = 4096

// No model writes more than these; they keep sums within range.
const (
	maxTokens  = 1 << 30
	maxAnswers = 1 << 10
)

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
// counts tokens. If a try of the call was lost, it counts with the most that it
// can cost; the end is then a failure of the infrastructure.
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
