package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/attempts"
	"assay/proxy"
)

// TestTotalsOf: attempts tell the ends of a session apart by their names.
func TestTotalsOf(t *testing.T) {
	for end, want := range map[string]attempts.SessionEnd{
		"":                      "",
		proxy.EndBudget:         attempts.OverBudget,
		proxy.EndRunBudget:      attempts.OverRunBudget,
		proxy.EndCalls:          attempts.OverCalls,
		proxy.EndTokens:         attempts.OverTokens,
		proxy.EndContextWindow:  attempts.OverContext,
		proxy.EndRefused:        attempts.RefusedCalls,
		proxy.EndDenied:         "denied",
		proxy.EndInfrastructure: attempts.Unreachable,
	} {
		got := totalsOf(proxy.Totals{End: end, Cause: "cause", Calls: 2, Prompt: 3, Cached: 1, Completion: 5, USD: 0.5, Estimated: true})
		require.Equal(t, attempts.Totals{Calls: 2, Input: 3, Cached: 1, Output: 5, USD: 0.5, Estimated: true, End: want, Cause: "cause"}, got)
	}
}
