package llm

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// Lenient asks again without temperature and seed where a model rejects the
// request because of them, as reasoning models do, and leaves them out of
// further calls of that model. dropped, which may be nil, is called once for
// each model and name ("temperature", "seed").
func Lenient(next Client, dropped func(model, name string)) Client {
	return &lenient{next: next, dropped: dropped, known: map[[2]string]bool{}}
}

type lenient struct {
	next    Client
	dropped func(model, name string)

	mu    sync.Mutex
	known map[[2]string]bool // model, name
}

func (l *lenient) Complete(ctx context.Context, req Request) (Response, error) {
	for {
		req = l.strip(req)
		res, err := l.next.Complete(ctx, req)
		if err == nil || !l.learn(req, err) {
			return res, err
		}
	}
}

func (l *lenient) strip(req Request) Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known[[2]string{req.Model, "temperature"}] {
		req.Temperature = nil
	}
	if l.known[[2]string{req.Model, "seed"}] {
		req.Seed = nil
	}
	return req
}

// learn reports whether the error names something that the request can do
// without; so it does at most two times for one request.
func (l *lenient) learn(req Request, err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Class != Invalid || e.Err == nil {
		return false
	}
	text := strings.ToLower(e.Err.Error())
	switch {
	case req.Temperature != nil && strings.Contains(text, "temperature"):
		l.remember(req.Model, "temperature")
	case req.Seed != nil && strings.Contains(text, "seed"):
		l.remember(req.Model, "seed")
	default:
		return false
	}
	return true
}

func (l *lenient) remember(model, name string) {
	l.mu.Lock()
	known := l.known[[2]string{model, name}]
	l.known[[2]string{model, name}] = true
	l.mu.Unlock()
	if !known && l.dropped != nil {
		l.dropped(model, name)
	}
}
