package trajectory

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"assay/proxy"
)

// FromEvents makes a trajectory of what an agent that is part of assay wrote
// down, with the figures of its calls from the record of its session. A call of
// the model is what was said to it and a step of the agent; a run of tests, and
// any other step, is one of the agent with a call of a tool of its name, and no
// call of a model.
func FromEvents(meta Meta, calls, events io.Reader) (Trajectory, error) {
	exchanges, err := readExchanges(calls)
	if err != nil {
		return Trajectory{}, err
	}
	all, err := ReadEvents(events)
	if err != nil {
		return Trajectory{}, err
	}
	b := &eventBuilder{exchanges: exchanges}
	for _, e := range all {
		b.event(e)
	}
	for _, x := range b.exchanges { // of a call that was cut
		b.sum.add(x)
		b.steps = append(b.steps, failure(x))
	}
	out := (&builder{meta: meta, failed: b.steps, sum: b.sum}).empty()
	return out, out.Validate()
}

// eventBuilder follows events.
type eventBuilder struct {
	exchanges []proxy.Exchange // that belong to no event yet
	steps     []Step
	system    string // that was said last
	sum       sums
}

func (b *eventBuilder) event(e Event) {
	if e.Kind == CallEvent {
		b.call(e)
		return
	}
	none := 0
	s := Step{
		Source: AgentOwn, Message: plain(e.Step), Timestamp: stamp(e.At), LLMCallCount: &none,
		ToolCalls: []ToolCall{{ID: fmt.Sprintf("step_%d", len(b.steps)+1), Function: string(e.Kind), Arguments: argumentsOf(e)}},
		Extra:     map[string]any{"step": e.Step, "seconds": e.Seconds},
	}
	text := plain(shownJSON(e.Output))
	if e.Error != "" {
		text = plain(e.Error)
	}
	s.Observation = &Observation{Results: []Result{{SourceCallID: s.ToolCalls[0].ID, Content: &text}}}
	b.steps = append(b.steps, s)
}

// call adds what was said to the model, and what it answered.
func (b *eventBuilder) call(e Event) {
	extra := map[string]any{"step": e.Step}
	if e.System != "" && e.System != b.system {
		b.steps = append(b.steps, Step{Source: System, Message: plain(e.System), Timestamp: stamp(e.At), Extra: extra})
	}
	b.system = e.System
	for _, m := range e.Messages {
		s := Step{Source: User, Message: plain(m.Text), Timestamp: stamp(e.At), Extra: extra}
		if m.Role != "user" {
			s.Source, s.IsCopiedContext = AgentOwn, true
		}
		b.steps = append(b.steps, s)
	}
	metrics, numbers := b.take(e.Requests)
	if e.Error != "" {
		failed := map[string]any{"step": e.Step, "exchanges": numbers}
		b.steps = append(b.steps, Step{Source: System, Message: plain("The call of the model failed: " + e.Error), Timestamp: stamp(e.At), Extra: failed})
		return
	}
	once := 1
	answer := Step{
		Source: AgentOwn, Message: plain(e.Answer), ModelName: e.Model, LLMCallCount: &once, Metrics: metrics,
		Timestamp: stamp(e.At.Add(time.Duration(e.Seconds * float64(time.Second)))), Extra: map[string]any{"step": e.Step},
	}
	if e.Cached {
		answer.Extra["cached"] = true
	} else {
		answer.Extra["exchanges"] = numbers
	}
	if e.Cut {
		answer.Extra["cut"] = true
	}
	b.steps = append(b.steps, answer)
}

// take takes the exchanges of a call, and sums up their figures.
func (b *eventBuilder) take(n int) (*Metrics, []int64) {
	n = min(max(n, 0), len(b.exchanges))
	if n == 0 {
		return nil, nil
	}
	var numbers []int64
	var of sums
	for _, x := range b.exchanges[:n] {
		of.add(x)
		numbers = append(numbers, x.N)
	}
	b.exchanges = b.exchanges[n:]
	b.sum.include(of)
	m := &Metrics{PromptTokens: &of.prompt, CompletionTokens: &of.completion, CachedTokens: &of.cached, CostUSD: &of.usd}
	if of.estimated {
		m.Extra = map[string]any{"estimated": true}
	}
	return m, numbers
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// argumentsOf is an event's input as the arguments of a call.
func argumentsOf(e Event) map[string]any {
	out := map[string]any{}
	if len(e.Input) == 0 {
		return out
	}
	if json.Unmarshal(e.Input, &out) == nil && out != nil {
		return out
	}
	var input any
	_ = json.Unmarshal(e.Input, &input)
	return map[string]any{"input": input}
}

// shownJSON is a text as it is, and anything else as JSON.
func shownJSON(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
