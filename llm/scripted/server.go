package scripted

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/internal/decoded"

	"assay/llm"
)

// Server is a model that follows a script. It is an http.Handler, and New makes it
// listen on loopback. It keeps no state of a conversation except how often a fault
// was given: it reads the position in the script from the request, so that
// conversations may run at the same time and repeat requests.
type Server struct {
	URL string
	// Key, if it is set, must be presented. Set it before the first request.
	Key string

	script Script
	turns  []turn
	after  []Act // faults at the end
	http   *http.Server
	done   chan struct{}

	mu       sync.Mutex
	given    map[string]int // faults by conversation and turn
	requests []Request
	billed   llm.Usage
	spoken   int // answers
	running  int
	most     int
}

// Request is what a Server got.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                map[string]any
	Status              int // that it answered; 0 where it closed the connection
}

// New starts a server on a free port of loopback; Close ends it.
func New(script Script) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the scripted model: %w", err)
	}
	s, err := Start(l, script)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return s, nil
}

// Start serves a listener, which Close closes.
func Start(l net.Listener, script Script) (*Server, error) {
	if err := script.check(); err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + l.Addr().String(), script: script, given: map[string]int{}, done: make(chan struct{})}
	s.turns, s.after = script.turns()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l)
	}()
	return s, nil
}

// Close ends the server and its connections.
func (s *Server) Close() {
	_ = s.http.Close()
	<-s.done
}

// Requests returns what came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Billed is the usage of all answers, of those that were cut, too.
func (s *Server) Billed() llm.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// MostAtOnce is how many requests for the model were answered at the same
// time at most.
func (s *Server) MostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	got := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone()}
	data, err := io.ReadAll(r.Body)
	if err == nil && len(data) > 0 && json.Unmarshal(data, &got.Body) != nil {
		got.Body = map[string]any{"unreadable": string(data)}
	}
	seen := &statusWriter{ResponseWriter: w}
	defer func() {
		got.Status = seen.status
		s.mu.Lock()
		s.requests = append(s.requests, got)
		s.mu.Unlock()
	}()
	s.answer(seen, r, got.Body)
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(data)
}

// Unwrap lets http.ResponseController flush.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (s *Server) answer(w http.ResponseWriter, r *http.Request, body map[string]any) {
	v, ok := voiceOf(r)
	switch {
	case !ok:
		http.Error(w, `{"error":{"message":"nothing is served here"}}`, http.StatusNotFound)
	case !s.mayUse(r):
		fail(w, v, Act{Status: http.StatusUnauthorized, Message: "the key is wrong"})
	case v.counts:
		s.count(w, v, body)
	default:
		s.perform(w, r, v, v.read(body))
	}
}

func (s *Server) mayUse(r *http.Request) bool {
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	return s.Key == "" || slices.Contains([]string{bearer, r.Header.Get("x-api-key"), r.Header.Get("x-goog-api-key"), r.URL.Query().Get("key")}, s.Key)
}

// count writes how many tokens the answer would be billed for as input.
func (s *Server) count(w http.ResponseWriter, v voice, body map[string]any) {
	if inner := decoded.Object(body["generateContentRequest"]); inner != nil {
		body = inner
	}
	talk := v.read(body)
	n, a := s.step(talk), Act{}
	if len(s.turns) > 0 {
		a = s.turns[min(n, len(s.turns)-1)].answer
	}
	tokens := s.speech(a, talk, n).usage.Input
	writeJSON(w, http.StatusOK, map[string]any{"input_tokens": tokens, "totalTokens": tokens})
}

// perform gives the answer that the conversation has come to, or a fault.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, v voice, talk conversation) {
	defer s.enter()()
	n := s.step(talk)
	faults, a := s.after, Act{Say: "Done."}
	if len(s.turns) > 0 {
		a = s.turns[min(n, len(s.turns)-1)].answer
	}
	if n < len(s.turns) {
		faults = s.turns[n].faults
	}
	fault, faulty := s.nextFault(faults, talk, n)
	if !pause(r, a.Wait+fault.Wait) {
		return
	}
	switch {
	case faulty && fault.Drop:
		panic(http.ErrAbortHandler)
	case faulty && fault.Status != 0:
		fail(w, v, fault)
		return
	}
	said := s.speech(a, talk, n)
	s.answered(said.usage)
	v.speak(&mouth{w: w, r: r, slow: a.Slow, cut: faulty && fault.Cut, stream: talk.stream}, said)
}

func (s *Server) enter() (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running++
	s.most = max(s.most, s.running)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running--
	}
}

// step is the number of the answer that a request gets, from 0.
func (s *Server) step(talk conversation) int {
	if !s.script.InOrder {
		return talk.step(s.said())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spoken
}

// answered counts an answer, and bills it.
func (s *Server) answered(u llm.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoken++
	s.billed.Input += u.Input
	s.billed.CachedInput += u.CachedInput
	s.billed.CacheWrites += u.CacheWrites
	s.billed.CacheWritesHour += u.CacheWritesHour
	s.billed.Output += u.Output
	s.billed.Reasoning += u.Reasoning
}

// said are the texts of the script, by which its answers without a tool are
// recognised.
func (s *Server) said() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.turns {
		if !t.answer.uses() {
			out[strings.TrimSpace(t.answer.Say+t.answer.Final)] = true
		}
	}
	return out
}

// nextFault is the one that the conversation was not given yet.
func (s *Server) nextFault(faults []Act, talk conversation, n int) (Act, bool) {
	if len(faults) == 0 {
		return Act{}, false
	}
	if n >= len(s.turns) {
		return faults[len(faults)-1], true
	}
	digest := sha256.Sum256([]byte(fmt.Sprint(n, "\x00", talk.first)))
	key := hex.EncodeToString(digest[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.given[key]
	if at >= len(faults) {
		return Act{}, false
	}
	s.given[key]++
	return faults[at], true
}

// pause reports whether the client is still there.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}
