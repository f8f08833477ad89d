package methods_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/llm"
	"assay/methods"
	"assay/methods/methodstest"
	"assay/trajectory"
)

// steps is a method that a test writes down.
type steps struct {
	solve func(ctx context.Context, d *methods.Desk) (string, error)
}

func (steps) About() methods.About {
	return methods.About{Name: "steps", Kinds: []string{"testgen"}, Settings: []methods.Setting{{Name: "samples", Default: 5, Least: 1, Most: 10, Whole: true}}}
}

func (s steps) Solve(ctx context.Context, d *methods.Desk) (string, error) { return s.solve(ctx, d) }

// TestJournal: calls, runs and notes are written down in their order, with what
// went in and what came out.
func TestJournal(t *testing.T) {
	w := &methodstest.World{
		Files: map[string]string{"a.py": "x = 1\n"}, Answers: []any{"use 2", errors.New("odd")},
		Runs: func(methods.Trial) (methods.Run, error) {
			return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{ID: "a.py::test", Status: bench.Failed, FailsBy: bench.ByAssertion}}}, nil
		},
	}
	patch, events, err := w.Solve(t.Context(), steps{func(ctx context.Context, d *methods.Desk) (string, error) {
		require.Equal(t, 5, d.Count("samples"))
		a, err := d.Ask(ctx, "plan", methods.Say("what?").At(0.5))
		require.NoError(t, err)
		require.Equal(t, methods.Answer{Text: "use 2"}, a)
		d.Note("parse", "use 2", map[string]int{"value": 2})
		p, err := d.Patch(map[string][]byte{"a.py": []byte("x = 2\n"), "b.py": []byte("y = 1\n")})
		require.NoError(t, err)
		run, err := d.Run(ctx, "try", methods.Trial{Tests: p})
		require.NoError(t, err)
		require.False(t, run.Passing())
		require.Len(t, run.Failing(), 1)
		_, err = d.Ask(ctx, "again", methods.Say("and?"))
		return p, err
	}})
	require.ErrorContains(t, err, "odd")
	require.Contains(t, patch, "-x = 1\n+x = 2\n")
	require.Contains(t, patch, "new file mode 100644")
	var got []string
	for _, e := range events {
		got = append(got, string(e.Kind)+" "+e.Step)
	}
	require.Equal(t, []string{"call plan", "note parse", "run try", "call again"}, got)
	require.Equal(t, []trajectory.EventMessage{{Role: "user", Text: "what?"}}, events[0].Messages)
	require.Equal(t, "use 2", events[0].Answer)
	require.JSONEq(t, `{"value":2}`, string(events[1].Output))
	require.Contains(t, string(events[2].Output), `"fails_by":"assertion"`)
	require.Equal(t, "odd", events[3].Error)
}

// TestEnds: what a call fails with decides what the attempt ends with, and an
// answer without a text is an empty one.
func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want agents.End // "" for no end
	}{
		{methodstest.Spent(), agents.Budget},
		{&llm.Error{Class: llm.Refused, Err: errors.New("no")}, agents.Refused},
		{&llm.Error{Class: llm.TooLong, Err: errors.New("no")}, agents.ContextWindow},
		{&llm.Error{Class: llm.Authentication, Err: errors.New("no")}, agents.Denied},
		{&llm.Error{Class: llm.Network, Err: errors.New("no")}, agents.Infrastructure},
		{&llm.Error{Class: llm.Malformed, Status: 200, Err: errors.New("no text")}, ""},
	} {
		w := &methodstest.World{Answers: []any{tt.err}}
		_, _, err := w.Solve(t.Context(), steps{func(ctx context.Context, d *methods.Desk) (string, error) {
			a, err := d.Ask(ctx, "ask", methods.Say("?"))
			require.Empty(t, a.Text)
			return "", err
		}})
		if tt.want == "" {
			require.NoError(t, err)
			continue
		}
		var end *methods.EndError
		require.ErrorAs(t, err, &end)
		require.Equal(t, tt.want, end.End)
	}
}

// TestSamples: the samples of a later attempt follow those of the ones before.
func TestSamples(t *testing.T) {
	w := &methodstest.World{Task: methods.View{Attempt: 3}, Answers: []any{"a", "b"}}
	_, _, err := w.Solve(t.Context(), steps{func(ctx context.Context, d *methods.Desk) (string, error) {
		p := methods.Say("?")
		p.Samples, p.Sample = 5, 2
		_, err := d.Ask(ctx, "one of five", p)
		require.NoError(t, err)
		_, err = d.Ask(ctx, "alone", methods.Say("?"))
		return "", err
	}})
	require.NoError(t, err)
	require.Equal(t, 12, w.Requests()[0].Sample)
	require.Equal(t, 2, w.Requests()[1].Sample)
}

// TestPatchStaysInside: no answer of a model leads out of the repository.
func TestPatchStaysInside(t *testing.T) {
	w := &methodstest.World{}
	for _, p := range []string{"../x", "/etc/passwd", ".git/hooks/pre-commit", "a//b", "", ".", "a/../../b"} {
		_, _, err := w.Solve(t.Context(), steps{func(_ context.Context, d *methods.Desk) (string, error) {
			return d.Patch(map[string][]byte{p: []byte("x")})
		}})
		require.ErrorContains(t, err, "is no path in the repository", p)
	}
}

func TestReadSettings(t *testing.T) {
	about := steps{}.About()
	got, err := methods.ReadSettings(about, []string{"samples=3"})
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"samples": 3}, got)
	for text, want := range map[string]string{
		"samples": "expected NAME=VALUE", "rounds=2": "steps has no such setting (it has samples)", "samples=0": "expected a whole number from 1 to 10",
		"samples=2.5": "expected a whole number", "samples=x": "expected a whole number", "samples=NaN": "expected a whole number",
	} {
		_, err := methods.ReadSettings(about, []string{text})
		require.ErrorContains(t, err, want)
	}
	_, err = methods.ReadSettings(about, []string{"samples=3", "samples=3"})
	require.ErrorContains(t, err, "is given twice")
}
