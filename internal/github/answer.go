package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/llm"
)

// fault is an error inside of an answer. An answer may have some and data too.
type fault struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// secondaryWait is how long a secondary limit is waited for where the server
// does not say; GitHub asks for a minute at least.
const secondaryWait = time.Minute

// answer is what an answer holds, or the kind of error that it is.
func (c *Client) answer(status int, header http.Header, body []byte) (json.RawMessage, []fault, error) {
	if err := c.refused(status, header, body); err != nil {
		return nil, nil, err
	}
	var a struct {
		Data   json.RawMessage `json:"data"`
		Errors []fault         `json:"errors"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, nil, fail(llm.Malformed, 0, fmt.Errorf("the answer is not JSON: %w", err))
	}
	none := len(a.Data) == 0 || bytes.Equal(bytes.TrimSpace(a.Data), []byte("null"))
	switch {
	case slices.ContainsFunc(a.Errors, fault.limited):
		return nil, nil, fail(llm.RateLimited, c.untilReset(header), errors.New(faultTexts(a.Errors)))
	case slices.ContainsFunc(a.Errors, fault.passes):
		return nil, nil, fail(llm.Overloaded, 0, errors.New(faultTexts(a.Errors)))
	case none && len(a.Errors) > 0:
		return nil, nil, fail(llm.Invalid, 0, errors.New(faultTexts(a.Errors)))
	case none:
		return nil, nil, fail(llm.Malformed, 0, errors.New("the answer has neither data nor errors"))
	}
	return a.Data, a.Errors, nil
}

// refused reads the status; nil for an answer that can be read.
func (c *Client) refused(status int, header http.Header, body []byte) error {
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil || said.Message == "" {
		said.Message = http.StatusText(status)
	}
	e := &llm.Error{Provider: "GitHub", Status: status, Err: errors.New(c.options.Token.Scrub(said.Message))}
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusForbidden || status == http.StatusTooManyRequests:
		e.Class, e.RetryAfter = llm.RateLimited, llm.Classify(status, header, body).RetryAfter
		switch {
		case e.RetryAfter > 0:
		case header.Get("X-RateLimit-Remaining") == "0":
			e.RetryAfter = c.untilReset(header)
		case status == http.StatusTooManyRequests, secondary(said.Message):
			e.RetryAfter = secondaryWait
		default:
			e.Class = llm.Authentication
		}
	case status == http.StatusUnauthorized:
		e.Class = llm.Authentication
	case status >= 500:
		e.Class = llm.Overloaded
	default:
		e.Class = llm.Invalid
	}
	return e
}

func secondary(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "secondary rate limit") || strings.Contains(message, "abuse detection")
}

func (f fault) limited() bool {
	return f.Type == "RATE_LIMITED" || f.Type == "RATE_LIMIT" || strings.Contains(f.Message, "API rate limit exceeded")
}

// passes recognises errors of the server: it took too long, failed, or left
// parts of a large answer out.
func (f fault) passes() bool {
	message := strings.ToLower(f.Message)
	return strings.Contains(message, "something went wrong") || strings.Contains(message, "timeout") || strings.Contains(message, "timed out") ||
		strings.Contains(message, "resource limits") || f.Type == "RESOURCE_LIMITS_EXCEEDED" || f.Type == "INTERNAL" || f.Type == "SERVICE_UNAVAILABLE"
}

func faultTexts(faults []fault) string {
	var texts []string
	for _, f := range faults {
		texts = append(texts, strings.TrimSpace(f.Type+" "+f.Message))
	}
	return strings.Join(texts[:min(len(texts), 3)], "; ")
}

// noteLimit remembers when the next request may be sent, where this one was
// the last of the hour.
func (c *Client) noteLimit(header http.Header) {
	if header.Get("X-RateLimit-Remaining") == "0" {
		c.blocked = c.options.Now().Add(c.untilReset(header))
	}
}

// untilReset is how long the limit lasts; a minute where the server does not
// say.
func (c *Client) untilReset(header http.Header) time.Duration {
	at, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil {
		return secondaryWait
	}
	// The second itself belongs to the limit.
	return max(time.Unix(at, 0).Sub(c.options.Now()), 0) + time.Second
}
