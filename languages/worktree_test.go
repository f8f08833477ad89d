package languages

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestWithheld: no program or plan of the set-up is seen, but the packages that
// builds need stay. Images were set up by others.
func TestWithheld(t *testing.T) {
	out := (&Testbed{instance: &bench.Instance{}}).Withheld()
	assets, err := os.ReadDir("assets")
	require.NoError(t, err)
	found := 0
	for _, a := range assets {
		if strings.HasPrefix(a.Name(), "python_") && a.Name() != "python_cover.py" { // that one comes with a run
			require.Contains(t, out, path.Join(pythonDir, a.Name()))
			found++
		}
	}
	require.Equal(t, len(pythonPrograms()), found)
	require.Contains(t, out, pythonDir+"/plan.json")
	require.Contains(t, out, "/assay")
	for _, p := range out {
		require.NotEqual(t, pythonDir, p)
	}
	require.Empty(t, (&Testbed{instance: &bench.Instance{Image: "x"}}).Withheld())
}
