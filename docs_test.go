package assay

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// TestNamedTestsExist: every test that docs/testing.md names is there.
func TestNamedTestsExist(t *testing.T) {
	var tests strings.Builder
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		tests.Write(data)
		return err
	}))
	doc, err := os.ReadFile("docs/testing.md")
	require.NoError(t, err)
	named := regexp.MustCompile("`(Test[A-Z]\\w*)").FindAllStringSubmatch(string(doc), -1)
	require.NotEmpty(t, named)
	for _, m := range named {
		require.Contains(t, tests.String(), "\nfunc "+m[1]+"(", "docs/testing.md names it")
	}
}
