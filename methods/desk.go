package methods

import (
	"context"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"

	"assay/languages/syntax"
	"assay/llm"
	"assay/llm/prompts"
	"assay/trajectory"
)

// Desk is what a method works with in one attempt. Every step that it takes
// there is written down, in its order. It is safe for concurrent use; calls of
// the model are made one at a time.
type Desk struct {
	parts Parts

	calling sync.Mutex // one call of the model at a time
	mu      sync.Mutex
	events  []trajectory.Event
	calls   int
	kept    map[string][]byte
}

// Parts are what a desk is made of.
type Parts struct {
	Task View
	Tree Tree
	// Model answers; ModelName is provider/model.
	Model     llm.Client
	ModelName string
	// Seed is that of the attempt; 0 for none. Each sample of a prompt has one of
	// its own.
	Seed    int64
	Tests   TestRunner
	Tools   ToolRunner
	Prompts prompts.Set
	// Settings hold a value for each of the method's.
	Settings map[string]float64
	// Log receives a line for each step, for people; nil discards it.
	Log io.Writer
	// Now is the clock; nil means the real one.
	Now func() time.Time
	// Requests counts the requests that reached the session; nil means that each
	// call is one.
	Requests func() int
}

// Tree is the repository at the task's start.
type Tree interface {
	// Paths are those of all files, sorted.
	Paths() []string
	// Read gives a file's content. Where there is none, the error wraps
	// fs.ErrNotExist.
	Read(path string) ([]byte, error)
}

// TestRunner runs tests in the task's environment.
type TestRunner interface {
	RunTests(ctx context.Context, t Trial) (Run, error)
}

// NewDesk opens a desk.
func NewDesk(p Parts) *Desk {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Log == nil {
		p.Log = io.Discard
	}
	return &Desk{parts: p}
}

// Task is what the method may see of the task.
func (d *Desk) Task() View { return d.parts.Task }

// Tree is the repository at the task's start.
func (d *Desk) Tree() Tree { return d.parts.Tree }

// Number is the value of one of the method's settings.
func (d *Desk) Number(setting string) float64 { return d.parts.Settings[setting] }

// Count is Number for a setting without a fraction.
func (d *Desk) Count(setting string) int { return int(d.parts.Settings[setting]) }

// Template fills a prompt, which the user may have replaced.
func (d *Desk) Template(name string, data any) (string, error) {
	return d.parts.Prompts.Render(name, data)
}

// Parse reads the structure of a source of the task's language.
func (d *Desk) Parse(src []byte) (*syntax.File, error) {
	return syntax.Parse(d.parts.Task.Language.About().Name, src)
}

// Tests are the tests that a source declares.
func (d *Desk) Tests(path string, src []byte) ([]syntax.Test, error) {
	return d.parts.Task.Language.Tests(path, src)
}

// Note writes down a step that is neither a call nor a run: what went in and
// what came out, as JSON.
func (d *Desk) Note(step string, input, output any) {
	d.add(trajectory.Event{Step: step, Kind: trajectory.NoteEvent, At: d.parts.Now(), Input: encode(input), Output: encode(output)})
	fmt.Fprintf(d.parts.Log, "%s\n", step)
}

// Keep keeps a file with the attempt, in its folder agent/; one of the same name is
// replaced.
func (d *Desk) Keep(name string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil {
		d.kept = map[string][]byte{}
	}
	d.kept[name] = data
}

// Kept are the files that the method keeps with the attempt, by name.
func (d *Desk) Kept() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.kept)
}

// Model is the model that answers, as provider/model.
func (d *Desk) Model() string { return d.parts.ModelName }

// Journal is what was written down so far, a line of JSON for each step.
func (d *Desk) Journal() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return trajectory.WriteEvents(d.events)
}

// Calls counts the calls of the model, those included that the cache answered.
func (d *Desk) Calls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls
}

func (d *Desk) add(e trajectory.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.Kind == trajectory.CallEvent {
		d.calls++
	}
	d.events = append(d.events, e)
}
