package measure

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

func TestRankByHand(t *testing.T) {
	for name, c := range map[string]struct {
		trials                 []badpatch.Trial
		vectors, minimal, rank int
	}{
		"identity":                {[]badpatch.Trial{badpatchtest.Bad("a", "", "1"), badpatchtest.Bad("b", "", "2"), badpatchtest.Bad("c", "", "3")}, 3, 3, 3},
		"chain":                   {[]badpatch.Trial{badpatchtest.Bad("a", "", "1"), badpatchtest.Bad("b", "", "1", "2"), badpatchtest.Bad("c", "", "1", "2", "3")}, 3, 1, 3},
		"sum of two":              {[]badpatch.Trial{badpatchtest.Bad("a", "", "1"), badpatchtest.Bad("b", "", "2"), badpatchtest.Bad("c", "", "1", "2")}, 3, 2, 2},
		"triangle, singular in 2": {[]badpatch.Trial{badpatchtest.Bad("a", "", "1", "2"), badpatchtest.Bad("b", "", "2", "3"), badpatchtest.Bad("c", "", "1", "3")}, 3, 3, 3},
		"equal":                   {[]badpatch.Trial{badpatchtest.Bad("a", "", "1"), badpatchtest.Bad("b", "", "1")}, 1, 1, 1},
		"cycle of four":           {[]badpatch.Trial{badpatchtest.Bad("a", "", "1", "2"), badpatchtest.Bad("b", "", "2", "3"), badpatchtest.Bad("c", "", "3", "4"), badpatchtest.Bad("d", "", "1", "4")}, 4, 4, 3},
	} {
		t.Run(name, func(t *testing.T) {
			d := DiversityOf(c.trials)
			require.Equal(t, []int{c.vectors, c.minimal, c.rank}, []int{d.Vectors, d.Dominators, d.Rank})
		})
	}
}

// Over the prime field the rank is that over the rationals: elimination with
// fractions, kept apart from the code under test, says the same.
func TestRankIsThatOverTheRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := badpatchtest.DrawTrials(t)
		d := DiversityOf(trials)
		require.Equal(t, rationalRank(trials), d.Rank)
		require.LessOrEqual(t, d.Rank, min(d.Vectors, 6))
	})
}

func rationalRank(trials []badpatch.Trial) int {
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
