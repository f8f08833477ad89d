package llmtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/llm"
)

// Answer is one line of a Fake's script.
type Answer struct {
	// When, if given, picks this answer for every request that holds the
	// text in its system prompt, a message or its Purpose. Without it the
	// answer is given once, in the script's order.
	When string
	// Once makes an answer with When serve one request only.
	Once bool

	Text  string
	Stop  llm.Stop // default StopEnd
	Usage llm.Usage
	Err   error // given instead of the answer
	// Reply, if given, makes the text from the request.
	Reply func(llm.Request) (string, error)
}

// Fake is a Client that answers from a script and keeps the requests. A
// request that the script has no answer for is an error of class Invalid. It
// is safe for concurrent use.
type Fake struct {
	mu       sync.Mutex
	script   []Answer
	used     []bool
	requests []llm.Request
}

var _ llm.Client = (*Fake)(nil)

// NewFake returns a client with the script. Answers with When that fit come
// first, in order, then those without.
func NewFake(script ...Answer) *Fake {
	return &Fake{script: slices.Clone(script), used: make([]bool, len(script))}
}

// Requests returns what was asked so far.
func (f *Fake) Requests() []llm.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// Unused returns the answers that were never requested.
func (f *Fake) Unused() []Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []Answer
	for i, a := range f.script {
		if !f.used[i] {
			out = append(out, a)
		}
	}
	return out
}

// Complete implements llm.Client.
func (f *Fake) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	a, ok := f.take(req)
	if !ok {
		return llm.Response{}, &llm.Error{Class: llm.Invalid, Provider: "fake", Err: fmt.Errorf("the script has no answer for %q (%s)", firstLine(req), req.Purpose)}
	}
	if a.Reply != nil {
		a.Text, a.Err = a.Reply(req)
	}
	if a.Err != nil {
		return llm.Response{}, a.Err
	}
	if a.Stop == "" {
		a.Stop = llm.StopEnd
	}
	return llm.Response{Text: a.Text, Stop: a.Stop, Usage: a.Usage, Model: req.Model}, nil
}

func (f *Fake) take(req llm.Request) (Answer, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, req)
	for _, named := range []bool{true, false} {
		for i, a := range f.script {
			spent := f.used[i] && (a.Once || !named)
			if (a.When != "") != named || spent || named && !holds(req, a.When) {
				continue
			}
			f.used[i] = true
			return a, true
		}
	}
	return Answer{}, false
}

func holds(req llm.Request, text string) bool {
	return strings.Contains(req.System, text) || strings.Contains(req.Purpose, text) ||
		slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return strings.Contains(m.Text, text) })
}

func firstLine(req llm.Request) string {
	if len(req.Messages) == 0 {
		return ""
	}
	line, _, _ := strings.Cut(req.Messages[len(req.Messages)-1].Text, "\n")
	return line[:min(len(line), 80)]
}
