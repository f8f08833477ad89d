package modelsource

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/prompts"
)

// asker asks a fake with a script.
func asker(t testing.TB, script ...llmtest.Answer) (Asker, *llmtest.Fake) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	fake := llmtest.NewFake(script...)
	return Asker{Client: fake, Model: "fake/model", Prompts: set}, fake
}

// always returns one answer to everything.
func always(text string) llmtest.Answer {
	return llmtest.Answer{When: "badpatch/", Text: text}
}

// block is a search/replace block.
func block(path, search, replace string) string {
	return fmt.Sprintf("%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n", path, search, replace)
}

// tally counts refusals.
type tally map[string]int

func (t tally) add(cause string) { t[cause]++ }

// trouble is an answer that is an error of a class.
func trouble(class llm.Class) llmtest.Answer {
	return llmtest.Answer{Err: fmt.Errorf("asking: %w", &llm.Error{Class: class, Provider: "fake", Err: errors.New("no")})}
}

// fatalClasses end all asking.
func fatalClasses() []llm.Class {
	return []llm.Class{llm.OverBudget, llm.Authentication, llm.Quota, llm.Unpriced, llm.NotFound, llm.Invalid, llm.RateLimited, llm.Network}
}

// endsFatally checks that a source ends with an error of the class after some
// candidates.
func endsFatally(t *testing.T, source badpatch.Source, s *badpatch.Subject, class llm.Class, after int) {
	given, failed := 0, false
	for _, err := range source.Candidates(t.Context(), s) {
		if err == nil {
			given++
			continue
		}
		var fatal *FatalError
		var e *llm.Error
		require.ErrorAs(t, err, &fatal)
		require.ErrorAs(t, err, &e)
		require.Equal(t, class, e.Class)
		require.False(t, failed, "nothing comes after an error")
		failed = true
	}
	require.True(t, failed)
	require.Equal(t, after, given)
}

func answerOf(text string) llm.Response { return llm.Response{Text: text, Stop: llm.StopEnd} }
