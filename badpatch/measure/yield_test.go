package measure

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
)

func TestYieldCountsWhatWasBuilt(t *testing.T) {
	of := func(v badpatch.TrialVerdict, c badpatch.Cause) badpatch.Trial {
		return badpatch.Trial{Candidate: badpatch.Candidate{Source: "s"}, Verdict: v, Cause: c, Seconds: 1}
	}
	m := badpatch.Made{Trials: []badpatch.Trial{of(badpatch.Bad, ""), of(badpatch.Rejected, badpatch.Unapplied), of(badpatch.Rejected, badpatch.Unmeasured), of(badpatch.Rejected, badpatch.Unbuilt), of(badpatch.Rejected, badpatch.LikeBaseRun)}}
	rows := AddYields(true, Yields(m), Yields(m))
	require.Len(t, rows, 1)
	require.Equal(t, 10, rows[0].Run)
	require.Equal(t, 4, rows[0].Built)
	cost, ok := rows[0].SecondsPerBad()
	require.True(t, ok)
	require.Equal(t, 5.0, cost)
}
