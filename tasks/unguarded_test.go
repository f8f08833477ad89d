package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestUnguardedRunsAreFlagged: a run without nonce tests is named.
func TestUnguardedRunsAreFlagged(t *testing.T) {
	run := func(name string) Run { return Run{Variant: languages.Variant{Name: name}} }
	plan := Plan{Runs: []Run{run("base"), run("gold"), run("bad/0")}}
	bare := Outcome{Outcome: languages.Outcome{Unguarded: true}}
	require.Empty(t, unguarded(plan, Outcomes{"base": {}, "gold": {}}))
	require.Empty(t, unguarded(plan, Outcomes{}))
	require.Equal(t, []bench.Flag{{Kind: FlagUnguarded, Detail: "no nonce tests ran with: base, bad/0"}},
		unguarded(plan, Outcomes{"bad/0": bare, "gold": {}, "base": bare}))
}
