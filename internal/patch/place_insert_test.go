package patch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// TestInsertions: a hunk without old lines has nothing to search by, and goes
// where it says, moved as far as the hunk before it was.
func TestInsertions(t *testing.T) {
	six := text(numbered(6)...)
	for name, c := range map[string]struct {
		old, diff, want string // want is "" where it is refused
		method          patch.Method
	}{
		"inside":         {six, edit("@@ -2,0 +3 @@", "+new"), strings.Replace(six, "line 3\n", "new\nline 3\n", 1), patch.Strict},
		"at the end":     {six, edit("@@ -6,0 +7 @@", "+new"), six + "new\n", patch.Strict},
		"behind the end": {six, edit("@@ -7,0 +8 @@", "+new"), "", 0},
		"moved with the one before": {
			"0\n0\n" + six, edit("@@ -1 +1 @@", "-line 1", "+one", "@@ -4,0 +5 @@", "+new"),
			"0\n0\n" + strings.NewReplacer("line 1\n", "one\n", "line 5\n", "new\nline 5\n").Replace(six), patch.Offset,
		},
		"moved back with it": {
			strings.TrimPrefix(six, "line 1\n"), edit("@@ -2 +2 @@", "-line 2", "+two", "@@ -4,0 +5 @@", "+new"),
			strings.NewReplacer("line 1\n", "", "line 2\n", "two\n", "line 5\n", "new\nline 5\n").Replace(six), patch.Offset,
		},
		"inside the one before": {six, edit("@@ -1,4 +1,4 @@", " line 1", " line 2", "-line 3", "+three", " line 4", "@@ -2,0 +3 @@", "+new"), "", 0},
		"just behind the one before": {
			six, edit("@@ -1,2 +1,2 @@", " line 1", "-line 2", "+two", "@@ -2,0 +3 @@", "+new"),
			strings.Replace(six, "line 2\n", "two\nnew\n", 1), patch.Strict,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				p, err := patch.Parse([]byte(c.diff))
				require.NoError(t, err)
				_, err = patch.Apply(patch.MapTree(entries{"f": file(c.old)}), p)
				var failed *patch.ApplyError
				require.ErrorAs(t, err, &failed)
				return
			}
			got, changes := apply(t, entries{"f": file(c.old)}, c.diff)
			require.Equal(t, c.want, string(got["f"].Data))
			require.Equal(t, c.method, changes.Method)
		})
	}
}

// TestShiftsAreOfTheLastHunk: repeated blocks are distinguished only by how
// far the hunk before was moved.
func TestShiftsAreOfTheLastHunk(t *testing.T) {
	old := text("a", "-", "-", "-", "b", "-", "-", "-", "c")
	// The first hunk is two lines off, the second three, the insertion then
	// follows the second.
	diff := edit("@@ -3 +3 @@", "-a", "+A", "@@ -8 +8 @@", "-b", "+B", "@@ -10,0 +11 @@", "+new")
	got, _ := apply(t, entries{"f": file(old)}, diff)
	require.Equal(t, text("A", "-", "-", "-", "B", "-", "-", "new", "-", "c"), string(got["f"].Data))
}

// TestFuzzDropsTheLongerEndFirst: as patch(1) does, so that a hunk at the start
// of a file keeps the little context that it has.
func TestFuzzDropsTheLongerEndFirst(t *testing.T) {
	old := text("one", "two", "three", "four", "five")
	got, changes := apply(t, entries{"f": file(old)}, edit("@@ -1,5 +1,5 @@", " one", "-two", "+TWO", " three", " four", " x"))
	require.Equal(t, text("one", "TWO", "three", "four", "five"), string(got["f"].Data))
	require.Equal(t, patch.Fuzz, changes.Method)
	p, err := patch.Parse([]byte(edit("@@ -1,5 +1,5 @@", " x", "-two", "+TWO", " three", " four", " five")))
	require.NoError(t, err)
	_, err = patch.Apply(patch.MapTree(entries{"f": file(old)}), p)
	require.Error(t, err, "two lines of fuzz shorten the longer end to the shorter, and no more")
}

// TestContextIsKept: lines of context stay as the file has them, also where
// they were matched loosely.
func TestContextIsKept(t *testing.T) {
	old := "one\r\ntwo\r\nthree\r\n"
	got, changes := apply(t, entries{"f": file(old)}, edit("@@ -1,3 +1,4 @@", " one", "-two", "+TWO", "+more", " three"))
	require.Equal(t, "one\r\nTWO\r\nmore\r\nthree\r\n", string(got["f"].Data))
	require.Equal(t, patch.Strict, changes.Method, "line ends alone do not count")
}
