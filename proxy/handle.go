package proxy

import (
	"compress/gzip"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// refusal is why a request is not forwarded.
type refusal struct {
	kind    failureKind
	message string
}

// failure writes the refusal in a protocol, at a bounded length.
func (r refusal) failure(w wire) (status int, body any, message string) {
	message = clip(r.message, maxRefusal)
	status, body = w.failure(r.kind, message)
	return status, body, message
}

func (s *Session) handle(w http.ResponseWriter, r *http.Request) {
	t := route(r)
	if t.wire == nil {
		t.wire = ownWire(s.o.Upstream.Protocol)
	}
	x := &Exchange{At: time.Now().UTC(), Path: clip(r.URL.Path, maxRefusal), Protocol: t.wire.protocol(), Model: s.o.Model}
	switch {
	case !s.mayUse(r):
		s.refuse(w, x, t.wire, refusal{badKey, "assay: this is not the key of this attempt"})
	case t.verb == unknown:
		s.refuse(w, x, t.wire, refusal{unknownURL, "assay: nothing is served at this address"})
	case t.verb == upgrade:
		w.Header().Set("Connection", "close")
		writeJSON(w, http.StatusUpgradeRequired, openAIError("invalid_request_error", "websocket_not_supported", "assay: websockets are not served; use POST"))
	case t.verb == listAll, t.verb == listModel:
		s.list(w, x, t)
	case !speaks(s.o.Upstream.Protocol, t.wire):
		s.refuse(w, x, t.wire, refusal{unknownURL, fmt.Sprintf("assay: the model's provider speaks another protocol (%s)", s.o.Upstream.Protocol)})
	default:
		s.serve(w, r, t, x)
	}
}

// serve answers a request for the model.
func (s *Session) serve(w http.ResponseWriter, r *http.Request, t target, x *Exchange) {
	q, no := s.read(w, r, t)
	if q != nil {
		defer func() {
			if no != nil { // else the exchange does it
				q.release()
			}
		}()
		x.Request, x.Stream = q.raw, q.stream
	}
	if no == nil {
		no = s.judge(q, t)
	}
	if no != nil {
		s.refuse(w, x, t.wire, *no)
		return
	}
	c := &call{s: s, t: t, q: q, x: x, header: upHeader(r.Header, s.o), reply: newReply()}
	if !s.start(c) {
		q.release()
		panic(http.ErrAbortHandler) // closed: the connection is about to be cut
	}
	c.reply.copyTo(w, r.Context())
}

// mayUse checks the key, in any of the places that clients put it.
func (s *Session) mayUse(r *http.Request) bool {
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	for _, key := range []string{bearer, r.Header.Get("x-api-key"), r.Header.Get("x-goog-api-key"), r.Header.Get("api-key"), r.URL.Query().Get("key")} {
		if subtle.ConstantTimeCompare([]byte(key), []byte(s.Key())) == 1 {
			return true
		}
	}
	return false
}

// read reads the body within its limits of bytes and time.
func (s *Session) read(w http.ResponseWriter, r *http.Request, t target) (*query, *refusal) {
	body, release, err := s.content(w, r)
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &refusal{tooLarge, fmt.Sprintf("assay: a request has at most %d bytes", maxRequest)}
	case err != nil:
		return nil, &refusal{badRequest, "assay: reading the request: " + err.Error()}
	}
	q, err := parseQuery(body)
	if err != nil {
		release()
		return nil, &refusal{badRequest, "assay: " + err.Error()}
	}
	q.release = release
	if t.model != "" {
		q.model, q.stream = t.model, t.stream
	}
	return q, nil
}

// content reads a body, of a large one the most only when few others are there.
func (s *Session) content(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	hurry := func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(slowClient)) }
	hurry()
	release = func() {}
	in, err := unpacked(w, r)
	if err != nil {
		return nil, release, err
	}
	body, err = io.ReadAll(io.LimitReader(in, largeRequest))
	if err != nil || len(body) < largeRequest {
		return body, release, err
	}
	select {
	case s.large <- struct{}{}:
		release = sync.OnceFunc(func() { <-s.large })
		hurry()
	case <-s.closing:
		return nil, release, errors.New("the attempt is over")
	}
	rest, err := io.ReadAll(in)
	if err != nil {
		release()
	}
	return append(body, rest...), release, err
}

func unpacked(w http.ResponseWriter, r *http.Request) (io.Reader, error) {
	limited := http.MaxBytesReader(w, r.Body, maxRequest)
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		return limited, nil
	case "gzip":
		z, err := gzip.NewReader(limited)
		if err != nil {
			return nil, err
		}
		return http.MaxBytesReader(w, z, maxRequest), nil
	default:
		return nil, fmt.Errorf("the content encoding %q is not served", encoding)
	}
}

// judge decides whether a request may be forwarded; nil allows it.
func (s *Session) judge(q *query, t target) *refusal {
	if why := s.over(); why != "" {
		return &refusal{spentOut, "assay: " + why}
	}
	if q.model != s.o.Model {
		return &refusal{badModel, fmt.Sprintf("assay: the model %s is not allowed in this sandbox; only %s is", quote(q.model), s.o.Model)}
	}
	if why := t.wire.forbidden(q); why != "" {
		return &refusal{badRequest, "assay: " + why}
	}
	if why := q.findMedia(s.seed, t.wire.roots()...); why != "" {
		return &refusal{badRequest, "assay: " + why}
	}
	return nil
}

// refuse answers without the provider.
func (s *Session) refuse(w http.ResponseWriter, x *Exchange, wire wire, why refusal) {
	status, body, message := why.failure(wire)
	x.Status, x.Refused = status, message
	s.refused(x)
	writeJSON(w, status, body)
}

// list answers with the one model that there is.
func (s *Session) list(w http.ResponseWriter, x *Exchange, t target) {
	name := strings.TrimPrefix(t.model, "models/")
	if t.verb == listModel && name != s.o.Model {
		s.refuse(w, x, t.wire, refusal{badModel, fmt.Sprintf("assay: there is no model %s here; only %s", quote(name), s.o.Model)})
		return
	}
	writeJSON(w, http.StatusOK, modelList(t, s.o.Model))
}

func modelList(t target, model string) any {
	switch t.wire.(type) {
	case messages:
		one := map[string]any{"type": "model", "id": model, "display_name": model, "created_at": "2025-01-01T00:00:00Z"}
		if t.verb == listModel {
			return one
		}
		return map[string]any{"data": []any{one}, "has_more": false, "first_id": model, "last_id": model}
	case generate:
		one := map[string]any{"name": "models/" + model, "displayName": model, "supportedGenerationMethods": []string{"generateContent", "countTokens"}}
		if t.verb == listModel {
			return one
		}
		return map[string]any{"models": []any{one}}
	}
	one := map[string]any{"id": model, "object": "model", "created": 0, "owned_by": "assay"}
	if t.verb == listModel {
		return one
	}
	return map[string]any{"object": "list", "data": []any{one}}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(body))
}
