package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"assay/llm"
)

// stream passes on the events of an answer as they come, and puts them
// together. An error that comes before anything else is one of the call, which
// can be retried.
func (c *call) stream(pl plan, res *http.Response, r io.Reader) outcome {
	if c.t.array {
		return c.streamArray(pl, res, r)
	}
	p := &passing{c: c, plan: pl, res: res, together: c.t.wire.assemble(), hide: c.hides()}
	in := newEvents(io.LimitReader(r, maxAnswer))
	for {
		ev, err := in.next()
		if err != nil {
			return p.end(err)
		}
		if o := p.event(ev); o != nil {
			return *o
		}
	}
}

// hides reports whether the proxy asked for events that the agent did not.
func (c *call) hides() bool { return c.t.wire.protocol() == "chat" && !asksUsage(c.q) }

// passing is a stream on its way.
type passing struct {
	c        *call
	plan     plan
	res      *http.Response
	together assembler
	hide     bool
	held     []byte // comments before the first event
}

// event passes one on. It returns an outcome for an error before any other.
func (p *passing) event(ev event) *outcome {
	hide := false
	if len(ev.data) > 0 {
		hide = p.together.add(ev)
	}
	if e := p.together.failed(); e != nil && !p.c.passed {
		o := p.c.streamError(e)
		return &o
	}
	if !p.c.concluded && p.together.complete() {
		p.c.conclude(p.plan, p.end(io.EOF))
	}
	if hide && p.hide {
		return nil
	}
	if !p.c.passed && len(ev.data) == 0 {
		p.held = append(p.held, ev.raw...)
		return nil
	}
	p.pass(ev.raw)
	return nil
}

// pass sends bytes, after the head of the answer.
func (p *passing) pass(raw []byte) {
	if !p.c.passed {
		p.c.passed = true
		p.c.reply.send(part{status: p.res.StatusCode, header: downHeader(p.res.Header)})
		raw = append(p.held, raw...)
	}
	p.c.sendScrubbed(part{data: raw})
}

// end judges the stream when it has ended.
func (p *passing) end(err error) outcome {
	answer, done := p.together.answer()
	o := p.c.judged(answer, done)
	o.status = p.res.StatusCode
	if raw, merr := json.Marshal(answer); merr == nil && len(answer) > 0 {
		o.answer = raw
	}
	switch {
	case p.together.failed() != nil:
		o.err, o.final, o.told = p.c.streamError(p.together.failed()).err, true, true
	case done: // what breaks after that does not matter
	case !errors.Is(err, io.EOF):
		o.err = p.c.failed(llm.Network, fmt.Errorf("the answer broke off: %w", err))
	case !p.c.passed:
		o.err = p.c.failed(llm.Malformed, errors.New("the stream holds no event"))
	default:
		o.err = p.c.failed(llm.Network, errors.New("the stream ended before the answer did"))
	}
	return o
}

// streamError is an error that came as an event.
func (c *call) streamError(body []byte) outcome {
	e := llm.Classify(http.StatusOK, http.Header{}, body)
	e.Provider = c.s.o.Upstream.Provider
	status := http.StatusServiceUnavailable
	if !e.Retryable() {
		status = http.StatusBadRequest
	}
	return outcome{status: status, err: e, body: bytes.Clone(body), head: jsonHeader()}
}

// streamArray passes on a stream that is one JSON list, which Gemini sends
// without alt=sse, one element after the other: a key may come in two pieces.
func (c *call) streamArray(pl plan, res *http.Response, r io.Reader) outcome {
	p := &passing{c: c, plan: pl, res: res, together: c.t.wire.assemble()}
	in := &elements{}
	tee := io.TeeReader(io.LimitReader(r, maxAnswer), &in.waiting)
	in.list = json.NewDecoder(tee)
	if _, err := in.list.Token(); err != nil {
		return p.end(err)
	}
	for in.list.More() {
		ev, err := in.next()
		if err != nil {
			return p.end(err)
		}
		if o := p.event(ev); o != nil {
			return *o
		}
	}
	if _, err := in.list.Token(); err != nil {
		return p.end(err)
	}
	if _, err := io.Copy(io.Discard, tee); err != nil {
		return p.end(err)
	}
	p.pass(in.waiting.Bytes())
	return p.end(io.EOF)
}

// elements reads a list that is one document.
type elements struct {
	list    *json.Decoder
	waiting bytes.Buffer // what was read and not returned
	taken   int64        // bytes that were returned
}

// next returns an element, with what is before it.
func (e *elements) next() (event, error) {
	var one json.RawMessage
	if err := e.list.Decode(&one); err != nil {
		return event{}, err
	}
	n := e.list.InputOffset() - e.taken
	e.taken += n
	return event{data: one, raw: bytes.Clone(e.waiting.Next(int(n)))}, nil
}
