package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestBelieve(t *testing.T) {
	done := func(change func(*languages.Outcome)) languages.Outcome {
		o := languages.Outcome{Run: bench.Run{State: bench.RunDone}, Settings: languages.Settings{"test A": {"command": "a"}}}
		change(&o)
		return o
	}
	plain := done(func(*languages.Outcome) {})
	doubtful := done(func(o *languages.Outcome) { o.State, o.Detail, o.Doubts = bench.RunSuspect, "odd", []string{"nonce"} })
	bare := done(func(o *languages.Outcome) { o.Unguarded = true })
	willFail := done(func(o *languages.Outcome) {
		o.Settings = languages.Settings{"test A": {"command": "a", "WILL_FAIL": "TRUE"}, "test B": {"WILL_FAIL": "TRUE"}}
	})
	other := done(func(o *languages.Outcome) { o.Settings = languages.Settings{"test A": {"command": "b"}} })
	for _, c := range []struct {
		name      string
		gold, run languages.Outcome
		state     bench.RunState
		detail    string
	}{
		{"both are plain", plain, plain, bench.RunDone, ""},
		{"only the submission is doubtful", plain, doubtful, bench.RunSuspect, "odd"},
		{"both are doubtful", doubtful, doubtful, bench.RunDone, ""},
		{"only gold is doubtful", doubtful, plain, bench.RunDone, ""},
		{"no nonce tests with the submission", plain, bare, bench.RunSuspect, "the nonce tests that run with gold cannot run with the submission"},
		{"no nonce tests with either", bare, bare, bench.RunDone, ""},
		{"gold is doubtful, and nothing of ours beside the submission", doubtful, bare, bench.RunDone, ""},
		{"a property that gold lacks", plain, willFail, bench.RunSuspect, `test A: WILL_FAIL is "TRUE", and is not set with the gold patch`},
		{"a property that gold has, too", willFail, willFail, bench.RunDone, ""},
		{"a property of gold's that is gone", willFail, plain, bench.RunDone, ""},
		{"another value", plain, other, bench.RunSuspect, `test A: command is "b", and "a" with the gold patch`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := trustOf(c.gold).assess(c.run)
			require.Equal(t, c.state, o.State)
			require.Equal(t, c.detail, o.Detail)
			require.Equal(t, c.run.State, trust{}.assess(c.run).State, "without gold's run the run's own state stands")
		})
	}
	require.True(t, trustOf(doubtful).assess(doubtful).Unguarded, "a doubt that gold has too leaves the run without nonce tests")
}
