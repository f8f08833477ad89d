package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestLeaksAreFlagged: a result reports when the review leaks gold, and when
// it was not checked.
func TestLeaksAreFlagged(t *testing.T) {
	for name, c := range map[string]struct {
		review bench.Review
		want   []bench.Flag
	}{
		"checked and clean":   {bench.Review{Text: "t", Leak: &bench.LeakReport{Checkable: true}}, nil},
		"never checked":       {bench.Review{Text: "t"}, []bench.Flag{{Kind: "review_unchecked", Detail: "no leak check is recorded of its review (assay build makes one)"}}},
		"leaks":               {bench.Review{Text: "t", Leak: &bench.LeakReport{Leaks: []string{"copy (word 1)", "diff (word 2)"}}}, []bench.Flag{{Kind: "review_leaks", Detail: "copy (word 1), diff (word 2)"}}},
		"the bad patch alone": {bench.Review{Arm: bench.ArmAlone}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inst := instance(bench.LevelFailsF2P)
			inst.Reviews = []bench.Review{c.review}
			ts, err := Review{}.Build(inst)
			require.NoError(t, err)
			require.Equal(t, c.want, Review{}.Plan(ts[0], bench.Prediction{Patch: goldPatch}).Flags)
		})
	}
}
