package harnesstest

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func observeChecks() []check {
	return []check{{"layers", observeLayers}, {"jobs", observeJob}}
}

// observed is what an observer received.
type observed struct {
	mu     sync.Mutex
	events []harness.Event
}

func (o *observed) tell(e harness.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, e)
}

// observeLayers: the observer gets every layer that is made, and what its
// script prints; nothing about a layer that exists already.
func observeLayers(t *testing.T, s *suite) {
	low := s.layer("echo from low", "echo "+nonce()+" > /opt/f")
	low.Name = "low"
	top := s.layer("echo from top")
	top.Name, top.Parent = "top", &low
	var seen observed
	ctx := harness.Observe(t.Context(), seen.tell)
	name, err := s.Prepare(ctx, top)
	require.NoError(t, err)
	defer s.discard(t, name)
	want := []harness.Event{
		{Phase: harness.Installing, Name: "low"}, {Line: "from low"},
		{Phase: harness.Installing, Name: "top"}, {Line: "from top"},
	}
	require.Equal(t, want, seen.events)
	_, err = s.Prepare(ctx, top)
	require.NoError(t, err)
	require.Equal(t, want, seen.events)
}

// observeJob: the last line that a job prints is reported.
func observeJob(t *testing.T, s *suite) {
	var seen observed
	_, err := s.Run(harness.Observe(t.Context(), seen.tell), s.job(script("echo one", "echo two >&2")))
	require.NoError(t, err)
	require.True(t, slices.Contains(seen.events, harness.Event{Line: "two"}), "%v", seen.events)
}
