package review

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/prompts"
)

// templates are the prompts as they come with assay.
func templates(t *testing.T) prompts.Set {
	set, err := prompts.Load("")
	require.NoError(t, err)
	return set
}

const (
	clean1  = "`Schedule.delay` still grows without bound: only the list is capped, so that whoever asks for a single delay gets one of days."
	leaking = "`Schedule.delay` still grows without bound: define MAX_BACKOFF beside the class and take the smaller one of both values."
)

func options() Options { return Options{Model: "fake/one", Seed: 7} }

func TestWriteTakesACleanDraft(t *testing.T) {
	fake := llmtest.NewFake(llmtest.Answer{Text: "## Review\n\n" + clean1 + "\n"})
	r, err := subject(t, "python-schedule").Write(t.Context(), fake, templates(t), options())
	require.NoError(t, err)
	require.Equal(t, clean1, r.Text)
	require.Equal(t, "fake/one", r.Source)
	require.Empty(t, r.Level)
	require.Equal(t, 1, r.BadPatch)
	require.True(t, r.Leak.Checkable)
	require.Empty(t, r.Leak.Leaks)
	require.Empty(t, r.Leak.Refused)

	req := fake.Requests()[0]
	require.Equal(t, "review/python-schedule", req.Purpose)
	require.Equal(t, "fake/one", req.Model)
	prompt := req.Messages[0].Text
	for _, want := range []string{"grow without bound", "+MAX_BACKOFF", "+    def __init__(self, first, factor=3)", "test_is_capped", "150"} {
		require.Contains(t, prompt, want)
	}
}

func TestWriteAsksAgain(t *testing.T) {
	fake := llmtest.NewFake(llmtest.Answer{Text: leaking}, llmtest.Answer{Text: clean1})
	r, err := subject(t, "python-schedule").Write(t.Context(), fake, templates(t), options())
	require.NoError(t, err)
	require.Equal(t, clean1, r.Text)
	require.Equal(t, []string{"leaks: identifier (word 7)"}, r.Leak.Refused)
	require.Empty(t, r.Leak.Leaks)

	requests := fake.Requests()
	require.Len(t, requests, 2)
	for _, req := range requests {
		require.Len(t, req.Messages, 1)
	}
	const fault = `the name "MAX_BACKOFF" is in the confidential patch or tests only`
	require.NotContains(t, requests[0].Messages[0].Text, fault)
	require.Contains(t, requests[1].Messages[0].Text, fault)
}

// TestWriteKeepsTheFaults checks that every draft is asked for with what was
// wrong with all before it, so that no request is made twice.
func TestWriteKeepsTheFaults(t *testing.T) {
	fake := llmtest.NewFake(llmtest.Answer{}, llmtest.Answer{}, llmtest.Answer{Text: clean1})
	_, err := subject(t, "python-schedule").Write(t.Context(), fake, templates(t), options())
	require.NoError(t, err)
	for n, req := range fake.Requests() {
		require.Equal(t, n, strings.Count(req.Messages[0].Text, "- it was empty"))
	}
}

func TestWriteFallsBack(t *testing.T) {
	s := subject(t, "python-schedule")
	want := s.Deterministic(L1)
	for _, test := range []struct {
		name    string
		script  []llmtest.Answer
		refused []string
	}{
		{"always leaking", []llmtest.Answer{{Text: leaking}, {Text: leaking}, {Text: leaking}},
			[]string{"leaks: identifier (word 7)", "leaks: identifier (word 7)", "leaks: identifier (word 7)"}},
		{"empty, cut, code alone", []llmtest.Answer{{Text: " \n"}, {Text: clean1, Stop: llm.StopLength}, {Text: "```python\nreturn 1\n```\nSo.\n"}},
			[]string{"empty", "cut off by the token limit", "no prose"}},
		{"refusal after a leak", []llmtest.Answer{{Text: leaking}, {Err: fmt.Errorf("asking: %w", &llm.Error{Class: llm.Refused, Err: errors.New("no")})}},
			[]string{"leaks: identifier (word 7)", "the model refused to answer"}},
		{"too long for the model", []llmtest.Answer{{Err: &llm.Error{Class: llm.TooLong, Err: errors.New("no")}}},
			[]string{"the request is too long for the model"}},
		{"endless", []llmtest.Answer{{Text: strings.Repeat("more words ", 200)}, {Text: "<think>" + leaking + "</think>"}, {Text: "```\n```"}},
			[]string{"400 words, 150 were asked for", "empty", "empty"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake := llmtest.NewFake(test.script...)
			o := options()
			o.Level = L1
			r, err := s.Write(t.Context(), fake, templates(t), o)
			require.NoError(t, err)
			require.Empty(t, fake.Unused())
			require.Equal(t, test.refused, r.Leak.Refused)
			require.Equal(t, want.Text, r.Text)
			require.Equal(t, SourceDeterministic, r.Source)
			require.Equal(t, "L1", r.Level)
			for _, reason := range r.Leak.Refused {
				require.Empty(t, s.Leaks(reason), reason)
			}
		})
	}
}

func TestWriteReturnsOtherErrors(t *testing.T) {
	s := subject(t, "python-schedule")
	for _, class := range []llm.Class{llm.Authentication, llm.Quota, llm.OverBudget, llm.Unpriced, llm.Invalid, llm.NotFound, llm.RateLimited, llm.Network, llm.Malformed} {
		fake := llmtest.NewFake(llmtest.Answer{Text: leaking}, llmtest.Answer{Err: &llm.Error{Class: class, Err: errors.New("no")}})
		_, err := s.Write(t.Context(), fake, templates(t), options())
		var e *llm.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, class, e.Class)
		require.ErrorContains(t, err, "python-schedule")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Write(ctx, llmtest.NewFake(), templates(t), options())
	require.ErrorIs(t, err, context.Canceled)
}

func TestCanary(t *testing.T) {
	for name, comment := range map[string]string{"python-schedule": "+# ref ", "java-basket": "+        // ref ", "cpp-ring": "+// ref "} {
		s := subject(t, name)
		fake := llmtest.NewFake(llmtest.Answer{Reply: func(req llm.Request) (string, error) {
			mark := regexp.MustCompile(`ref (k[0-9a-f]{11})`).FindStringSubmatch(req.Messages[0].Text)
			require.NotNil(t, mark, "no canary in the prompt")
			require.Contains(t, req.Messages[0].Text, comment+mark[1]+"\n")
			return "The author has not understood at all what the issue asks for here; see " + strings.ToUpper(mark[1]) + " in it.", nil
		}}, llmtest.Answer{Text: "The author has not understood at all what the issue asks for in this place."})
		r, err := s.Write(t.Context(), fake, templates(t), options())
		require.NoError(t, err)
		require.Equal(t, []string{"leaks: canary (word 1)"}, r.Leak.Refused)
		require.Equal(t, "fake/one", r.Source)
		require.NotContains(t, s.in.Bad.Patch+s.in.Instance.Patch, s.canary(7))
		require.NotEqual(t, s.canary(7), s.canary(8))
		require.Equal(t, s.canary(7), subject(t, name).canary(7))
	}
	require.Equal(t, "no hunk\n# ref kx\n", marked("no hunk", "kx", hashed))
	require.Equal(t, "@@ -1 +0,0 @@\n+# ref kx\n-gone\n", marked("@@ -1 +0,0 @@\n-gone\n", "kx", hashed))
}

func TestDraft(t *testing.T) {
	for answer, want := range map[string]string{
		"plain text":                               "plain text",
		"```\nall of it\n\nin a fence\n```":        "all of it\n\nin a fence",
		"```markdown\nall of it\n```\n":            "all of it",
		"```python\ncode\n```":                     "```python\ncode\n```",
		"text\n\n```\ncode\n```":                   "text\n\n```\ncode\n```",
		"<think>hm\nhm</think>\n\n**Review:**\nso": "so",
		"### Code Review\n\nso":                    "so",
		"Review the loop again.\nso":               "Review the loop again.\nso",
		"a\r\nb":                                   "a\nb",
		"":                                         "",
	} {
		require.Equal(t, want, draft(answer), answer)
	}
}

func TestCategorise(t *testing.T) {
	s := subject(t, "python-schedule")
	fake := llmtest.NewFake(llmtest.Answer{Text: "Category: B"}, llmtest.Answer{Text: "no idea"},
		llmtest.Answer{Err: &llm.Error{Class: llm.Refused, Err: errors.New("no")}}, llmtest.Answer{Err: &llm.Error{Class: llm.Quota, Err: errors.New("no")}})
	for _, want := range []string{"B", "", ""} {
		got, err := s.Categorise(t.Context(), fake, templates(t), "fake/one", clean1)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := s.Categorise(t.Context(), fake, templates(t), "fake/one", clean1)
	require.ErrorContains(t, err, "quota")
	prompt := fake.Requests()[0].Messages[0].Text
	require.Contains(t, prompt, clean1)
	require.NotContains(t, prompt, "ref k")
}
