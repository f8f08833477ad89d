package badpatch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// bad is a trial that the tests kill.
func bad(name, category string, kills ...string) Trial {
	return Trial{Candidate: Candidate{Patch: name, Source: "operator", Category: Category(category)}, Verdict: Bad, F2P: kills, Signature: name}
}

func patches(trials []Trial, chosen []Choice) []string {
	var out []string
	for _, c := range chosen {
		out = append(out, trials[c.Trial].Patch)
	}
	return out
}

func TestChoose(t *testing.T) {
	subset := bad("subset", "B", "1", "2", "3")
	subset.Source = "subset"
	twin := bad("twin-", "F", "1")
	twin.Signature = "hard"
	trials := []Trial{
		bad("easy", "B", "1", "2", "3", "4"), bad("hard", "F", "1"), twin, subset,
		{Candidate: Candidate{Patch: "passes"}, Verdict: Survivor}, bad("other", "E", "2"),
		{Candidate: Candidate{Patch: "old tests"}, Verdict: Regression, P2P: []string{"9"}},
	}
	chosen, reserve := Choose(trials, 3, 1)
	require.Equal(t, []string{"hard", "other", "subset"}, patches(trials, chosen), "dominators, then a new category and source")
	require.Equal(t, []string{"easy"}, patches(trials, reserve))
	chosen, reserve = Choose(trials, 9, 0)
	require.Equal(t, []string{"hard", "other", "subset", "easy", "twin-"}, patches(trials, chosen), "what fails alike comes last")
	require.Contains(t, chosen[4].Reason, "just as another")
	require.Empty(t, reserve)
	chosen, _ = Choose(nil, 5, 5)
	require.Empty(t, chosen)
}

func TestMeasure(t *testing.T) {
	d := Measure([]Trial{bad("a", "A", "1"), bad("b", "B", "2"), bad("c", "B", "1", "2"), bad("d", "A", "1")})
	require.Equal(t, Diversity{Patches: 4, Vectors: 3, Dominators: 2, Rank: 2, Distance: d.Distance, Entropy: 1}, d)
	require.InDelta(t, (1+0.5+0.5+0+1+0.5)/6, d.Distance, 1e-9)
	require.Zero(t, Measure(nil))
}

func TestWeakSuites(t *testing.T) {
	hidden := Hidden{F2P: []string{"1", "2"}, P2P: []string{"3"}}
	o := SuiteOptions{Size: 1, Draws: 4000, Seed: 1}
	q := WeakSuites([]Trial{bad("a", "", "1")}, []Trial{bad("b", "", "2")}, hidden, o)
	accept, ok := q.FalseAccept()
	require.True(t, ok)
	require.InDelta(t, 0.5, accept, 0.05, "test 1 kills the set, and misses the other one")
	over, _ := q.Overestimate()
	require.InDelta(t, 0.5, over, 0.05)
	require.Equal(t, []int{4000, q.Accepted}, q.ByCount)
	o.AnyTest = true
	accept, _ = WeakSuites([]Trial{bad("a", "", "1")}, []Trial{bad("b", "", "2")}, hidden, o).FalseAccept()
	require.InDelta(t, 1.0/3, accept, 0.05)
	none := WeakSuites([]Trial{bad("a", "", "1")}, nil, hidden, o)
	_, ok = none.FalseAccept()
	require.False(t, ok, "no patch outside the set")
	_, ok = WeakSuites(nil, nil, hidden, o).FalseAccept()
	require.False(t, ok)
	_, ok = WeakSuites([]Trial{bad("a", "", "1")}, nil, Hidden{F2P: []string{"1"}}, DefaultSuites(1)).FalseAccept()
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
		trials := drawTrials(t)
		chosen, _ := Choose(trials, len(trials), 0)
		require.Len(t, chosen, len(trials))
		var set []Trial
		for _, c := range chosen {
			set = append(set, trials[c.Trial])
		}
		q := WeakSuites(set, nil, Hidden{F2P: []string{"0", "1", "2", "3", "4", "5"}}, SuiteOptions{Size: 2, Draws: 50})
		require.Zero(t, q.FalselyAccepted)
		require.True(t, slices.IsSortedFunc(q.ByCount, func(a, b int) int { return b - a }), "more patches accept no more suites")
	})
}

func TestChoiceIsOfTheSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := drawTrials(t)
		n := rapid.IntRange(0, 6).Draw(t, "n")
		chosen, reserve := Choose(trials, n, 2)
		shuffled := slices.Clone(trials)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, more := Choose(shuffled, n, 2)
		require.Equal(t, patches(trials, chosen), patches(shuffled, again))
		require.Equal(t, patches(trials, reserve), patches(shuffled, more))
		d := Measure(trials)
		require.LessOrEqual(t, d.Rank, min(d.Vectors, 6))
		require.LessOrEqual(t, d.Dominators, d.Vectors)
		require.Positive(t, d.Dominators)
	})
}

func drawTrials(t *rapid.T) []Trial {
	n := rapid.IntRange(1, 8).Draw(t, "trials")
	var out []Trial
	for i := range n {
		mask := rapid.IntRange(1, 63).Draw(t, "kills")
		var kills []string
		for c := range 6 {
			if mask>>c&1 == 1 {
				kills = append(kills, fmt.Sprint(c))
			}
		}
		out = append(out, bad(fmt.Sprintf("patch %d", i), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "category"))), kills...))
	}
	return out
}
