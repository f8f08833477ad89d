package proxy

import (
	"encoding/json"
	"fmt"
	"net/http"

	"assay/llm"
)

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
	final    bool // err is not to be retried, regardless of its class
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

// write records the exchange, and how the attempt ends if the exchange was its
// last.
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
