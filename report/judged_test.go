package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestUnjudgedTestsCountNowhere: results with a failure of the machine are in
// no figure of generated tests.
func TestUnjudgedTestsCountNowhere(t *testing.T) {
	no := false
	facts := &bench.TestGen{FailsBase: &no, AllBadFail: &no, Eligible: []int{0}}
	s := &Summary{}
	s.Add(bench.Result{Task: "testgen", Verdict: bench.Infra, TestGen: facts})
	s.Add(bench.Result{Task: "testgen", Verdict: bench.HarnessError, TestGen: facts})
	require.Equal(t, 2, s.Rows[0].Submitted)
	require.Equal(t, 0, s.Rows[0].Judged)
	require.Nil(t, s.Rows[0].TestGen)
	s.Add(bench.Result{Task: "testgen", Verdict: bench.Unresolved, TestGen: facts})
	require.Equal(t, Rate{Yes: 0, Of: 1}, s.Rows[0].TestGen.GoldPass)
	require.Equal(t, Rate{Yes: 0, Of: 1}, s.Rows[0].TestGen.Killed)
}
