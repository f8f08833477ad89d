package measure

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

// A test that a dataset lists twice is one test.
func TestSuitesOfRepeatedTests(t *testing.T) {
	set := []badpatch.Trial{badpatchtest.Bad("a", "", "1")}
	q := WeakSuites(set, nil, Hidden{F2P: []string{"1", "1"}, P2P: []string{"2", "1"}}, DefaultSuites(1))
	require.Equal(t, Quality{}, q, "two tests make no suite of three")
	q = WeakSuites(set, nil, Hidden{F2P: []string{"1", "1"}, P2P: []string{"2", "3"}}, DefaultSuites(1))
	require.Equal(t, 1000, q.Accepted, "the only suite of three holds test 1")
}

// Instances whose set is all they have take no part in the rate.
func TestFalseAcceptIsOfContestedSuites(t *testing.T) {
	hidden := Hidden{F2P: []string{"1", "2"}}
	o := SuiteOptions{Size: 1, Draws: 1000, Seed: 1}
	alone := WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, nil, hidden, o)
	_, ok := alone.FalseAccept()
	require.False(t, ok)
	both := WeakSuites([]badpatch.Trial{badpatchtest.Bad("a", "", "1")}, []badpatch.Trial{badpatchtest.Bad("b", "", "2")}, hidden, o)
	rate, ok := both.FalseAccept()
	require.True(t, ok)
	sum := Quality{}
	sum.Add(both)
	sum.Add(alone)
	again, _ := sum.FalseAccept()
	require.Equal(t, rate, again)
	require.Equal(t, 2000, sum.Suites)
}

// With one fail-to-pass test a half, the suite of one test is known before it
// is drawn: the set, which shares it, is killed, and so is the pool.
func TestHeldOut(t *testing.T) {
	hidden := Hidden{F2P: []string{"1", "2"}}
	o := SuiteOptions{Size: 1, Draws: 100, Seed: 1}
	alike := []badpatch.Trial{badpatchtest.Bad("a", "A", "1", "2"), badpatchtest.Bad("b", "B", "1", "2")}
	q := HeldOut(alike, ByChoosing(1), hidden, 4, o)
	require.Equal(t, Quality{Suites: 400, Accepted: 400, Contested: 400, ByCount: []int{400, 400}}, q)
	q = HeldOut(alike, ByChoosing(2), hidden, 4, o)
	require.Zero(t, q.Suites, "nothing is outside")
	q = HeldOut(alike, ByChoosing(1), Hidden{F2P: []string{"1"}}, 4, o)
	require.Zero(t, q.Suites, "one test has no halves")
	alike[1].Source = "published"
	q = HeldOut(alike, OfSource("published"), hidden, 4, o)
	require.Equal(t, 400, q.Accepted)
	q = HeldOut(alike, OfSource("nowhere"), hidden, 4, o)
	require.Zero(t, q.Suites, "an empty set is none")
}

// The set never judges better than all of the pool, nor worse than none of it.
func TestHeldOutIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := badpatchtest.DrawTrials(t)
		hidden := Hidden{F2P: []string{"0", "1", "2", "3", "4", "5"}}
		o := SuiteOptions{Size: 2, Draws: 20, Seed: rapid.Uint64().Draw(t, "seed")}
		for _, pick := range []Picker{ByChoosing(2), AtRandom(2, o.Seed), OfSource("operator")} {
			q := HeldOut(trials, pick, hidden, 3, o)
			require.LessOrEqual(t, q.FalselyAccepted, q.Accepted)
			require.LessOrEqual(t, q.Accepted, q.Suites)
			require.Equal(t, q.Suites, q.Contested)
			require.Equal(t, q, HeldOut(trials, pick, hidden, 3, o), "the seed decides")
		}
	})
}

func TestFiguresHoldSetsAgainstOnePool(t *testing.T) {
	easy, hard := badpatchtest.Bad("easy", "A", "1", "2"), badpatchtest.Bad("hard", "B", "2")
	easy.Source = badpatch.Published
	f := NewFigures(FigureOptions{N: 1, Suites: SuiteOptions{Size: 1, Draws: 1000, Seed: 1}, Splits: 2})
	f.Add(Record{
		Language: "python", Hidden: Hidden{F2P: []string{"1", "2"}}, Trials: []badpatch.Trial{hard},
		Published: []badpatch.Trial{easy, {Verdict: badpatch.Rejected}}, Chosen: []badpatch.Choice{{Trial: 0}},
	})
	rates := map[string]float64{}
	for _, s := range f.Languages[0].Sets {
		rate, ok := s.Weak.FalseAccept()
		require.True(t, ok, s.Name)
		rates[s.Name] = rate
	}
	require.InDelta(t, 0.5, rates["published"], 0.05, "test 1 kills the published one, and not ours")
	require.Zero(t, rates["chosen"], "whatever kills ours kills the published one, which is in the pool")
}
