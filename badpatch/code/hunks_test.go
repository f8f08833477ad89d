package code_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/code"
	"pgregory.net/rapid"
)

// TestWeave checks for any two texts that all hunks give the one, and no
// hunks the other.
func TestWeave(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n"})
		text := func(name string) []byte {
			out := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(r, name), "")
			if rapid.Bool().Draw(r, name+" without end") {
				out = strings.TrimSuffix(out, "\n")
			}
			return []byte(out)
		}
		before, after := text("before"), text("after")
		hunks := code.HunksBetween(before, after)
		require.Equal(t, string(after), string(code.Weave(before, after, hunks, func(int) bool { return true })))
		require.Equal(t, string(before), string(code.Weave(before, after, hunks, func(int) bool { return false })))
		require.True(t, slices.IsSortedFunc(hunks, func(a, b code.Hunk) int { return a.From - b.From }))
		require.Equal(t, bytes.Equal(before, after), len(hunks) == 0)
	})
}
