package trajectory

import (
	"fmt"
	"slices"
	"time"

	"assay/proxy"
)

// hear adds the messages of a request that are not the model's.
func (t *thread) hear(x proxy.Exchange, messages []message) {
	at := x.At.UTC().Format(time.RFC3339Nano)
	for _, m := range messages {
		switch m.role {
		case agentRole:
			t.copied(m, at)
		case systemRole:
			t.steps = append(t.steps, Step{Source: System, Message: plain(m.text), Timestamp: at})
		default:
			for _, r := range m.results {
				t.result(r)
			}
			if m.text != "" {
				t.steps = append(t.steps, Step{Source: User, Message: plain(m.text), Timestamp: at})
			}
		}
	}
}

// copied adds what the request says that the model said, though no exchange
// shows it: examples, or a conversation of before.
func (t *thread) copied(m message, at string) {
	s := Step{Source: AgentOwn, Message: plain(m.text), ReasoningContent: m.reasoning, Timestamp: at, IsCopiedContext: true}
	t.callsOf(&s, m.calls, 0)
	t.steps = append(t.steps, s)
}

// callsOf gives a step its calls; those without an id get one.
func (t *thread) callsOf(s *Step, calls []ToolCall, n int64) {
	for i, c := range calls {
		if c.ID == "" || t.has(c.ID) {
			c.ID = fmt.Sprintf("call_%d_%d_%d", n, len(t.steps)+1, i+1)
		}
		if c.Function == "" {
			c.Function = "unknown"
		}
		t.calls[c.ID] = len(t.steps)
		t.pending = append(t.pending, c.ID)
		s.ToolCalls = append(s.ToolCalls, c)
	}
}

func (t *thread) has(id string) bool {
	_, found := t.calls[id]
	return found
}

// result adds what a tool gave to the step that called it: by its id, or
// without one by the name of the first call that waits.
func (t *thread) result(r toolResult) {
	id := r.id
	if !t.has(id) {
		id = t.waiting(r.name)
	} else if !slices.Contains(t.pending, id) {
		return // it is there already; agents shorten old ones
	}
	t.done(id)
	at, known := t.calls[id]
	if !known {
		at = t.lastOwn()
		id = ""
	}
	text := plain(r.text)
	if at < 0 {
		t.steps = append(t.steps, Step{Source: User, Message: text})
		return
	}
	if t.steps[at].Observation == nil {
		t.steps[at].Observation = &Observation{}
	}
	o := t.steps[at].Observation
	o.Results = append(o.Results, Result{SourceCallID: id, Content: &text})
}

func (t *thread) waiting(name string) string {
	for _, id := range t.pending {
		for _, c := range t.steps[t.calls[id]].ToolCalls {
			if c.ID == id && (name == "" || c.Function == name) {
				return id
			}
		}
	}
	return ""
}

func (t *thread) done(id string) {
	for i, p := range t.pending {
		if p == id {
			t.pending = append(t.pending[:i:i], t.pending[i+1:]...)
			return
		}
	}
}

func (t *thread) lastOwn() int {
	for i := len(t.steps) - 1; i >= 0; i-- {
		if t.steps[i].Source == AgentOwn {
			return i
		}
	}
	return -1
}

// speak adds the model's answer.
func (t *thread) speak(x proxy.Exchange, m message) {
	once := 1
	s := Step{
		Source: AgentOwn, Message: plain(m.text), ReasoningContent: m.reasoning, LLMCallCount: &once,
		Timestamp: x.At.Add(time.Duration(x.Seconds * float64(time.Second))).UTC().Format(time.RFC3339Nano),
		ModelName: x.Model, Metrics: metricsOf(x), Extra: map[string]any{"exchange": x.N},
	}
	switch t.effort.(type) {
	case string, float64:
		s.ReasoningEffort = t.effort
	}
	t.callsOf(&s, m.calls, x.N)
	t.said, t.text, t.spoken = s.ToolCalls, m.text, true
	t.steps = append(t.steps, s)
}

func metricsOf(x proxy.Exchange) *Metrics {
	u := x.Usage
	m := &Metrics{PromptTokens: &u.Prompt, CompletionTokens: &u.Completion, CachedTokens: &u.Cached, CostUSD: &x.USD, Extra: map[string]any{"seconds": x.Seconds}}
	if u.Reasoning > 0 {
		m.Extra["reasoning_tokens"] = u.Reasoning
	}
	if u.CacheWrites > 0 {
		m.Extra["cache_write_tokens"] = u.CacheWrites
	}
	if x.Estimated {
		m.Extra["estimated"] = true
	}
	if x.Retries > 0 {
		m.Extra["retries"] = x.Retries
	}
	return m
}

// fail says that a call failed, or was cut; the same again only counts.
func (t *thread) fail(x proxy.Exchange, said bool) {
	s := failure(x)
	if said { // a part of the answer is there
		t.steps[len(t.steps)-1].Extra["error"] = x.Error
		return
	}
	if last := len(t.steps) - 1; last >= 0 && t.steps[last].sameFailure(s) {
		n, _ := t.steps[last].Extra["times"].(int)
		t.steps[last].Extra["times"] = max(n, 1) + 1
		return
	}
	t.steps = append(t.steps, s)
}

// sameFailure reports whether a step is of a failed call too, and says the same.
// A system message of the agent can have the same text: it is of no exchange, and
// its Extra is nil.
func (s Step) sameFailure(other Step) bool {
	_, ofCall := s.Extra["exchange"]
	return ofCall && s.Source == System && s.Message.Text == other.Message.Text
}

func failure(x proxy.Exchange) Step {
	text := "The call of the model failed: " + x.Error
	if x.Refused != "" {
		text = "The call of the model was refused: " + x.Refused
	}
	return Step{
		Source: System, Message: plain(text), Timestamp: x.At.UTC().Format(time.RFC3339Nano),
		Extra: map[string]any{"exchange": x.N, "status": x.Status},
	}
}

// restarted adds a step for an agent that began a new conversation.
func (t *thread) restarted() {
	t.steps = append(t.steps, Step{Source: System, Message: plain("The agent goes on with a new history."), Extra: map[string]any{"history": "replaced"}})
	t.pending = nil
}
