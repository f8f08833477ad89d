package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/llm"
)

// Step is what a Server does with one request.
type Step struct {
	// Delay passes before anything is sent, or until the client goes away.
	Delay  time.Duration
	Status int // default 200
	Header map[string]string
	Body   string
	// Cut sends half of the body, promises all of it, and closes.
	Cut bool
	// Drop closes the connection without a word.
	Drop bool
}

// Received is a request as a Server got it.
type Received struct {
	Path   string
	Query  string
	Header http.Header
	Body   map[string]any
}

// Server fakes the HTTP interface of a provider on loopback. The steps answer
// requests in order; the last one serves all further requests.
type Server struct {
	URL string

	http     *httptest.Server
	mu       sync.Mutex
	steps    []Step
	received []Received
}

// NewServer starts a server; Close ends it.
func NewServer(steps ...Step) *Server {
	s := &Server{steps: slices.Clone(steps)}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	return s
}

// Close ends the server and its connections.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests returns what came so far.
func (s *Server) Requests() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	step := s.next(r)
	if step.Delay > 0 {
		select {
		case <-time.After(step.Delay):
		case <-r.Context().Done():
			return
		}
	}
	if step.Drop {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range step.Header {
		w.Header().Set(name, value)
	}
	body := step.Body
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") && step.Status == 0 {
		body = "[" + body + "]" // Gemini's stream: a list of parts of the answer
	}
	if step.Cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		body = body[:len(body)/2]
	}
	if step.Status != 0 {
		w.WriteHeader(step.Status)
	}
	_, _ = io.WriteString(w, body)
	if step.Cut {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) next(r *http.Request) Step {
	got := Received{Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone()}
	data, err := io.ReadAll(r.Body)
	if err == nil && json.Unmarshal(data, &got.Body) != nil {
		got.Body = map[string]any{"unreadable": string(data)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, got)
	if len(s.steps) == 0 {
		return Step{Status: http.StatusNotImplemented, Body: `{"error":{"message":"the server has no steps"}}`}
	}
	step := s.steps[0]
	if len(s.steps) > 1 {
		s.steps = s.steps[1:]
	}
	return step
}

// Speaks returns the bodies of a protocol.
func Speaks(p llm.Protocol) Wire {
	switch p {
	case llm.ProtocolAnthropic:
		return anthropicWire{}
	case llm.ProtocolGemini:
		return geminiWire{}
	}
	return openaiWire{}
}

// Wire makes the steps of one protocol.
type Wire interface {
	// Answer is a good answer with the usage in AnswerUsage.
	Answer(text string, stop llm.Stop) Step
	// Refuse is an answer by which the model or its filter declines.
	Refuse() Step
	// Trouble is the protocol's error body for a class of llm; message is
	// made part of it.
	Trouble(class llm.Class, message string) Step
	// NoChoices is a well-formed answer that holds none.
	NoChoices() Step
}

// AnswerUsage is the usage of every Wire's Answer.
func AnswerUsage() llm.Usage {
	return llm.Usage{Input: 120, CachedInput: 20, Output: 45, Reasoning: 15}
}

// quoted returns the text as a JSON string.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		return `""` // cannot be: strings always encode
	}
	return string(data)
}

// fill puts JSON strings for the names in a body; names are of the form $NAME.
func fill(body string, pairs ...string) string {
	for i := 1; i < len(pairs); i += 2 {
		pairs[i] = quoted(pairs[i])
	}
	return strings.NewReplacer(pairs...).Replace(body)
}
