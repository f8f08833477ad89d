package llmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

// Open makes the client under test for a server.
type Open func(t *testing.T, baseURL string, key llm.Key, client *http.Client) llm.Client

// secret has characters that a URL escapes, so that both forms are looked for.
const secret = "sk-test/0123456789+abcdef=="

// Run holds a provider's client to the contract of llm.Client, through its
// real SDK, against servers on loopback that behave well and badly.
func Run(t *testing.T, protocol llm.Protocol, open Open) {
	s := suite{wire: Speaks(protocol), open: open}
	t.Run("answers", s.answers)
	t.Run("cut by the token limit", s.length)
	t.Run("turns", s.turns)
	t.Run("trouble", s.trouble)
	t.Run("retried", s.retried)
	t.Run("one request per call", s.once)
	t.Run("called off", s.calledOff)
	t.Run("too slow for the client", s.slow)
	t.Run("nobody listens", s.nobody)
	t.Run("redirect", s.redirect)
}

type suite struct {
	wire Wire
	open Open
}

func (s suite) start(t *testing.T, steps ...Step) (*Server, llm.Client) {
	t.Helper()
	server := NewServer(steps...)
	t.Cleanup(server.Close)
	return server, s.open(t, server.URL, llm.NewKey(secret), &http.Client{Transport: transportOf(t), Timeout: 10 * time.Second})
}

// transportOf gives each test its own connections, closed at its end.
func transportOf(t *testing.T) *http.Transport {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func request() llm.Request {
	return llm.Request{Model: "fake-model", System: "be brief", Messages: []llm.Message{{Role: llm.User, Text: "say \"hi\""}}, MaxTokens: 99}
}

func (s suite) answers(t *testing.T) {
	_, client := s.start(t, s.wire.Answer("line 1\nline \"2\" <ü>", llm.StopEnd))
	res, err := client.Complete(t.Context(), request())
	require.NoError(t, err)
	require.Positive(t, res.Latency)
	res.Latency = 0
	require.Equal(t, llm.Response{Text: "line 1\nline \"2\" <ü>", Stop: llm.StopEnd, Usage: AnswerUsage(), Model: "fake-model-1"}, res)
}

func (s suite) length(t *testing.T) {
	_, client := s.start(t, s.wire.Answer("half an ans", llm.StopLength))
	res, err := client.Complete(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, llm.StopLength, res.Stop)
	require.Equal(t, "half an ans", res.Text)
}

func (s suite) turns(t *testing.T) {
	server, client := s.start(t, s.wire.Answer("ok", llm.StopEnd))
	req := request()
	temperature := 0.25
	req.Temperature = &temperature
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "turn two"}, llm.Message{Role: llm.User, Text: "turn three"})
	_, err := client.Complete(t.Context(), req)
	require.NoError(t, err)
	got := server.Requests()
	require.Len(t, got, 1)
	body := fmt.Sprint(got[0].Body)
	for _, part := range []string{"be brief", `say "hi"`, "turn two", "turn three", "0.25", "99"} {
		require.Contains(t, body, part)
	}
	require.NotContains(t, got[0].Path+got[0].Query, secret)
	require.Contains(t, fmt.Sprint(got[0].Header), secret, "the key goes into a header")

	req.Messages = []llm.Message{{Role: "system", Text: "x"}, {Role: llm.User, Text: "y"}}
	_, err = client.Complete(t.Context(), req)
	requireClass(t, err, llm.Invalid)
	require.Len(t, server.Requests(), 1, "a request with an unknown role is not sent")
}

// requireClass checks the class and that no secret is in the error.
func requireClass(t *testing.T, err error, want llm.Class) *llm.Error {
	t.Helper()
	var e *llm.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Class, "%v", err)
	requireClean(t, err)
	return e
}

func requireClean(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err)} {
			require.NotContains(t, text, secret)
			require.NotContains(t, text, "sk-test")
			require.NotContains(t, text, "://", "a URL in an error")
		}
	}
}

func (s suite) trouble(t *testing.T) {
	echo := "you sent " + secret
	type test struct {
		step  Step
		class llm.Class
		sent  bool // may be billed
	}
	tests := map[string]test{
		"cut body":        {step: cut(s.wire.Answer("a long enough answer", llm.StopEnd)), class: llm.Network, sent: true},
		"half the JSON":   {step: half(s.wire.Answer("a long enough answer", llm.StopEnd)), class: llm.Malformed, sent: true},
		"no JSON":         {step: Step{Body: "<html>" + secret + "</html>"}, class: llm.Malformed, sent: true},
		"empty body":      {step: Step{}, class: llm.Malformed, sent: true},
		"JSON null":       {step: Step{Body: "null"}, class: llm.Malformed, sent: true},
		"wrong types":     {step: Step{Body: `{"choices":"` + secret + `","candidates":7,"content":{"a":1}}`}, class: llm.Malformed, sent: true},
		"no choices":      {step: s.wire.NoChoices(), class: llm.Malformed, sent: true},
		"refusal":         {step: s.wire.Refuse(), class: llm.Refused, sent: true},
		"dropped":         {step: Step{Drop: true}, class: llm.Network, sent: true},
		"error page":      {step: Step{Status: 502, Body: "<html>" + secret + "</html>"}, class: llm.Overloaded},
		"500":             {step: Step{Status: 500, Body: `{"error":{"message":"` + secret + `"}}`}, class: llm.Overloaded},
		"529":             {step: Step{Status: 529, Body: `{}`}, class: llm.Overloaded},
		"error under 200": {step: Step{Body: `{"error":{"code":429,"message":"` + secret + `"}}`}, class: llm.RateLimited},
		"cut error":       {step: cut(s.wire.Trouble(llm.Overloaded, echo)), class: llm.Overloaded},
	}
	for _, class := range []llm.Class{llm.RateLimited, llm.Quota, llm.Overloaded, llm.Authentication, llm.NotFound, llm.TooLong, llm.Refused, llm.Invalid} {
		tests["status: "+string(class)] = test{step: s.wire.Trouble(class, echo), class: class}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, client := s.start(t, tt.step)
			var lines bytes.Buffer
			_, err := llm.Log(client, &lines, llm.LogOptions{Prompts: true}).Complete(t.Context(), request())
			e := requireClass(t, err, tt.class)
			require.Equal(t, tt.sent, e.Sent, "Sent")
			require.NotContains(t, lines.String(), "sk-test")
			require.Contains(t, lines.String(), `"error_class":"`+string(tt.class)+`"`)
		})
	}
}

func cut(s Step) Step {
	s.Cut = true
	return s
}

func half(s Step) Step {
	s.Body = s.Body[:len(s.Body)/2]
	return s
}

// retried checks that a temporary failure is retried, with the wait that was
// asked for.
func (s suite) retried(t *testing.T) {
	limited := s.wire.Trouble(llm.RateLimited, "slow down")
	limited.Header = map[string]string{"Retry-After": "7"}
	server, client := s.start(t, limited, s.wire.Trouble(llm.Overloaded, "busy"), cut(s.wire.Answer("first", llm.StopEnd)), s.wire.Answer("second", llm.StopEnd))
	var waits []time.Duration
	opts := llm.RetryOptions{Base: time.Second, Sleep: func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}}
	res, err := llm.Retry(client, opts).Complete(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, "second", res.Text)
	require.Equal(t, []time.Duration{7 * time.Second, 2 * time.Second, 4 * time.Second}, waits)
	require.Len(t, server.Requests(), 4)
}

// once checks that the SDK does not retry on its own.
func (s suite) once(t *testing.T) {
	for _, step := range []Step{s.wire.Trouble(llm.Overloaded, "busy"), s.wire.Trouble(llm.RateLimited, "slow"), {Drop: true}, {Status: 500, Body: "{}"}} {
		server, client := s.start(t, step)
		_, err := client.Complete(t.Context(), request())
		require.Error(t, err)
		require.Len(t, server.Requests(), 1)
	}
}

func (s suite) calledOff(t *testing.T) {
	slow := s.wire.Answer("late", llm.StopEnd)
	slow.Delay = 30 * time.Second
	_, client := s.start(t, slow)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := client.Complete(ctx, request())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	requireClean(t, err)
}

func (s suite) slow(t *testing.T) {
	slow := s.wire.Answer("late", llm.StopEnd)
	slow.Delay = 30 * time.Second
	server := NewServer(slow)
	t.Cleanup(server.Close)
	client := s.open(t, server.URL, llm.NewKey(secret), &http.Client{Transport: transportOf(t), Timeout: 100 * time.Millisecond})
	_, err := client.Complete(t.Context(), request())
	e := requireClass(t, err, llm.Network)
	require.True(t, e.Sent)
	require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's context is fine")
}

func (s suite) nobody(t *testing.T) {
	server, client := s.start(t)
	server.Close()
	_, err := client.Complete(t.Context(), request())
	e := requireClass(t, err, llm.Network)
	require.False(t, e.Sent)
}

func (s suite) redirect(t *testing.T) {
	elsewhere := NewServer(s.wire.Answer("got you", llm.StopEnd))
	t.Cleanup(elsewhere.Close)
	_, client := s.start(t, Step{Status: 307, Header: map[string]string{"Location": elsewhere.URL}})
	_, err := client.Complete(t.Context(), request())
	requireClass(t, err, llm.Invalid)
	require.Empty(t, elsewhere.Requests(), "a key must not follow a redirect")
}
