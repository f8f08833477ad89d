package llmtest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

func say(text string) llm.Request {
	return llm.Request{Model: "a/b", Messages: []llm.Message{{Role: llm.User, Text: text}}, Purpose: "p"}
}

func TestFake(t *testing.T) {
	trouble := errors.New("trouble")
	fake := NewFake(
		Answer{Text: "first"},
		Answer{When: "apple", Text: "pie", Usage: llm.Usage{Input: 1}},
		Answer{When: "plum", Err: trouble, Once: true},
		Answer{When: "plum", Reply: func(r llm.Request) (string, error) { return r.Messages[0].Text + "?", nil }},
		Answer{Text: "second", Stop: llm.StopLength},
		Answer{When: "never"},
	)
	ask := func(text string) (llm.Response, error) { return fake.Complete(t.Context(), say(text)) }
	for _, want := range []struct {
		prompt, text string
		stop         llm.Stop
	}{
		{"one apple", "pie", llm.StopEnd}, {"x", "first", llm.StopEnd}, {"two apples", "pie", llm.StopEnd}, {"y", "second", llm.StopLength},
	} {
		res, err := ask(want.prompt)
		require.NoError(t, err)
		require.Equal(t, want.text, res.Text)
		require.Equal(t, want.stop, res.Stop)
	}
	_, err := ask("a plum")
	require.ErrorIs(t, err, trouble)
	res, err := ask("a plum")
	require.NoError(t, err)
	require.Equal(t, "a plum?", res.Text)

	_, err = ask("nothing left\nsecond line")
	var e *llm.Error
	require.ErrorAs(t, err, &e)
	require.ErrorContains(t, err, `the script has no answer for "nothing left" (p)`)
	require.Len(t, fake.Requests(), 7)
	require.Equal(t, []Answer{{When: "never"}}, fake.Unused())

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = fake.Complete(ctx, say("apple"))
	require.ErrorIs(t, err, context.Canceled)
}

func TestFakeLooksAtSystemAndPurpose(t *testing.T) {
	fake := NewFake(Answer{When: "in-system", Text: "s"}, Answer{When: "task-9", Text: "t"})
	res, err := fake.Complete(t.Context(), llm.Request{System: "this is in-system"})
	require.NoError(t, err)
	require.Equal(t, "s", res.Text)
	res, err = fake.Complete(t.Context(), llm.Request{Purpose: "review/task-9"})
	require.NoError(t, err)
	require.Equal(t, "t", res.Text)
}
