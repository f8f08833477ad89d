package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// TestFilterPlan: the hidden tests on the fix, and each suite's tests on base
// and on the fix; a suite without tests has no run.
func TestFilterPlan(t *testing.T) {
	task := Task{Kind: "filter", Instance: instance(), Data: Suites{{Model: "m", Patch: testPatch + goldPatch}, {Model: "m"}, {Model: "n", Patch: testPatch}}}
	plan := Filter{}.Plan(task, bench.Prediction{Patch: badPatch + testPatch})
	type row struct {
		name        string
		code        bool
		contributed bool
	}
	var got []row
	for _, r := range plan.Runs {
		got = append(got, row{r.Name, r.Code != "", r.Contributed})
		require.Equal(t, []string{"tests/test_a.py"}, patch.PathsIn(r.Tests))
		if r.Code != "" {
			require.Equal(t, []string{"lib/a.py"}, patch.PathsIn(r.Code))
		}
	}
	require.Equal(t, []row{
		{"submission", true, false}, {"suite/0/base", false, true}, {"suite/0/fix", true, true}, {"suite/2/base", false, true}, {"suite/2/fix", true, true},
	}, got)
	require.NotEqual(t, Filter{}.DigestParts(task), Filter{}.DigestParts(Task{Data: Suites{{Model: "m", Patch: testPatch}}}))
}

// TestFilterVotes: a suite lets a fix pass where it fails on base and passes on
// the fix, and what suites say changes no verdict.
func TestFilterVotes(t *testing.T) {
	task := Task{Kind: "filter", Instance: instance(), Data: Suites{{Model: "m", Patch: testPatch}, {Model: "m", Patch: testPatch}, {Model: "n", Patch: testPatch}, {Model: "n"}}}
	plan := Filter{}.Plan(task, bench.Prediction{Patch: goldPatch})
	seen := Outcomes{
		"submission": hidden(pass, pass), "suite/0/base": ran(fail), "suite/0/fix": ran(pass),
		"suite/1/base": ran(fail), "suite/1/fix": ran(fail), "suite/2/base": ran(pass), "suite/2/fix": ran(pass),
	}
	require.False(t, Filter{}.Settled(task, seen))
	r := Filter{}.Judge(task, plan, seen)
	require.Equal(t, bench.Resolved, r.Verdict)
	want := []bench.Vote{
		{Tests: "m", Suite: 0, FailsBase: true, PassesFix: true}, {Tests: "m", Suite: 1, FailsBase: true},
		{Tests: "n", Suite: 2, PassesFix: true}, {Tests: "n", Suite: 3},
	}
	require.Equal(t, want, r.Filter)
	lets := 0
	for _, v := range r.Filter {
		if v.Lets() {
			lets++
		}
	}
	require.Equal(t, 1, lets)

	empty := bench.Result{Verdict: bench.EmptyPatch}
	Filter{}.Complete(&empty, task)
	require.Equal(t, []bench.Vote{{Tests: "m"}, {Tests: "m", Suite: 1}, {Tests: "n", Suite: 2}, {Tests: "n", Suite: 3}}, empty.Filter)
	gone := bench.Result{Verdict: bench.Infra}
	Filter{}.Complete(&gone, task)
	require.Nil(t, gone.Filter)
}
