package methods

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"assay/agents"
	"assay/llm"
	"assay/trajectory"
)

// Prompt is one call of the model.
type Prompt struct {
	System   string
	Messages []llm.Message
	// Temperature is left to the provider where it is nil.
	Temperature *float64
	// Sample numbers repeated calls of one prompt from 0, of Samples in all (0
	// means 1): equal calls are answered from the cache. The samples of a later
	// attempt follow those of the ones before, so that methods with the same
	// prompt share them.
	Sample, Samples int
	// MaxTokens bounds the answer; 0 means the provider's default.
	MaxTokens int
}

// Say is a prompt of one message.
func Say(text string) Prompt {
	return Prompt{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// At is the prompt with a temperature.
func (p Prompt) At(temperature float64) Prompt {
	p.Temperature = &temperature
	return p
}

// Answer is what the model said.
type Answer struct {
	Text string // "" where the model said nothing
	// Cut says that the limit on its length cut the answer off.
	Cut bool
}

// EndError says that the model cannot be asked any more, or would not answer.
type EndError struct {
	End agents.End // budget, refused, context_window, denied, infrastructure
	Err error
}

func (e *EndError) Error() string { return fmt.Sprintf("asking the model: %s: %v", e.End, e.Err) }

func (e *EndError) Unwrap() error { return e.Err }

// seedStep is between the seeds of two samples, so that those of attempts, which
// follow one another, differ from them.
const seedStep = 10_007

// Ask makes one call of the model. step names it in the trajectory. The error is
// an EndError, the context's, or says that the request is wrong.
func (d *Desk) Ask(ctx context.Context, step string, p Prompt) (Answer, error) {
	d.calling.Lock()
	defer d.calling.Unlock()
	req := llm.Request{
		Model: d.parts.ModelName, System: p.System, Messages: p.Messages, Temperature: p.Temperature, MaxTokens: p.MaxTokens,
		Sample: (d.parts.Task.Attempt-1)*max(p.Samples, 1) + p.Sample, Purpose: step,
	}
	if d.parts.Seed != 0 {
		seed := d.parts.Seed + seedStep*int64(p.Sample)
		req.Seed = &seed
	}
	e := trajectory.Event{Step: step, Kind: trajectory.CallEvent, At: d.parts.Now(), System: p.System, Model: d.parts.ModelName, Requests: -d.requests()}
	for _, m := range p.Messages {
		e.Messages = append(e.Messages, trajectory.EventMessage{Role: string(m.Role), Text: m.Text})
	}
	res, err := d.parts.Model.Complete(ctx, req)
	e.Seconds = d.parts.Now().Sub(e.At).Seconds()
	e.Requests += d.requests()
	if d.parts.Requests == nil && !res.Cached {
		e.Requests = 1
	}
	answer, err := settled(res, err)
	e.Answer, e.Cut, e.Cached = answer.Text, answer.Cut, res.Cached
	if err != nil {
		e.Error = err.Error()
	}
	d.add(e)
	fmt.Fprintf(d.parts.Log, "%s: asked the model: %s\n", step, outcomeOf(e))
	return answer, err
}

func (d *Desk) requests() int {
	if d.parts.Requests == nil {
		return 0
	}
	return d.parts.Requests()
}

func outcomeOf(e trajectory.Event) string {
	if e.Error != "" {
		return e.Error
	}
	return fmt.Sprintf("%d bytes in %.1f s", len(e.Answer), e.Seconds)
}

// settled returns the answer, or an error if the call ended the attempt. A
// provider's response without text is an empty answer.
func settled(res llm.Response, err error) (Answer, error) {
	var e *llm.Error
	switch {
	case err == nil:
		return Answer{Text: res.Text, Cut: res.Stop == llm.StopLength}, nil
	case !errors.As(err, &e):
		return Answer{}, err
	case e.Class == llm.Malformed && e.Status == http.StatusOK:
		return Answer{}, nil
	}
	if end, known := ends()[e.Class]; known {
		return Answer{}, &EndError{End: end, Err: err}
	}
	return Answer{}, fmt.Errorf("asking the model: %w", err)
}

// ends are those of an attempt by what a call failed with.
func ends() map[llm.Class]agents.End {
	return map[llm.Class]agents.End{
		llm.OverBudget: agents.Budget, llm.Refused: agents.Refused, llm.TooLong: agents.ContextWindow,
		llm.Authentication: agents.Denied, llm.NotFound: agents.Denied,
		llm.Quota: agents.Infrastructure, llm.RateLimited: agents.Infrastructure, llm.Overloaded: agents.Infrastructure,
		llm.Network: agents.Infrastructure, llm.Malformed: agents.Infrastructure,
	}
}

// encode is a value as JSON; what cannot be encoded is written as text.
func encode(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		data, _ = json.Marshal(fmt.Sprint(v))
	}
	return data
}
