package measure

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

func TestWeakSuites(t *testing.T) {
	hidden := Hidden{F2P: []string{"1", "2"}, P2P: []string{"3"}}
	o := SuiteOptions{Size: 1, Draws: 4000, Seed: 1}
	q := WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, []badpatch.Trial{badpatchtest.Bad("b", "", "2")}, hidden, o)
	accept, ok := q.FalseAccept()
	require.True(t, ok)
	require.InDelta(t, 0.5, accept, 0.05, "test 1 kills the set, and misses the other one")
	over, _ := q.Overestimate()
	require.InDelta(t, 0.5, over, 0.05)
	require.Equal(t, []int{4000, q.Accepted}, q.ByCount)
	o.AnyTest = true
	accept, _ = WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, []badpatch.Trial{badpatchtest.Bad("b", "", "2")}, hidden, o).FalseAccept()
	require.InDelta(t, 1.0/3, accept, 0.05)
	none := WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, nil, hidden, o)
	_, ok = none.FalseAccept()
	require.False(t, ok, "no patch outside the set")
	_, ok = WeakSuites(nil, nil, hidden, o).FalseAccept()
	require.False(t, ok)
	_, ok = WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, nil, Hidden{F2P: []string{"1"}}, DefaultSuites(1)).FalseAccept()
	require.False(t, ok, "fewer tests than a suite has")
}

func TestQualityAdds(t *testing.T) {
	q := Quality{Suites: 10, ByCount: []int{10, 4}}
	q.Add(Quality{Suites: 10, ByCount: []int{10, 6, 2}})
	require.Equal(t, Quality{Suites: 20, ByCount: []int{20, 10, 6}}, q)
	q.Add(Quality{Suites: 1, ByCount: []int{1}})
	require.Equal(t, []int{21, 11, 7}, q.ByCount)
}

// A set that holds all of the pool lets no weak suite pass that misses one.
func TestWholePoolIsNeverWrong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := badpatchtest.DrawTrials(t)
		chosen, _ := badpatch.Choose(trials, len(trials), 0)
		require.Len(t, chosen, len(trials))
		var set []badpatch.Trial
		for _, c := range chosen {
			set = append(set, trials[c.Trial])
		}
		q := WeakSuites(set, nil, Hidden{F2P: []string{"0", "1", "2", "3", "4", "5"}}, SuiteOptions{Size: 2, Draws: 50})
		require.Zero(t, q.FalselyAccepted)
		require.True(t, slices.IsSortedFunc(q.ByCount, func(a, b int) int { return b - a }), "more patches accept no more suites")
	})
}
