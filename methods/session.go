package methods

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"assay/agents"
	"assay/llm"
	"assay/llm/anthropic"
	"assay/llm/gemini"
	"assay/llm/openai"
)

// sessionURL is where the session's provider seems to be; connections go to the
// session, regardless of the name.
const sessionURL = "http://session.invalid"

// patience bounds one call: the proxy repeats what the provider says to repeat.
const patience = 40 * time.Minute

// sessionClient asks the model by a session, as all agents do: it counts,
// limits and records the calls.
type sessionClient struct {
	llm.Client
	session  agents.Session
	requests *atomic.Int64
}

// openSession is a client for the model (provider/model) of a session.
func openSession(s agents.Session, model string) (*sessionClient, error) {
	name, _, err := llm.ParseModel(model)
	if err != nil {
		return nil, err
	}
	protocol, ok := protocolOf(name)
	if !ok {
		return nil, fmt.Errorf("no provider %q", name)
	}
	c := &sessionClient{session: s, requests: &atomic.Int64{}}
	http := &http.Client{Timeout: patience, Transport: counting{next: dialing(s), n: c.requests}}
	key := llm.NewKey(s.Key())
	var client llm.Client
	switch protocol {
	case llm.ProtocolAnthropic:
		client = anthropic.New(anthropic.Options{Key: key, BaseURL: sessionURL, HTTPClient: http})
	case llm.ProtocolGemini:
		client, err = gemini.New(gemini.Options{Key: key, BaseURL: sessionURL, HTTPClient: http})
	default:
		client = openai.New(openai.Options{Name: name, Key: key, BaseURL: sessionURL + "/v1", HTTPClient: http})
	}
	if err != nil {
		return nil, err
	}
	c.Client = llm.Lenient(llm.ForProvider(client, name), nil)
	return c, nil
}

// protocolOf is the protocol of a provider's models.
func protocolOf(provider string) (llm.Protocol, bool) {
	for _, p := range llm.Providers() {
		if p.Name == provider {
			return p.Protocol, true
		}
	}
	return "", false
}

// Complete implements llm.Client. If the session refuses to continue, the error's
// class is OverBudget, with every protocol.
func (c *sessionClient) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	res, err := c.Client.Complete(ctx, req)
	var e *llm.Error
	if !errors.As(err, &e) || e.Class != llm.Invalid && e.Class != llm.Quota {
		return res, err
	}
	select {
	case <-c.session.Spent():
		return res, &llm.Error{Class: llm.OverBudget, Provider: "session", Err: err}
	default:
		return res, err
	}
}

// counting counts requests.
type counting struct {
	next http.RoundTripper
	n    *atomic.Int64
}

func (t counting) RoundTrip(r *http.Request) (*http.Response, error) {
	t.n.Add(1)
	return t.next.RoundTrip(r)
}

// dialing is a transport whose connections are all to a session.
func dialing(s agents.Session) http.RoundTripper {
	return &http.Transport{
		DisableKeepAlives: true, // the session closes with its last connection
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go s.Serve(far)
			return near, nil
		},
	}
}
