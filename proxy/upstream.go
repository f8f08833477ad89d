package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"assay/internal/decoded"

	"assay/llm"
)

const (
	maxAnswer = 64 << 20 // bytes of one answer
	maxError  = 1 << 20
	// silence is how long a provider may send nothing.
	silence = 10 * time.Minute
	// idleUpstream is how long a connection to the provider is kept unused.
	idleUpstream = 15 * time.Second
)

// clientOf copies the client, so that it follows no redirects, which would
// carry the key elsewhere.
//
// A provider closes idle connections, too. A request that is lost with one may
// have been worked on and costs its reservation, so idle ones are closed first.
func clientOf(given *http.Client) *http.Client {
	out := &http.Client{}
	if given != nil {
		*out = *given
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		own := t.Clone()
		own.MaxIdleConnsPerHost = maxRunning
		own.IdleConnTimeout = idleUpstream
		out.Transport = own
	}
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return out
}

// upHeader is what the provider gets: nothing of the agent's but what changes
// the meaning of the body.
func upHeader(in http.Header, o Options) http.Header {
	out := http.Header{}
	out.Set("Content-Type", "application/json")
	out.Set("Accept-Encoding", "identity")
	out.Set("User-Agent", "assay")
	key := o.Upstream.Key
	switch o.Upstream.Protocol {
	case llm.ProtocolAnthropic:
		out.Set("Anthropic-Version", "2023-06-01")
		if v := in.Get("Anthropic-Version"); v != "" {
			out.Set("Anthropic-Version", v)
		}
		if names := betas(in.Values("Anthropic-Beta"), o.Price); names != "" {
			out.Set("Anthropic-Beta", names)
		}
		if key.Set() {
			out.Set("X-Api-Key", key.Reveal())
		}
	case llm.ProtocolGemini:
		if key.Set() {
			out.Set("X-Goog-Api-Key", key.Reveal())
		}
	default:
		if key.Set() {
			out.Set("Authorization", "Bearer "+key.Reveal())
		}
	}
	return out
}

// betas leaves out those that change what a token costs.
func betas(values []string, p llm.Price) string {
	var out []string
	for _, name := range strings.Split(strings.Join(values, ","), ",") {
		name = strings.TrimSpace(name)
		long := strings.HasPrefix(name, "context-1m") && p.AboveTokens == 0
		if name == "" || long || strings.HasPrefix(name, "fast-mode") {
			continue
		}
		out = append(out, name)
	}
	return strings.Join(out, ",")
}

// ask sends the request once and passes the answer on.
func (c *call) ask(ctx context.Context, p plan) outcome {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) { sent.Store(i.Err == nil) }}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodPost, c.s.address(c.t.up), bytes.NewReader(p.body))
	if err != nil {
		return outcome{err: c.failed(llm.Invalid, err)}
	}
	req.Header = c.header.Clone()
	quiet := time.AfterFunc(silence, cancel)
	defer quiet.Stop()
	res, err := c.s.client.Do(req)
	if err != nil {
		return outcome{lost: sent.Load(), err: c.failed(llm.Network, err)}
	}
	defer func() { _ = res.Body.Close() }()
	body := &watched{res.Body, quiet}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return c.rejected(res, body)
	}
	if c.q.stream && c.t.verb == complete {
		return c.stream(p, res, body)
	}
	return c.whole(p, res, body)
}

// watched restarts the timer that ends a silent answer whenever data arrives.
type watched struct {
	io.Reader
	quiet *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.quiet.Reset(silence)
	}
	return n, err
}

// failed makes an error of one of Go's, without the URL.
func (c *call) failed(class llm.Class, err error) *llm.Error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &llm.Error{Class: class, Provider: c.s.o.Upstream.Provider, Err: errors.New(c.s.scrub(err.Error()))}
}

// rejected reads an answer with an error status. Nothing is billed for it.
func (c *call) rejected(res *http.Response, r io.Reader) outcome {
	body, err := io.ReadAll(io.LimitReader(r, maxError))
	if err != nil {
		body = nil // half a message may end in half a key
	}
	e := llm.Classify(res.StatusCode, res.Header, body)
	e.Provider = c.s.o.Upstream.Provider
	if res.StatusCode < 400 {
		e.Class = llm.Invalid
		e.Err = errors.New("the provider sends the request elsewhere, which is not followed")
	}
	return outcome{status: res.StatusCode, err: e, body: body, head: downHeader(res.Header), final: res.Header.Get("x-should-retry") == "false"}
}

// downHeader is what the agent gets of the provider's headers: nothing that
// names the account.
func downHeader(in http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Content-Type", "Retry-After", "Retry-After-Ms", "X-Should-Retry", "Request-Id", "X-Request-Id"} {
		if v := in.Get(name); v != "" {
			out.Set(name, v)
		}
	}
	return out
}

// whole passes on an answer without a stream.
func (c *call) whole(p plan, res *http.Response, r io.Reader) outcome {
	body, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	if err != nil {
		return outcome{status: res.StatusCode, lost: true, err: c.failed(llm.Network, fmt.Errorf("the answer broke off: %w", err))}
	}
	answer := decode(body)
	if answer == nil {
		return outcome{status: res.StatusCode, lost: true, err: c.failed(llm.Malformed, fmt.Errorf("the answer is not a JSON object (%d bytes)", len(body)))}
	}
	if answer["error"] != nil && answer["output"] == nil { // OpenRouter sends errors with a good status
		e := llm.Classify(res.StatusCode, res.Header, body)
		e.Provider = c.s.o.Upstream.Provider
		return outcome{status: 502, err: e, body: body, head: downHeader(res.Header)}
	}
	o := c.judged(answer, true)
	o.status, o.answer = res.StatusCode, compact(body)
	c.conclude(p, o)
	c.sendScrubbed(part{status: res.StatusCode, header: downHeader(res.Header), data: body})
	return o
}

// judged reads what an answer says about itself.
func (c *call) judged(answer map[string]any, done bool) outcome {
	usage, known := c.t.wire.usage(answer)
	said, _ := decoded.Object(answer["usage"])["cost"].(float64)
	return outcome{usage: usage, known: known && done, lost: true, said: max(0, said), declined: c.t.wire.declined(answer), cut: c.t.wire.cut(answer)}
}

func compact(body []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return nil
	}
	return b.Bytes()
}

// sendScrubbed sends without the provider's key.
func (c *call) sendScrubbed(p part) {
	if key := c.s.o.Upstream.Key.Reveal(); len(key) >= 8 && bytes.Contains(p.data, []byte(key[:8])) {
		p.data = []byte(c.s.o.Upstream.Key.Scrub(string(p.data)))
	}
	c.reply.send(p)
}
