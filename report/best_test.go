package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestBest: a task counts where one of the attempts does; a submitter with one
// attempt, and a task that was never judged, do not.
func TestBest(t *testing.T) {
	s := &Summary{}
	add := func(model, id string, v bench.Verdict, success bool) {
		s.Add(bench.Result{Task: "testgen", Language: "python", Model: model, InstanceID: id, Verdict: v, Transitions: &bench.Transitions{Applies: v != bench.InvalidPatch, FailToPass: success}})
	}
	add("a", "1", bench.InvalidPatch, false)
	add("a#2", "1", bench.Resolved, true)
	add("a#3", "1", bench.Unresolved, false)
	add("a", "2", bench.Unresolved, true)
	add("a#2", "2", bench.InvalidPatch, false)
	add("a", "3", bench.InvalidPatch, false)
	add("a", "4", bench.Infra, false)
	add("a#2", "4", bench.HarnessError, false)
	add("b", "1", bench.Resolved, true)
	s.Add(bench.Result{Task: "review", Language: "python", Model: "b", InstanceID: "1", Verdict: bench.Resolved, Review: &bench.ReviewFacts{BadPatch: 1}})
	s.Add(bench.Result{Task: "review", Language: "python", Model: "b", InstanceID: "1", Verdict: bench.Resolved, Review: &bench.ReviewFacts{BadPatch: 2}})
	s.Sort([]string{"testgen", "review"})
	require.Equal(t, []Best{{Task: "testgen", Language: "python", Model: "a", Attempts: 3, Resolved: Rate{1, 3}, Applies: Rate{2, 3}, FailToPass: Rate{2, 3}}}, s.Best)
	var out bytes.Buffer
	require.NoError(t, s.Text(&out))
	require.Contains(t, out.String(), "│ testgen   │ python   │ a          │ 3 │      1/3 │ 33.3 % │     2/3 │       2/3 │")
}

// TestBestOfParts: the parts of an instance are tasks of their own.
func TestBestOfParts(t *testing.T) {
	s := &Summary{}
	for _, r := range []struct {
		model, part string
		verdict     bench.Verdict
	}{{"a", "1", bench.Resolved}, {"a#2", "1", bench.Unresolved}, {"a", "2", bench.Unresolved}, {"a#2", "2", bench.Unresolved}} {
		s.Add(bench.Result{Task: "review", Language: "python", Model: r.model, InstanceID: "1", Part: r.part, Verdict: r.verdict, Review: &bench.ReviewFacts{}})
	}
	s.Sort([]string{"review"})
	require.Len(t, s.Best, 1)
	require.Equal(t, 2, s.Best[0].Attempts)
	require.Equal(t, Rate{1, 2}, s.Best[0].Resolved)
}
