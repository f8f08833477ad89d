package killset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/killset"
)

func TestSets(t *testing.T) {
	none, one, two, other := killset.Of(nil), killset.Of([]string{"1"}), killset.Of([]string{"1", "2", "2"}), killset.Of([]string{"3"})
	require.True(t, none.Within(one))
	require.True(t, one.Within(two))
	require.False(t, two.Within(one))
	require.False(t, other.Within(two))
	require.True(t, two.Equal(killset.Of([]string{"2", "1"})))
	require.False(t, one.Equal(other))
	require.Zero(t, none.Distance(killset.Of(nil)), "two empty sets are equal")
	require.Zero(t, two.Distance(two))
	require.InDelta(t, 0.5, one.Distance(two), 1e-9)
	require.InDelta(t, 1, other.Distance(two), 1e-9)
	require.Equal(t, []killset.Set{one, two}, killset.Distinct([]killset.Set{one, two, killset.Of([]string{"1"}), two}))
}
