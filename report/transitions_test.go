package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestTransitionRates: every judged submission is in each denominator.
func TestTransitionRates(t *testing.T) {
	s := &Summary{}
	for _, c := range []struct {
		verdict bench.Verdict
		t       bench.Transitions
	}{
		{bench.Resolved, bench.Transitions{Applies: true, FailToAny: true, FailToPass: true, FailsBy: bench.ByException, Tests: bench.Moves{FailToPass: 2, PassToPass: 1}}},
		{bench.Unresolved, bench.Transitions{Applies: true, PassToPass: true, Tests: bench.Moves{PassToPass: 3, Other: 1}}},
		{bench.Unresolved, bench.Transitions{Applies: true, FailToAny: true, PassToFail: true, AnyToFail: true, FailsBy: bench.ByAssertion, Tests: bench.Moves{FailToFail: 1, PassToFail: 1}}},
		{bench.EmptyPatch, bench.Transitions{}},
		{bench.HarnessError, bench.Transitions{Applies: true, FailToAny: true}},
	} {
		s.Add(bench.Result{Task: "testgen", Language: "java", Model: "m", Verdict: c.verdict, Transitions: &c.t, TestGen: &bench.TestGen{Eligible: []int{0, 1}, Killed: []int{1}, GoodPass: of(c.t.FailToPass)}})
	}
	s.Sort([]string{"testgen"})
	want := TransitionsRow{
		Applies: Rate{3, 4}, FailToAny: Rate{2, 4}, FailToPass: Rate{1, 4}, PassToPass: Rate{1, 4}, PassToFail: Rate{1, 4}, AnyToFail: Rate{1, 4},
		FailsBy: map[bench.FailureKind]int{bench.ByException: 1},
		Tests:   bench.Moves{FailToPass: 2, FailToFail: 1, PassToPass: 4, PassToFail: 1, Other: 1},
	}
	require.Equal(t, &want, s.Rows[0].Transitions)
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| java | m | 75.0 % | 50.0 % | 25.0 % | 25.0 % | 25.0 % | 25.0 % | 4 |")
	require.Contains(t, md.String(), "| java | m | 0/1 | 1/1 | 0/1 | 0/1 | 4/8 | 50.0 % | 1/4 |")
}
