package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestLimited: a limit that ended any run of a result makes it uncertain.
func TestLimited(t *testing.T) {
	for state, want := range map[bench.RunState]bool{
		bench.RunDone: false, bench.RunUnapplied: false, bench.RunUnbuilt: false, bench.RunCrashed: false,
		bench.RunTimeout: true, bench.RunLimit: true, bench.RunSuspect: false, bench.RunSkipped: false,
	} {
		r := bench.Result{Verdict: bench.Unresolved, Runs: []bench.Run{{State: bench.RunDone}, {State: state}}}
		require.Equal(t, want, Limited(r), state)
	}
	require.True(t, Limited(bench.Result{Verdict: bench.Timeout}))
	require.False(t, Limited(bench.Result{Verdict: bench.Resolved}))
}

// TestIncomplete: a measured run that the machine failed leaves the verdict, and
// no figures.
func TestIncomplete(t *testing.T) {
	r := bench.Result{Verdict: bench.Resolved, Runs: []bench.Run{{Name: goldRun, State: bench.RunDone}, {Name: coverGold, State: bench.RunDone}}}
	require.False(t, Incomplete(r))
	r.Runs[1].State = bench.RunInfra
	require.True(t, Incomplete(r))
}
