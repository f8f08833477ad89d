package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const nestedClone = `diff --git a/scratch b/scratch
new file mode 160000
index 0000000..1234567
--- /dev/null
+++ b/scratch
@@ -0,0 +1 @@
+Subproject commit 1234567890123456789012345678901234567890
`

const oneFix = `diff --git a/lib/f.py b/lib/f.py
--- a/lib/f.py
+++ b/lib/f.py
@@ -1 +1 @@
-x = 1
+x = 2
`

func TestAccidentalFilesAreDropped(t *testing.T) {
	inst := &bench.Instance{ID: "a__b-1", Language: "python", TestPatch: "t", FailToPass: bench.TestIDs{"t"}}
	plan := BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: nestedClone + oneFix})
	require.Empty(t, plan.Early, plan.Reason)
	require.Equal(t, []bench.Flag{{Kind: "dropped_files", Path: "scratch", Detail: "left out: submodules are not allowed"}}, plan.Flags)
	require.Contains(t, plan.Runs[0].Code, "+x = 2")
	require.NotContains(t, plan.Runs[0].Code, "scratch")

	plan = BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: nestedClone})
	require.Equal(t, bench.InvalidPatch, plan.Early, "there is nothing else to judge")

	link := `diff --git a/lib/g.py b/lib/g.py
new file mode 120000
--- /dev/null
+++ b/lib/g.py
@@ -0,0 +1 @@
+/etc/passwd
\ No newline at end of file
`
	plan = BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: oneFix + link})
	require.Equal(t, bench.InvalidPatch, plan.Early, "a source file that leads out of the tree")

	fixture := `diff --git a/tests/data.bin b/tests/data.bin
index 1234567..89abcde 100644
Binary files a/tests/data.bin and b/tests/data.bin differ
`
	plan = BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: oneFix + fixture})
	require.Empty(t, plan.Early, "tests of a fix are split off anyway")
	plan = TestGen{}.Plan(Task{Kind: "testgen", Instance: inst}, bench.Prediction{Patch: oneFix + fixture})
	for _, f := range plan.Flags {
		require.NotEqual(t, "dropped_files", f.Kind, "a generated test may need its data")
	}
}

func TestPicturesOfTheGoldPatchWithoutData(t *testing.T) {
	picture := `diff --git a/docs/image.png b/docs/image.png
new file mode 100644
index 0000000..1234567
Binary files /dev/null and b/docs/image.png differ
`
	inst := &bench.Instance{ID: "a__b-1", Language: "python", Patch: oneFix + picture, TestPatch: "t", FailToPass: bench.TestIDs{"t"}}
	plan := BugFix{}.Plan(Task{Kind: "bugfix", Instance: inst}, bench.Prediction{Patch: inst.Patch})
	require.Empty(t, plan.Early, plan.Reason)
	require.Equal(t, []bench.Flag{{Kind: "dropped_files", Path: "docs/image.png", Detail: "left out: binary change without data"}}, plan.Flags)
	require.Contains(t, CodeOf(Task{Instance: inst}, inst.Patch), "+x = 2")
	require.NotContains(t, CodeOf(Task{Instance: inst}, inst.Patch), "image.png")
}
