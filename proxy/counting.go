package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay/llm"
)

// counter is a wire whose provider counts the tokens of a request without
// charge. It is asked where a limit is near: the bound by bytes is some four
// times too high.
type counter interface {
	// counting is path and body of that request.
	counting(q *query, model string) (up string, body object, err error)
	// counted is the answer, 0 where it says nothing.
	counted(answer map[string]any) int
}

const (
	patience   = 30 * time.Second // for an answer to that
	worthwhile = 16 << 10         // bytes of a request, below which it gains nothing
)

func (messages) counting(q *query, model string) (string, object, error) {
	body, err := only(q.body, "messages", "system", "tools", "tool_choice", "thinking").set("model", model)
	return "/v1/messages/count_tokens", body, err
}

func (messages) counted(answer map[string]any) int { return int(asInt(answer["input_tokens"])) }

func (responses) counting(q *query, model string) (string, object, error) {
	body, err := only(q.body, "input", "instructions", "tools", "tool_choice").set("model", model)
	return "/responses/input_tokens", body, err
}

func (responses) counted(answer map[string]any) int { return int(asInt(answer["input_tokens"])) }

func (generate) counting(q *query, model string) (string, object, error) {
	inner, err := q.body.without("model", "generationConfig").set("model", "models/"+model)
	if err != nil {
		return "", nil, err
	}
	body, err := object{}.set("generateContentRequest", inner)
	return "/v1beta/models/MODEL:countTokens", body, err
}

func (generate) counted(answer map[string]any) int { return int(asInt(answer["totalTokens"])) }

// only keeps some members.
func only(o object, names ...string) object {
	var out object
	for _, name := range names {
		if value := o.get(name); value != nil {
			out = append(out, member{name, value})
		}
	}
	return out
}

// countInput asks the provider how many tokens the request has, once, and
// reports whether that lowers the bound.
func (s *Session) countInput(ctx context.Context, c *call) bool {
	w, can := c.t.wire.(counter)
	if _, isResponses := w.(responses); isResponses && s.o.Upstream.Provider != "openai" {
		can = false // compatible servers have no such address
	}
	if !can || c.measured || len(c.q.raw) < worthwhile || c.t.verb == count {
		return false
	}
	c.measured = true
	before := s.bounds.input(c.q)
	tokens, err := s.askCount(ctx, c, w)
	if err != nil || tokens <= 0 {
		return false // the bound by bytes holds
	}
	s.bounds.learn(c.q, tokens)
	return s.bounds.input(c.q) < before
}

func (s *Session) askCount(ctx context.Context, c *call, w counter) (int, error) {
	up, body, err := w.counting(c.q, s.o.Model)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address(up), bytes.NewReader(body.bytes()))
	if err != nil {
		return 0, c.failed(llm.Invalid, err)
	}
	req.Header = c.header.Clone()
	res, err := s.client.Do(req)
	if err != nil {
		return 0, c.failed(llm.Network, err)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxError))
	if cerr := res.Body.Close(); err == nil {
		err = cerr
	}
	if err != nil || res.StatusCode != http.StatusOK {
		return 0, errors.New("the provider does not count")
	}
	return w.counted(decode(data)), nil
}

// address is where a path is at the provider; MODEL stands for the model.
func (s *Session) address(up string) string {
	return strings.TrimRight(s.o.Upstream.BaseURL, "/") + strings.Replace(up, "MODEL", url.PathEscape(s.o.Model), 1)
}
