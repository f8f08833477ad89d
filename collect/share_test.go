package collect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages"
)

func TestSharesOf(t *testing.T) {
	got := sharesOf(languages.Default(), map[string]int64{
		"src/a.py": 50, "src/b.java": 20, "web/c.ts": 20, "d.CPP": 10, "README.md": 1000, "data.json": 1000, "logo.png": 1000,
	})
	require.Equal(t, map[string]float64{"python": 50, "java": 20, "cpp": 10}, got)
	require.Empty(t, sharesOf(languages.Default(), nil))
}

// TestMinShare: a change in a language of which there is little is left out.
func TestMinShare(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "web/a.ts", strings.Repeat("x\n", 200), "README.md", strings.Repeat("x\n", 5000))
	r.fix("A fix of something, fixes #1")
	for share, want := range map[int]Reason{0: "", 1: "", 60: LanguageShare} {
		changes, err := Find(t.Context(), r.source(), Filter{MinShare: share})
		require.NoError(t, err)
		require.Equal(t, want, changes[0].Dropped, share)
		if want != "" {
			require.Regexp(t, `^\d+ % of the code is in python$`, changes[0].Detail)
		}
	}
}
