package trajectory

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// record is that of a session with two exchanges.
const record = `{"n":1,"reserved_usd":0.1}
{"n":1,"at":"2026-01-02T03:04:05Z","protocol":"chat","model":"m","usage":{"prompt":100,"completion":10,"cached":5},"usd":0.25,"status":200}
{"n":2,"reserved_usd":0.1}
{"n":2,"at":"2026-01-02T03:04:06Z","protocol":"chat","model":"m","usage":{"prompt":50,"completion":5},"usd":0.5,"status":200}
`

func event(kind EventKind, step string, with func(*Event)) Event {
	e := Event{Kind: kind, Step: step, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seconds: 2}
	if with != nil {
		with(&e)
	}
	return e
}

// TestFromEvents: every step is there in its order; a call has the figures of its
// exchanges, one that the cache answered has none.
func TestFromEvents(t *testing.T) {
	events := []Event{
		event(NoteEvent, "retrieve", func(e *Event) {
			e.Input, e.Output = json.RawMessage(`{"query":"x"}`), json.RawMessage(`["a.py"]`)
		}),
		event(CallEvent, "write", func(e *Event) {
			e.System, e.Model, e.Answer, e.Requests = "be short", "p/m", "done", 2
			e.Messages = []EventMessage{{"user", "one"}, {"assistant", "two"}, {"user", "three"}}
		}),
		event(RunEvent, "run", func(e *Event) { e.Input, e.Error = json.RawMessage(`"text"`), "no machine" }),
		event(CallEvent, "again", func(e *Event) {
			e.System, e.Messages, e.Answer, e.Cached = "be short", []EventMessage{{"user", "four"}}, "five", true
		}),
		event(CallEvent, "last", func(e *Event) { e.Messages, e.Error = []EventMessage{{"user", "six"}}, "spent" }),
	}
	tr, err := FromEvents(Meta{Agent: "a", Model: "p/m"}, strings.NewReader(record), bytes.NewReader(WriteEvents(events)))
	require.NoError(t, err)
	var got []string
	for _, s := range tr.Steps {
		got = append(got, string(s.Source)+": "+s.Message.Text)
	}
	require.Equal(t, []string{
		"agent: retrieve", "system: be short", "user: one", "agent: two", "user: three", "agent: done", "agent: run", "user: four", "agent: five", "user: six",
		"system: The call of the model failed: spent",
	}, got)
	note, answer, run, cached := tr.Steps[0], tr.Steps[5], tr.Steps[6], tr.Steps[8]
	require.Equal(t, 0, *note.LLMCallCount)
	require.Equal(t, map[string]any{"query": "x"}, note.ToolCalls[0].Arguments)
	require.Equal(t, `["a.py"]`, note.Observation.Results[0].Content.Text)
	require.True(t, tr.Steps[3].IsCopiedContext)
	require.Equal(t, int64(150), *answer.Metrics.PromptTokens)
	require.InDelta(t, 0.75, *answer.Metrics.CostUSD, 1e-9)
	require.Equal(t, []int64{1, 2}, answer.Extra["exchanges"])
	require.Equal(t, map[string]any{"input": "text"}, run.ToolCalls[0].Arguments)
	require.Equal(t, "no machine", run.Observation.Results[0].Content.Text)
	require.Nil(t, cached.Metrics)
	require.Equal(t, true, cached.Extra["cached"])
	require.InDelta(t, 0.75, *tr.FinalMetrics.CostUSD, 1e-9)
}

// TestFromEventsWithoutCalls: recordings need no session, and exchanges that
// belong to no event are shown at the end.
func TestFromEventsWithoutCalls(t *testing.T) {
	tr, err := FromEvents(Meta{}, strings.NewReader(""), strings.NewReader(""))
	require.NoError(t, err)
	require.Len(t, tr.Steps, 1)
	tr, err = FromEvents(Meta{}, strings.NewReader(record), bytes.NewReader(WriteEvents([]Event{event(NoteEvent, "x", nil)})))
	require.NoError(t, err)
	require.Len(t, tr.Steps, 3)
	require.InDelta(t, 0.75, *tr.FinalMetrics.CostUSD, 1e-9)
	_, err = FromEvents(Meta{}, strings.NewReader(""), strings.NewReader("{\"step\":\"x\"}\n{"))
	require.ErrorContains(t, err, "journal: event 2")
	_, err = FromEvents(Meta{}, strings.NewReader(""), strings.NewReader("{\"stap\":\"x\"}\n"))
	require.ErrorContains(t, err, "journal: event 1")
}

// FuzzFromEvents: a journal of any content is an error or a valid trajectory.
func FuzzFromEvents(f *testing.F) {
	f.Add(record, string(WriteEvents([]Event{event(CallEvent, "x", func(e *Event) { e.Requests = 9 }), event(RunEvent, "", nil)})))
	f.Fuzz(func(t *testing.T, calls, events string) {
		tr, err := FromEvents(Meta{}, strings.NewReader(calls), strings.NewReader(events))
		if err == nil {
			require.NoError(t, tr.Validate())
		}
	})
}
