package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestCoverageMeans: by hand, adequacy 0.5 with success, 0.25 without and 0 of an
// empty submission; one instance without executable lines counts nowhere.
// tddScore is (50 + 0 + 0) / 3.
func TestCoverageMeans(t *testing.T) {
	s := &Summary{}
	v := func(x float64) *float64 { return &x }
	add := func(verdict bench.Verdict, success bool, c bench.ChangeCoverage) {
		s.Add(bench.Result{Task: "testgen", Language: "java", Model: "m", Verdict: verdict, Transitions: &bench.Transitions{FailToPass: success}, Coverage: &c})
	}
	add(bench.Resolved, true, bench.ChangeCoverage{Adequacy: v(0.5), FailToPass: v(0.5), Other: v(0.125), TDDScore: v(50), Published: map[string]float64{"code": 0.75}})
	add(bench.Unresolved, false, bench.ChangeCoverage{Adequacy: v(0.25), Other: v(0.25), TDDScore: v(0), Published: map[string]float64{"code": 0.25}})
	add(bench.EmptyPatch, false, bench.ChangeCoverage{Adequacy: v(0), TDDScore: v(0)})
	add(bench.Resolved, true, bench.ChangeCoverage{})
	add(bench.Infra, true, bench.ChangeCoverage{Adequacy: v(1), TDDScore: v(100)})
	s.Sort([]string{"testgen"})
	require.Equal(t, &CoverageRow{
		All: Mean{0.75, 3}, FailToPass: Mean{0.5, 1}, NotFailToPass: Mean{0.25, 2}, ByFailToPass: Mean{0.5, 1}, ByOther: Mean{0.375, 2},
		TDDScore: Mean{50, 3}, Published: map[string]Mean{"code": {1, 2}},
	}, s.Rows[0].Coverage)
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| java | m | 25.0 % | 50.0 % | 12.5 % | 50.0 % | 18.8 % | 16.7 | 3 |")
	require.Contains(t, md.String(), "| java | m | code | 0.500 | 2 |")
}
