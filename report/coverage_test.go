package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestCoverageMeans: by hand, adequacy 0.5 with success, 0.25 without and 0 of an
// empty submission to the first one's instance. An instance without executable
// lines counts nowhere, and neither does an empty submission to an instance
// without a measurement. tddScore is (50 + 0 + 0) / 3. The published figure is
// 0.75, 0.25 and, of the empty submission, 0; only one instance has a delta, and
// there the empty submission has 0.
func TestCoverageMeans(t *testing.T) {
	s := &Summary{}
	v := func(x float64) *float64 { return &x }
	add := func(id string, verdict bench.Verdict, success bool, c bench.ChangeCoverage) {
		s.Add(bench.Result{Task: "testgen", InstanceID: id, Language: "java", Model: "m", Verdict: verdict, Transitions: &bench.Transitions{FailToPass: success}, Coverage: &c})
	}
	four := bench.LineCounts{Executable: 4}
	none := bench.ChangeCoverage{Adequacy: v(0), TDDScore: v(0), Published: map[string]float64{"code": 0}}
	add("a", bench.EmptyPatch, false, none)
	add("a", bench.Resolved, true, bench.ChangeCoverage{Added: four, Adequacy: v(0.5), FailToPass: v(0.5), Other: v(0.125), TDDScore: v(50), Published: map[string]float64{"code": 0.75, "delta": 0.5}})
	add("b", bench.Unresolved, false, bench.ChangeCoverage{Removed: four, Adequacy: v(0.25), Other: v(0.25), TDDScore: v(0), Published: map[string]float64{"code": 0.25}})
	add("c", bench.Resolved, true, bench.ChangeCoverage{})
	add("c", bench.EmptyPatch, false, none)
	add("gradle", bench.InvalidPatch, false, none)
	add("a", bench.Infra, true, bench.ChangeCoverage{Added: four, Adequacy: v(1), TDDScore: v(100)})
	s.Sort([]string{"testgen"})
	require.Equal(t, &CoverageRow{
		All: Mean{0.75, 3}, FailToPass: Mean{0.5, 1}, NotFailToPass: Mean{0.25, 2}, ByFailToPass: Mean{0.5, 1}, ByOther: Mean{0.375, 2},
		TDDScore: Mean{50, 3}, Published: map[string]Mean{"code": {1, 3}, "delta": {0.5, 2}},
	}, s.Rows[0].Coverage)
	require.Equal(t, s.Rows[0].Coverage, s.Total.Coverage)
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| java | m | 25.0 % | 50.0 % | 12.5 % | 50.0 % | 18.8 % | 16.7 | 3 |")
	require.Contains(t, md.String(), "| java | m | code | 0.333 | 3 |")
	require.Contains(t, md.String(), "| java | m | delta | 0.250 | 2 |")
}

// TestCoverageOfNothing: where only submissions that were not run have figures,
// there is no table, in place of one that says 0 %.
func TestCoverageOfNothing(t *testing.T) {
	s := &Summary{}
	s.Add(bench.Result{Task: "testgen", InstanceID: "gradle", Verdict: bench.EmptyPatch, Coverage: &bench.ChangeCoverage{Adequacy: new(float64), TDDScore: new(float64)}})
	s.Sort([]string{"testgen"})
	require.Nil(t, s.Rows[0].Coverage)
	require.Nil(t, s.Total.Coverage)
}

// TestCoverageOfOthers: another model's submission shows that an instance can be
// measured; instances of the same name in two languages are distinguished.
func TestCoverageOfOthers(t *testing.T) {
	s := &Summary{}
	add := func(language, model string, verdict bench.Verdict, c bench.ChangeCoverage) {
		s.Add(bench.Result{Task: "testgen", InstanceID: "i", Language: language, Model: model, Verdict: verdict, Coverage: &c})
	}
	half, zero := 0.5, 0.0
	none := bench.ChangeCoverage{Adequacy: &zero, TDDScore: &zero}
	add("java", "empty", bench.EmptyPatch, none)
	add("cpp", "empty", bench.EmptyPatch, none)
	add("java", "other", bench.Unresolved, bench.ChangeCoverage{Added: bench.LineCounts{Executable: 2, Covered: 1}, Adequacy: &half, TDDScore: &zero})
	s.Sort([]string{"testgen"})
	require.Nil(t, s.Rows[0].Coverage)
	require.Equal(t, Mean{0, 1}, s.Rows[1].Coverage.All)
	require.Equal(t, Mean{0.5, 1}, s.Rows[2].Coverage.All)
}
