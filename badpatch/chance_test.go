package badpatch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChanceAfterTooMuch: a change that broke nearly everything makes smaller ones
// at its place more likely, and others of its size less likely.
func TestChanceAfterTooMuch(t *testing.T) {
	at := func(spots ...spot) *offer {
		o := &offer{known: reached, place: comparison{spots: map[spot]bool{}}}
		o.Source, o.Operator = "operator", "x"
		for _, s := range spots {
			o.place.spots[s] = true
		}
		return o
	}
	q := &queue{}
	one, two := spot{path: "a", line: 1}, spot{path: "a", line: 2}
	for range 5 {
		q.note(at(one, two), Trial{Verdict: Rejected, Cause: FailsAll})
	}
	elsewhere := at(spot{path: "b", line: 9})
	elsewhere.Source = "another"
	require.Less(t, q.chance(at(one, two)), 0.2)
	require.Greater(t, q.chance(at(one)), q.chance(at(one, two)))
	require.Greater(t, q.chance(elsewhere), q.chance(at(one, two)))
}
