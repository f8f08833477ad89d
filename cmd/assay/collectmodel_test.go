package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

// TestUnwritten: a provider that is down may answer the next time, a wrong key
// does not.
func TestUnwritten(t *testing.T) {
	for class, code := range map[llm.Class]int{llm.Overloaded: exitNotJudged, llm.Network: exitNotJudged, llm.Authentication: exitUsage, llm.OverBudget: exitBudget} {
		err := unwritten(errors.Join(overBudget(&llm.Error{Class: class, Err: errors.New("no")}), nil))
		require.Equal(t, code, exitCode(t.Context(), err), class)
	}
	require.NoError(t, unwritten(nil))
}

// TestAuthorName: statements that may quote tests are another author's.
func TestAuthorName(t *testing.T) {
	m := &model{name: "p/m"}
	require.Equal(t, "p/m", (&author{model: m}).Name())
	require.Equal(t, "p/m (may quote tests)", (&author{model: m, quoteTests: true}).Name())
}
