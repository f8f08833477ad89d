// Package github reads pull requests and issues by GitHub's GraphQL interface.
// One request is under way at a time, and the limits of the server are kept.
package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"assay/llm"
)

// DefaultURL is the interface of github.com. That of GitHub Enterprise is
// https://HOST/api/graphql.
const DefaultURL = "https://api.github.com/graphql"

// maxAnswer bounds what is read of one answer, in bytes.
const maxAnswer = 64 << 20

// Options are the settings of a Client. Only Token must be set.
type Options struct {
	URL   string // "" means DefaultURL
	Token llm.Key
	// Backoff waits between attempts; nil means one that has patience for a
	// limit that ends within the hour.
	Backoff *llm.Backoff
	// Now is the clock; nil means the real one. GitHub reports when a limit ends.
	Now func() time.Time
	// Notice is called for waits for a limit and for attempts that failed; it may
	// be nil.
	Notice func(line string)
}

// Client asks questions. It is safe for concurrent use.
type Client struct {
	options Options
	http    *http.Client

	mu      sync.Mutex // held while a request is under way
	blocked time.Time  // no request before
}

// New checks the options.
func New(o Options) (*Client, error) {
	if o.URL == "" {
		o.URL = DefaultURL
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errors.New("the URL of GitHub's interface: expected https://host/path")
	}
	if !o.Token.Set() {
		return nil, errors.New("no token: set GITHUB_TOKEN")
	}
	if o.Backoff == nil {
		o.Backoff = llm.NewBackoff(llm.RetryOptions{Patience: 65 * time.Minute})
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	return &Client{options: o, http: &http.Client{
		Timeout: 2 * time.Minute,
		// A redirect would turn the request into another one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// question is what is asked; heavy counts how often the server could not
// answer it, so that less can be asked for.
type question func(heavy int) (query string, variables map[string]any)

// ask repeats a question until there is an answer that read accepts, or an
// error that does not pass.
func (c *Client) ask(ctx context.Context, q question, read func(data json.RawMessage, faults []fault) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	heavy := 0
	for n := 0; ; n++ {
		err := c.once(ctx, q, heavy, read)
		var e *llm.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || !e.Retryable() {
			return err
		}
		if e.Class != llm.RateLimited {
			heavy++
		}
		c.options.Notice(notice(e))
		again, waited := c.options.Backoff.Wait(ctx, n, e)
		if waited != nil {
			return fmt.Errorf("waiting to ask GitHub again: %w", waited)
		}
		if !again {
			return err
		}
	}
}

func notice(e *llm.Error) string {
	if e.RetryAfter > 0 {
		return fmt.Sprintf("%v: waiting for %s", e, e.RetryAfter.Round(time.Second))
	}
	return fmt.Sprintf("%v: asking again", e)
}

func (c *Client) once(ctx context.Context, q question, heavy int, read func(json.RawMessage, []fault) error) error {
	if wait := c.blocked.Sub(c.options.Now()); wait > 0 {
		return fail(llm.RateLimited, wait, errors.New("the limit of requests is reached"))
	}
	query, variables := q(heavy)
	status, header, body, err := c.post(ctx, query, variables)
	if err != nil {
		return err
	}
	c.noteLimit(header)
	data, faults, err := c.answer(status, header, body)
	if err != nil {
		return err
	}
	return read(data, faults)
}

// post sends a request and reads the whole answer.
func (c *Client) post(ctx context.Context, query string, variables map[string]any) (int, http.Header, []byte, error) {
	text, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return 0, nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.options.URL, bytes.NewReader(text))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.options.Token.Reveal())
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "assay")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, nil, nil, fail(llm.Network, 0, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 0, nil, nil, fail(llm.Network, 0, fmt.Errorf("the answer broke off: %w", err))
	case len(body) > maxAnswer:
		return 0, nil, nil, fail(llm.Overloaded, 0, fmt.Errorf("the answer has more than %d bytes", maxAnswer))
	}
	return res.StatusCode, res.Header, body, nil
}

func fail(class llm.Class, wait time.Duration, err error) *llm.Error {
	return &llm.Error{Class: class, Provider: "GitHub", RetryAfter: wait, Err: err}
}
