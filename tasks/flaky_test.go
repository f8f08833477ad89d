package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestWavering(t *testing.T) {
	inst := published(30)
	require.Empty(t, wavering(inst, endedWith(inst, 0)))
	require.Equal(t, []string{"tests/test_a.py::p00", "tests/test_a.py::p01"}, wavering(inst, endedWith(inst, 2)))
	require.Empty(t, wavering(inst, endedWith(inst, againAtMost+1)), "so many at once are no accident")

	unfixed := endedWith(inst, 2)
	unfixed.Tests[0].Status = bench.Failed
	require.Empty(t, wavering(inst, unfixed), "it is unresolved whatever the others do")
	cut := endedWith(inst, 2)
	cut.State = bench.RunCrashed
	require.Empty(t, wavering(inst, cut))
	missing := endedWith(inst, 0)
	missing.Tests = missing.Tests[:len(missing.Tests)-1]
	require.Empty(t, wavering(inst, missing), "a test that is not there does not come by asking again")
}

func TestCalmed(t *testing.T) {
	inst := published(3)
	first, again := endedWith(inst, 2), []string{"tests/test_a.py::p00", "tests/test_a.py::p01"}
	second := endedWith(inst, 1) // the second of the two passes now
	o, flaky := calmed(first, second, again)
	require.Equal(t, []string{"tests/test_a.py::p01"}, flaky)
	require.Equal(t, bench.Failed, o.Tests[1].Status)
	require.Equal(t, bench.Passed, o.Tests[2].Status)
	require.Equal(t, bench.Failed, first.Tests[2].Status, "the first run's record stays as it is")

	second.State = bench.RunSuspect
	_, flaky = calmed(first, second, again)
	require.Empty(t, flaky, "a run that cannot be believed clears nothing")
}
