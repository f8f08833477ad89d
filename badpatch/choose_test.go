package badpatch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/killset"
	"assay/badpatch/measure"
)

func patches(trials []badpatch.Trial, chosen []badpatch.Choice) []string {
	var out []string
	for _, c := range chosen {
		out = append(out, trials[c.Trial].Patch)
	}
	return out
}

func TestChoose(t *testing.T) {
	subset := badpatchtest.Bad("subset", "B", "1", "2", "3")
	subset.Source = "subset"
	twin := badpatchtest.Bad("twin-", "F", "1")
	twin.Signature = "hard"
	trials := []badpatch.Trial{
		badpatchtest.Bad("easy", "B", "1", "2", "3", "4"), badpatchtest.Bad("hard", "F", "1"), twin, subset,
		{Candidate: badpatch.Candidate{Patch: "passes"}, Verdict: badpatch.Survivor}, badpatchtest.Bad("other", "E", "2"),
		{Candidate: badpatch.Candidate{Patch: "old tests"}, Verdict: badpatch.Regression, P2P: []string{"9"}},
	}
	chosen, reserve := badpatch.Choose(trials, 3, 1)
	require.Equal(t, []string{"hard", "other", "subset"}, patches(trials, chosen), "dominators, then a new category and source")
	require.Equal(t, []string{"easy"}, patches(trials, reserve))
	chosen, reserve = badpatch.Choose(trials, 9, 0)
	require.Equal(t, []string{"hard", "other", "subset", "easy", "twin-"}, patches(trials, chosen), "what fails alike comes last")
	require.Contains(t, chosen[4].Reason, "just as another")
	require.Empty(t, reserve)
	chosen, _ = badpatch.Choose(nil, 5, 5)
	require.Empty(t, chosen)
}

func TestChoiceIsOfTheSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := badpatchtest.DrawTrials(t)
		n := rapid.IntRange(0, 6).Draw(t, "n")
		chosen, reserve := badpatch.Choose(trials, n, 2)
		shuffled := slices.Clone(trials)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, more := badpatch.Choose(shuffled, n, 2)
		require.Equal(t, patches(trials, chosen), patches(shuffled, again))
		require.Equal(t, patches(trials, reserve), patches(shuffled, more))
		d := measure.DiversityOf(trials)
		require.LessOrEqual(t, d.Rank, min(d.Vectors, 6))
		require.LessOrEqual(t, d.Dominators, d.Vectors)
		require.Positive(t, d.Dominators)
	})
}

// The first chosen are minimal as long as minimal vectors are left, and no
// vector comes twice before all have come.
func TestChosenAreMinimalFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := badpatchtest.DrawTrials(t)
		d := measure.DiversityOf(trials)
		chosen, _ := badpatch.Choose(trials, len(trials), 0)
		var sets []killset.Set
		for i, c := range chosen[:d.Vectors] {
			s := killset.Of(trials[c.Trial].Kills())
			for _, o := range trials {
				k := killset.Of(o.Kills())
				if i < d.Dominators {
					require.False(t, len(k) < len(s) && k.Within(s), "%v holds %v", s, k)
				}
			}
			for _, o := range sets {
				require.False(t, s.Equal(o), "%v twice", s)
			}
			sets = append(sets, s)
		}
	})
}

func TestRankSurvivors(t *testing.T) {
	survivor := func(name, source, operator string, tier badpatch.Tier) badpatch.Trial {
		return badpatch.Trial{Candidate: badpatch.Candidate{Patch: name, Source: source, Operator: operator, Tier: tier}, Verdict: badpatch.Survivor}
	}
	trials := []badpatch.Trial{
		survivor("around", "operator", "delete-statement", badpatch.Around), survivor("whole", "symptom", "catch", badpatch.Whole),
		survivor("changed", "operator", "integer-step", badpatch.Lines), survivor("taken", "operator", "drop-guard", badpatch.Lines),
		survivor("subset, large", "subset", "hunks", badpatch.Whole), survivor("subset", "subset", "hunks", badpatch.Whole), badpatchtest.Bad("killed", "A", "1"),
	}
	var got []string
	for _, s := range badpatch.RankSurvivors(trials) {
		got = append(got, s.Patch)
	}
	require.Equal(t, []string{"subset", "subset, large", "taken", "changed", "whole", "around"}, got)
}
