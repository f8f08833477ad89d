package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestClearAll: reasons for suspicion that gold's runs have do not count against a
// run; others do.
func TestClearAll(t *testing.T) {
	doubted := func(doubts ...string) Outcome {
		return Outcome{Run: bench.Run{State: bench.RunSuspect}, Doubts: doubts}
	}
	base, gold := []Outcome{doubted("a"), doubted("a", "b")}, []Outcome{doubted("a"), {Run: bench.Run{State: bench.RunDone}}}
	require.Equal(t, []string{"a"}, ClearAll(gold, base))
	require.Equal(t, bench.RunDone, gold[0].State)
	require.Equal(t, bench.RunDone, base[0].State)
	require.Equal(t, bench.RunSuspect, base[1].State)
}
