package badpatch

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRankByHand(t *testing.T) {
	for name, c := range map[string]struct {
		trials                 []Trial
		vectors, minimal, rank int
	}{
		"identity":                {[]Trial{bad("a", "", "1"), bad("b", "", "2"), bad("c", "", "3")}, 3, 3, 3},
		"chain":                   {[]Trial{bad("a", "", "1"), bad("b", "", "1", "2"), bad("c", "", "1", "2", "3")}, 3, 1, 3},
		"sum of two":              {[]Trial{bad("a", "", "1"), bad("b", "", "2"), bad("c", "", "1", "2")}, 3, 2, 2},
		"triangle, singular in 2": {[]Trial{bad("a", "", "1", "2"), bad("b", "", "2", "3"), bad("c", "", "1", "3")}, 3, 3, 3},
		"equal":                   {[]Trial{bad("a", "", "1"), bad("b", "", "1")}, 1, 1, 1},
		"cycle of four":           {[]Trial{bad("a", "", "1", "2"), bad("b", "", "2", "3"), bad("c", "", "3", "4"), bad("d", "", "1", "4")}, 4, 4, 3},
	} {
		t.Run(name, func(t *testing.T) {
			d := Measure(c.trials)
			require.Equal(t, []int{c.vectors, c.minimal, c.rank}, []int{d.Vectors, d.Dominators, d.Rank})
		})
	}
}

// Over the prime field the rank is that over the rationals: elimination with
// fractions, kept apart from the code under test, says the same.
func TestRankIsThatOverTheRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := drawTrials(t)
		d := Measure(trials)
		require.Equal(t, rationalRank(trials), d.Rank)
		require.LessOrEqual(t, d.Rank, min(d.Vectors, 6))
	})
}

func rationalRank(trials []Trial) int {
	rows := make([][]*big.Rat, len(trials))
	for i, t := range trials {
		rows[i] = make([]*big.Rat, 6)
		for c := range rows[i] {
			rows[i][c] = new(big.Rat)
		}
		for _, k := range t.Kills() {
			rows[i][k[0]-'0'].SetInt64(1)
		}
	}
	found := 0
	for c := range 6 {
		for p := found; p < len(rows); p++ {
			if rows[p][c].Sign() == 0 {
				continue
			}
			rows[found], rows[p] = rows[p], rows[found]
			for _, row := range rows[found+1:] {
				factor := new(big.Rat).Quo(row[c], rows[found][c])
				for k := range row {
					row[k].Sub(row[k], new(big.Rat).Mul(factor, rows[found][k]))
				}
			}
			found++
			break
		}
	}
	return found
}

// The first chosen are minimal as long as minimal vectors are left, and no
// vector comes twice before all have come.
func TestChosenAreMinimalFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := drawTrials(t)
		d := Measure(trials)
		chosen, _ := Choose(trials, len(trials), 0)
		var sets []killSet
		for i, c := range chosen[:d.Vectors] {
			s := killSetOf(trials[c.Trial].Kills())
			for _, o := range trials {
				k := killSetOf(o.Kills())
				if i < d.Dominators {
					require.False(t, len(k) < len(s) && k.within(s), "%v holds %v", s, k)
				}
			}
			for _, o := range sets {
				require.False(t, s.equal(o), "%v twice", s)
			}
			sets = append(sets, s)
		}
	})
}

func TestRankSurvivors(t *testing.T) {
	survivor := func(name, source, operator string, tier Tier) Trial {
		return Trial{Candidate: Candidate{Patch: name, Source: source, Operator: operator, Tier: tier}, Verdict: Survivor}
	}
	trials := []Trial{
		survivor("around", "operator", "delete-statement", Around), survivor("whole", "symptom", "catch", Whole),
		survivor("changed", "operator", "integer-step", Lines), survivor("taken", "operator", "drop-guard", Lines),
		survivor("subset, large", "subset", "hunks", Whole), survivor("subset", "subset", "hunks", Whole), bad("killed", "A", "1"),
	}
	var got []string
	for _, s := range RankSurvivors(trials) {
		got = append(got, s.Patch)
	}
	require.Equal(t, []string{"subset", "subset, large", "taken", "changed", "whole", "around"}, got)
}

func TestYieldCountsWhatWasBuilt(t *testing.T) {
	of := func(v Verdict, c Cause) Trial {
		return Trial{Candidate: Candidate{Source: "s"}, Verdict: v, Cause: c, Seconds: 1}
	}
	m := Made{Trials: []Trial{of(Bad, ""), of(Rejected, Unapplied), of(Rejected, Unmeasured), of(Rejected, Unbuilt), of(Rejected, LikeBaseRun)}}
	rows := AddYields(true, m.Yields(), m.Yields())
	require.Len(t, rows, 1)
	require.Equal(t, 10, rows[0].Run)
	require.Equal(t, 4, rows[0].Built)
	cost, ok := rows[0].SecondsPerBad()
	require.True(t, ok)
	require.Equal(t, 5.0, cost)
}
