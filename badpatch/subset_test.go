package badpatch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// numbered makes a file of n assignments.
func numbered(n int, except map[int]string) string {
	var b strings.Builder
	for i := range n {
		if text, ok := except[i]; ok {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "x%d = %d\n", i, i)
		}
	}
	return b.String()
}

func TestSubsetsOfHunks(t *testing.T) {
	for hunks, want := range map[int]int{1: 0, 2: 2, 3: 6, 4: 14, 5: 10, 6: 12} {
		except := map[int]string{}
		for i := range hunks {
			except[i*5] = fmt.Sprintf("y%d = f(%d)\n", i, i)
		}
		base, gold := texts{"m.py": numbered(40, nil)}, texts{"m.py": numbered(40, except)}
		s := subject(t, "python", base, gold)
		seen := map[string]bool{base["m.py"]: true, gold["m.py"]: true}
		for _, c := range collect(t, Subsets{}, s) {
			require.Equal(t, "hunks", c.Operator)
			text := state(t, base, c.Patch, "m.py")
			require.False(t, seen[text], "not a proper subset, or twice: %s", c.Patch)
			seen[text] = true
		}
		require.Len(t, seen, want+2, "%d hunks", hunks)
	}
}

func TestSubsetsOfLines(t *testing.T) {
	base := texts{"m.py": "a = 1\nb = 2\nc = 3\n"}
	gold := texts{"m.py": "a = 11\nb = 12\nc = 13\n"}
	var got []string
	for _, c := range collect(t, Subsets{}, subject(t, "python", base, gold)) {
		require.Equal(t, "lines", c.Operator)
		got = append(got, state(t, base, c.Patch, "m.py"))
	}
	require.Equal(t, []string{"a = 1\nb = 12\nc = 13\n", "a = 11\nb = 2\nc = 13\n", "a = 11\nb = 12\nc = 3\n"}, got)
}

// TestSubsetsOfFiles holds that files are left out whole, new and deleted ones
// too, and that what is no code stays as gold has it.
func TestSubsetsOfFiles(t *testing.T) {
	base := texts{"a.py": "a = 1\n", "gone.py": "g = 1\n", "NEWS.md": "old\n"}
	gold := texts{"a.py": "a = 2\n", "gone.py": "-", "new.py": "n = 1\n", "NEWS.md": "new\n"}
	states := map[string]bool{}
	for _, c := range collect(t, Subsets{}, subject(t, "python", base, gold)) {
		require.Equal(t, "new\n", state(t, base, c.Patch, "NEWS.md"))
		if c.Operator == "files" {
			states[state(t, base, c.Patch, "a.py")+state(t, base, c.Patch, "gone.py")+state(t, base, c.Patch, "new.py")] = true
		}
	}
	require.Equal(t, map[string]bool{
		"a = 1\n-n = 1\n": true, "a = 2\n--": true, "a = 2\ng = 1\nn = 1\n": true, "a = 2\ng = 1\n-": true, "a = 1\n--": true, "a = 1\ng = 1\nn = 1\n": true,
	}, states)
}

// TestSubsetsKeepImports holds that a hunk of imports is no part to leave out.
func TestSubsetsKeepImports(t *testing.T) {
	base := texts{"m.py": "import os\n" + numbered(20, nil)}
	gold := texts{"m.py": "import os\nimport re\n" + numbered(20, map[int]string{5: "y = re.X\n", 15: "z = re.Y\n"})}
	all := collect(t, Subsets{}, subject(t, "python", base, gold))
	require.Len(t, all, 2)
	for _, c := range all {
		require.Contains(t, state(t, base, c.Patch, "m.py"), "import re\n")
	}
}

// TestWeave holds for any two texts: all hunks give the one, none the other.
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
		hunks := hunksBetween(before, after)
		require.Equal(t, string(after), string(weave(before, after, hunks, func(int) bool { return true })))
		require.Equal(t, string(before), string(weave(before, after, hunks, func(int) bool { return false })))
		require.True(t, slices.IsSortedFunc(hunks, func(a, b hunk) int { return a.from - b.from }))
		require.Equal(t, bytes.Equal(before, after), len(hunks) == 0)
	})
}
