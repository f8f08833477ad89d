package patch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

var mixed = text(
	"diff --git a/src/a.py b/src/a.py", "index 1234567..89abcde 100644", "--- a/src/a.py", "+++ b/src/a.py",
	"@@ -2,4 +2,5 @@ def f():", " two", "-three", "+3", "+3b", " ", " five",
	"@@ -20,3 +21,2 @@", " x", "-y", " z",
	"diff --git a/tests/old.py b/src/moved.py", "similarity index 100%", "rename from tests/old.py", "rename to src/moved.py",
	"diff --git a/gone.py b/gone.py", "deleted file mode 100755", "index 1234567..0000000", "--- a/gone.py", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b",
	"diff --git a/new.py b/new.py", "new file mode 100755", "index 0000000..1234567", "--- /dev/null", "+++ b/new.py", "@@ -0,0 +1 @@", "+n",
	"diff --git a/run.sh b/run.sh", "old mode 100644", "new mode 100755",
	"diff --git a/pic.png b/pic.png", "index 1234567..89abcde 100644", "Binary files a/pic.png and b/pic.png differ",
)

func TestFile(t *testing.T) {
	p, err := patch.Parse([]byte(mixed))
	require.NoError(t, err)
	require.Len(t, p.Files, 6)
	a, moved, gone, made, run, pic := p.Files[0], p.Files[1], p.Files[2], p.Files[3], p.Files[4], p.Files[5]

	require.Equal(t, []int{3 - 1, 2, 2}, []int{a.Added(), a.Removed(), a.Hunks()})
	require.Equal(t, []patch.LineRange{{3, 4}}, a.AddedLines())
	require.Equal(t, []patch.LineRange{{3, 3}, {21, 21}}, a.RemovedLines())
	require.Equal(t, []uint32{0o100644, 0o100644}, []uint32{a.OldMode, a.NewMode})

	require.True(t, moved.Renamed)
	require.Equal(t, []string{"tests/old.py", "src/moved.py", "src/moved.py"}, []string{moved.OldPath, moved.NewPath, moved.Path()})

	require.True(t, gone.Deleted)
	require.Equal(t, []string{"gone.py", "", "gone.py"}, []string{gone.OldPath, gone.NewPath, gone.Path()})
	require.Equal(t, patch.ModeExecutable, gone.OldMode)

	require.True(t, made.New)
	require.Equal(t, []string{"", "new.py", "new.py"}, []string{made.OldPath, made.NewPath, made.Path()})
	require.Equal(t, patch.ModeExecutable, made.NewMode)

	require.Equal(t, []uint32{0o100644, 0o100755}, []uint32{run.OldMode, run.NewMode})
	require.True(t, pic.Binary)
	require.Zero(t, pic.Added()+pic.Removed()+pic.Hunks())
}

func TestPatchAsAWhole(t *testing.T) {
	p, err := patch.Parse([]byte(mixed))
	require.NoError(t, err)
	require.Equal(t, []string{"gone.py", "new.py", "pic.png", "run.sh", "src/a.py", "src/moved.py", "tests/old.py"}, p.Paths())
	require.InDelta(t, 6+4+0.7, p.Complexity(), 1e-9) // 6 files, 4 hunks, 3 lines added, 4 removed

	tests, rest := p.Split(func(path string) bool { return strings.HasPrefix(path, "tests/") })
	require.Equal(t, []string{"src/moved.py", "tests/old.py"}, tests.Paths())
	require.Len(t, rest.Files, 5)

	again, err := patch.Parse(p.Bytes())
	require.NoError(t, err)
	require.Equal(t, string(p.Bytes()), string(again.Bytes()))
	require.Equal(t, p.Paths(), again.Paths())
}

func TestNames(t *testing.T) {
	change := text("@@ -1 +1 @@", "-a", "+b")
	cases := map[string]struct{ diff, old, new string }{
		"blanks":                {text("diff --git a/my file.txt b/my file.txt", "--- a/my file.txt\t", "+++ b/my file.txt\t") + change, "my file.txt", "my file.txt"},
		"blanks, header only":   {text("diff --git a/my file.txt b/my file.txt", "new file mode 100644"), "", "my file.txt"},
		"blanks, no prefix":     {text("diff --git my file.txt my file.txt", "new file mode 100644"), "", "my file.txt"},
		"octal":                 {text(`diff --git "a/caf\303\251.txt" "b/caf\303\251.txt"`, `--- "a/caf\303\251.txt"`, `+++ "b/caf\303\251.txt"`) + change, "café.txt", "café.txt"},
		"octal, not UTF-8":      {text(`diff --git "a/caf\351.txt" "b/caf\351.txt"`, "new file mode 100644"), "", "caf\xe9.txt"},
		"escapes":               {text(`diff --git "a/tab\tquote\".txt" "b/tab\tquote\".txt"`, "new file mode 100644"), "", "tab\tquote\".txt"},
		"unquoted, not ASCII":   {text("--- a/café.txt", "+++ b/café.txt") + change, "café.txt", "café.txt"},
		"one quoted":            {text(`diff --git a/e.txt "b/\303\251.txt"`, "rename from e.txt", `rename to "\303\251.txt"`), "e.txt", "é.txt"},
		"other one quoted":      {text(`diff --git "a/\303\251.txt" b/e.txt`, `--- "a/\303\251.txt"`, "+++ b/e.txt") + change, "é.txt", "e.txt"},
		"rename without a word": {text("diff --git a/x b/y", "--- a/x", "+++ b/y") + change, "x", "y"},
		"copy":                  {text("diff --git a/x b/y", "copy from x", "copy to y"), "x", "y"},
		"doubled slash":         {text("--- a/d//./x", "+++ b/d//./x") + change, "d/x", "d/x"},
		"new, prefix by header": {text("diff --git w/x w/x", "new file mode 100644", "--- /dev/null", "+++ w/x", "@@ -0,0 +1 @@", "+a"), "", "w/x"},
		"new, mnemonic":         {text("diff --git i/x w/x", "new file mode 100644", "--- /dev/null", "+++ w/x", "@@ -0,0 +1 @@", "+a"), "", "x"},
		"deleted, mnemonic":     {text("diff --git i/x w/x", "deleted file mode 100644", "--- i/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), "x", ""},
		"new by its time":       {text("--- x\t1970-01-01 01:00:00.000000000 +0100", "+++ x\t2024-01-01 00:00:00 +0000", "@@ -0,0 +1 @@", "+a"), "", "x"},
		"deleted by its time":   {text("--- x\t2024-01-01 00:00:00 +0000", "+++ x\t1969-12-31 19:00:00.000000000 -0500", "@@ -1 +0,0 @@", "-a"), "x", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := patch.Parse([]byte(c.diff))
			require.NoError(t, err)
			require.Len(t, p.Files, 1)
			require.Equal(t, []string{c.old, c.new}, []string{p.Files[0].OldPath, p.Files[0].NewPath})
			again, err := patch.Parse(p.Bytes())
			require.NoError(t, err)
			require.Equal(t, p.Paths(), again.Paths())
		})
	}
}

// TestAmbiguousHunkEnds has lines that look like headers inside of hunks, and
// headers after hunks whose counts are wrong.
func TestAmbiguousHunkEnds(t *testing.T) {
	next := text("--- a/g", "+++ b/g", "@@ -1 +1 @@", "-g", "+G")
	cases := map[string]struct {
		diff           string
		added, removed int
		files          int
	}{
		"comment lines changed": {text("--- a/f.sql", "+++ b/f.sql", "@@ -1,2 +1,2 @@", " x", "--- old", "+++ new") + next, 1, 1, 2},
		"right counts":          {text("--- a/f", "+++ b/f", "@@ -1,2 +1,2 @@", " x", "-a", "+b") + next, 1, 1, 2},
		"counts too high":       {text("--- a/f", "+++ b/f", "@@ -1,5 +1,5 @@", " x", "-a", "+b") + next, 1, 1, 2},
		"counts too low":        {text("--- a/f", "+++ b/f", "@@ -1,1 +1,1 @@", " x", "-a", "+b") + next, 1, 1, 2},
		"signature-like line":   {text("--- a/f", "+++ b/f", "@@ -1,2 +1,1 @@", " x", "-- ") + "1.0\n", 0, 1, 1},
		"hunk without changes":  {text("--- a/f", "+++ b/f", "@@ -1,2 +1,2 @@", " x", " y", "@@ -5,1 +5,1 @@", "-a", "+b") + next, 1, 1, 2},
		"blank between hunks":   {text("--- a/f", "+++ b/f", "@@ -1,1 +1,1 @@", "-a", "+b", "", "@@ -5,1 +5,1 @@", "-c", "+d") + next, 2, 2, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := patch.Parse([]byte(c.diff))
			require.NoError(t, err)
			require.Len(t, p.Files, c.files)
			require.Equal(t, []int{c.added, c.removed}, []int{p.Files[0].Added(), p.Files[0].Removed()})
		})
	}
}
