package trajectory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Event is one step of an agent that is part of assay, as it writes it down
// itself: a call of the model, a run of tests, or a note of anything else. Events
// are kept one a line.
type Event struct {
	Step    string    `json:"step"` // what it was for
	Kind    EventKind `json:"kind"`
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds,omitempty"`

	// Input and Output are those of runs and notes.
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`

	// These are of calls. Requests counts the exchanges of the record that belong
	// to the call: none where the answer came from a cache or a recording.
	Model    string         `json:"model,omitempty"`
	System   string         `json:"system,omitempty"`
	Messages []EventMessage `json:"messages,omitempty"`
	Answer   string         `json:"answer,omitempty"`
	Cut      bool           `json:"cut,omitempty"`
	Cached   bool           `json:"cached,omitempty"`
	Requests int            `json:"requests,omitempty"`

	Error string `json:"error,omitempty"`
}

// EventMessage is one turn of a call.
type EventMessage struct {
	Role string `json:"role"` // user or assistant
	Text string `json:"text"`
}

// EventKind is what an event is.
type EventKind string

// The kinds of events.
const (
	CallEvent EventKind = "call"
	RunEvent  EventKind = "run"
	NoteEvent EventKind = "note"
)

// WriteEvents writes events, one a line.
func WriteEvents(events []Event) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, event := range events {
		_ = e.Encode(event) // its parts were encoded before
	}
	return out.Bytes()
}

// ReadEvents reads what WriteEvents wrote.
func ReadEvents(r io.Reader) ([]Event, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var out []Event
	for {
		var e Event
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("journal: event %d: %w", len(out)+1, err)
		}
		out = append(out, e)
	}
}
