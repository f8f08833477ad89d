package antipattern

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/badpatchtest"
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
		base, gold := badpatchtest.Texts{"m.py": numbered(40, nil)}, badpatchtest.Texts{"m.py": numbered(40, except)}
		s := badpatchtest.Subject(t, "python", base, gold)
		seen := map[string]bool{base["m.py"]: true, gold["m.py"]: true}
		for _, c := range badpatchtest.Collect(t, Subsets{}, s) {
			require.Equal(t, "hunks", c.Operator)
			text := badpatchtest.State(t, base, c.Patch, "m.py")
			require.False(t, seen[text], "not a proper subset, or twice: %s", c.Patch)
			seen[text] = true
		}
		require.Len(t, seen, want+2, "%d hunks", hunks)
	}
}

func TestSubsetsOfLines(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "a = 1\nb = 2\nc = 3\n"}
	gold := badpatchtest.Texts{"m.py": "a = 11\nb = 12\nc = 13\n"}
	var got []string
	for _, c := range badpatchtest.Collect(t, Subsets{}, badpatchtest.Subject(t, "python", base, gold)) {
		require.Equal(t, "lines", c.Operator)
		got = append(got, badpatchtest.State(t, base, c.Patch, "m.py"))
	}
	require.Equal(t, []string{"a = 1\nb = 12\nc = 13\n", "a = 11\nb = 2\nc = 13\n", "a = 11\nb = 12\nc = 3\n"}, got)
}

// TestSubsetsOfFiles checks that files are left out whole, new and deleted
// ones too, and that what is not code stays as gold has it.
func TestSubsetsOfFiles(t *testing.T) {
	base := badpatchtest.Texts{"a.py": "a = 1\n", "gone.py": "g = 1\n", "NEWS.md": "old\n"}
	gold := badpatchtest.Texts{"a.py": "a = 2\n", "gone.py": "-", "new.py": "n = 1\n", "NEWS.md": "new\n"}
	states := map[string]bool{}
	for _, c := range badpatchtest.Collect(t, Subsets{}, badpatchtest.Subject(t, "python", base, gold)) {
		require.Equal(t, "new\n", badpatchtest.State(t, base, c.Patch, "NEWS.md"))
		if c.Operator == "files" {
			states[badpatchtest.State(t, base, c.Patch, "a.py")+badpatchtest.State(t, base, c.Patch, "gone.py")+badpatchtest.State(t, base, c.Patch, "new.py")] = true
		}
	}
	require.Equal(t, map[string]bool{
		"a = 1\n-n = 1\n": true, "a = 2\n--": true, "a = 2\ng = 1\nn = 1\n": true, "a = 2\ng = 1\n-": true, "a = 1\n--": true, "a = 1\ng = 1\nn = 1\n": true,
	}, states)
}

// TestSubsetsKeepImports checks that a hunk of imports is not a part to leave
// out.
func TestSubsetsKeepImports(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "import os\n" + numbered(20, nil)}
	gold := badpatchtest.Texts{"m.py": "import os\nimport re\n" + numbered(20, map[int]string{5: "y = re.X\n", 15: "z = re.Y\n"})}
	all := badpatchtest.Collect(t, Subsets{}, badpatchtest.Subject(t, "python", base, gold))
	require.Len(t, all, 2)
	for _, c := range all {
		require.Contains(t, badpatchtest.State(t, base, c.Patch, "m.py"), "import re\n")
	}
}
