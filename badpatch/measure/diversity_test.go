package measure

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

func TestMeasure(t *testing.T) {
	d := DiversityOf([]badpatch.Trial{badpatchtest.Bad("a", "A", "1"), badpatchtest.Bad("b", "B", "2"), badpatchtest.Bad("c", "B", "1", "2"), badpatchtest.Bad("d", "A", "1")})
	require.Equal(t, Diversity{Patches: 4, Vectors: 3, Dominators: 2, Rank: 2, Distance: d.Distance, Entropy: 1}, d)
	require.InDelta(t, (1+0.5+0.5+0+1+0.5)/6, d.Distance, 1e-9)
	require.Zero(t, DiversityOf(nil))
}
