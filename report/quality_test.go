package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestQuality: each rate is over what was asked; a single run shows no flaky test.
func TestQuality(t *testing.T) {
	s := &Summary{}
	n := func(i int) *int { return &i }
	for _, q := range []*bench.TestQuality{
		{
			Runs: 3, Tests: 4, Flaky: []string{"a"}, PassGood: []string{"b", "c"}, KilledBefore: []int{1}, Covered: n(5), CoveredBefore: n(2),
			Survivors: []bench.Survivor{{Index: 3, Reached: []string{"a.py:1"}}, {Index: 4, Reached: []string{}}, {Index: 5}},
		},
		{Runs: 1, Tests: 2, Flaky: []string{}},
		nil,
	} {
		s.Add(bench.Result{Task: "testgen", Language: "cpp", Model: "m", Verdict: bench.Unresolved, Quality: q, TestGen: &bench.TestGen{Killed: []int{1, 2}}})
	}
	s.Add(bench.Result{Task: "testgen", Language: "cpp", Model: "m", Verdict: bench.Infra, Quality: &bench.TestQuality{Runs: 2, Tests: 9}})
	s.Sort([]string{"testgen"})
	want := QualityRow{Flaky: Rate{1, 4}, PassGood: Rate{2, 4}, KilledBefore: Rate{1, 2}, CoveredBefore: Rate{2, 5}, Unseen: Rate{1, 2}}
	require.Equal(t, &want, s.Rows[0].Quality)
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| cpp | m | 1/4 | 2/4 | 1/2 | 2/5 | 1/2 |")
}
