package assay

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTextsSayWhatHolds: sentences that were wrong once. What they say now is
// compared with the code by the tests named next to them.
func TestTextsSayWhatHolds(t *testing.T) {
	for _, c := range []struct{ file, says, not string }{
		// languages: TestGivenPackagesReplaceDefaults
		{"bench/schema/instance.json", "They replace those that the language installs by default", "beside those that the language needs"},
		// tasks: TestStylePlanRuns
		{"docs/judging.md", "Five runs at most: the linter over base", "Four runs at most: the linter over base"},
		// languages/reports: TestSealedHostile
		{"docs/judging.md", "Every line of our own reporter", "a report written by somebody else is none"},
	} {
		data, err := os.ReadFile(c.file)
		require.NoError(t, err)
		require.Contains(t, string(data), c.says, c.file)
		require.NotContains(t, string(data), c.not, c.file)
	}
}
