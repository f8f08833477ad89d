package review

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeterministicGolden(t *testing.T) {
	for _, name := range caseNames(t) {
		for _, level := range []DetailLevel{L0, L1, L2, L3} {
			t.Run(name+"/"+string(level), func(t *testing.T) {
				r := subject(t, name).Deterministic(level)
				require.Equal(t, string(level), r.Level)
				require.Equal(t, SourceDeterministic, r.Source)
				require.Equal(t, 1, r.BadPatch)
				require.Empty(t, r.Leak.Leaks)
				require.True(t, r.Leak.Checkable)
				golden(t, name+"."+string(level)+".txt", r.Text+"\n")
			})
		}
	}
}
