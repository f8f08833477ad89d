package llm

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
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

const (
	maxAnswer      = 64 << 20 // bytes of one HTTP body
	defaultTimeout = 10 * time.Minute
)

// Wire is the HTTP side that all providers share. It is below their SDKs and
// reads each body whole before an SDK sees it, so that a cut, an error status
// or something that is not JSON becomes an *Error in one place, in the same
// classes for all, and never an answer.
type Wire struct {
	provider string
	key      Key
	client   *http.Client
}

// NewWire wraps the client's transport (nil: a client with a timeout of ten
// minutes). Redirects are refused, since they would carry keys elsewhere.
func NewWire(provider string, key Key, client *http.Client) *Wire {
	own := http.Client{Timeout: defaultTimeout}
	if client != nil {
		own = *client
	}
	w := &Wire{provider: provider, key: key, client: &own}
	own.Transport = &transport{wire: w, next: own.Transport}
	return w
}

// Client is what an SDK is to send its requests by.
func (w *Wire) Client() *http.Client { return w.client }

// Call runs send, which makes one request by Client under the context that it
// gets, and returns the body of the answer. Every failure is returned as
// *Error without keys and URLs, or wraps the error of ctx.
func (w *Wire) Call(ctx context.Context, send func(context.Context) error) (body []byte, latency time.Duration, err error) {
	ex := &exchange{}
	start := time.Now()
	err = send(context.WithValue(ctx, exchangeKey{}, ex))
	return ex.body, time.Since(start), w.asError(ctx, ex, err)
}

func (w *Wire) asError(ctx context.Context, ex *exchange, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", w.provider, ctx.Err())
	case ex.err != nil:
		return ex.err
	case ex.body == nil:
		// The SDK would not send it.
		return w.Fail(Invalid, err)
	}
	e := w.Fail(Malformed, err)
	e.Status, e.Sent = http.StatusOK, true
	return e
}

// Fail makes an error of a text only: what SDKs wrap holds requests, and with
// them keys and URLs.
func (w *Wire) Fail(class Class, err error) *Error {
	return &Error{Class: class, Provider: w.provider, Err: w.text(err)}
}

// text takes what may be secret out of a message: the key, and what follows a
// ? in a URL or is before an @.
func (w *Wire) text(err error) error {
	text := w.key.Scrub(err.Error())
	text = secretURL.ReplaceAllString(text, "$1"+hidden)
	return errors.New(clip(text))
}

var secretURL = regexp.MustCompile(`(https?://)[^\s"'<>]*[?@][^\s"'<>]*`)

// exchange is what the transport saw of one call.
type exchange struct {
	body []byte // of the answer
	err  *Error // instead of an answer; http.Client may replace it with a text of its own
}

type exchangeKey struct{}

type transport struct {
	wire *Wire
	next http.RoundTripper // nil: http.DefaultTransport
}

// RoundTrip returns successful answers with their body in memory, and an
// *Error for everything else.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	res, body, err := t.fetch(req)
	ex, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if ok {
		ex.body, ex.err = body, err
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

func (t *transport) fetch(req *http.Request) (*http.Response, []byte, *Error) {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) { sent.Store(i.Err == nil) }}
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	res, err := next.RoundTrip(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		e := t.wire.Fail(Network, err)
		e.Sent = sent.Load()
		return nil, nil, e
	}
	body, err := readBody(res)
	if e := t.wire.judge(res, body, err); e != nil {
		return nil, nil, e
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	// Some compatible servers send text/plain, and the SDK trusts that.
	res.Header.Set("Content-Type", "application/json")
	return res, body, nil
}

func readBody(res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if cerr := res.Body.Close(); err == nil {
		err = cerr
	}
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	return body, err
}

// judge returns nil where the body may be an answer.
func (w *Wire) judge(res *http.Response, body []byte, err error) *Error {
	success := res.StatusCode >= 200 && res.StatusCode < 300
	switch {
	case err != nil && success:
		e := w.Fail(Network, fmt.Errorf("the answer broke off: %w", err))
		e.Status, e.Sent = res.StatusCode, true
		return e
	case success && !json.Valid(body):
		e := w.Fail(Malformed, fmt.Errorf("the answer is not JSON (%d bytes)", len(body)))
		e.Status, e.Sent = res.StatusCode, true
		return e
	case success && !holdsError(body):
		return nil
	}
	if err != nil {
		body = nil // half a message may end in half a key
	}
	e := Classify(res.StatusCode, res.Header, body)
	e.Provider, e.Err = w.provider, w.text(e.Err)
	return e
}

// clip keeps messages of servers, which may be whole pages, short.
func clip(text string) string {
	const most = 600
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " ..."
}
