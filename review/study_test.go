package review

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStudyErrors(t *testing.T) {
	in := caseInput(t, "python-schedule")
	broken := errors.New("disk on fire")
	read := in.Base
	in.Base = func(string) ([]byte, error) { return nil, broken }
	_, err := Study(in)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "python-schedule")

	in.Base = func(path string) ([]byte, error) {
		if path == "mailqueue/queue.py" { // only the bad patch touches it
			return nil, broken
		}
		return read(path)
	}
	_, err = Study(in)
	require.ErrorIs(t, err, broken)

	in.Base = read
	in.Instance.Patch = "--- a/mailqueue/schedule.py\n+++ b/mailqueue/schedule.py\n@@ -1 +1 @@\n-not there\n+x\n"
	_, err = Study(in)
	require.ErrorContains(t, err, "the gold patch")
}

func TestPlaces(t *testing.T) {
	base := "import os\n\nLIMIT = 1\n\n\nclass A:\n    kind = 1\n\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n\ndef three():\n    return 3\n"
	edit := func(pairs ...string) string { return replaced(base, pairs...) }
	for _, test := range []struct {
		name, gold, bad string
		want            []Place
	}{
		{"missed", edit("return 1", "return 10"), edit("return 3", "return 30"), []Place{
			{Symbol: "A.one", Kind: Missed, Start: 9, End: 10}, {Symbol: "three", Kind: Spurious, Start: 16, End: 17},
		}},
		{"different", edit("return 1", "return 10"), edit("return 1", "return 11"), []Place{{Symbol: "A.one", Kind: Different, Start: 9, End: 10}}},
		{"the same", edit("return 1", "return 10"), edit("return 1", "return  10  # ten"), nil},
		{"outside and in a class", edit("LIMIT = 1", "LIMIT = 2"), edit("kind = 1", "kind = 2"), []Place{
			{Kind: Missed}, {Symbol: "A", Kind: Spurious, Start: 6, End: 13},
		}},
		{"imports do not count", edit("import os", "import os, sys", "return 1", "return 10"), edit("return 1", "return 10"), nil},
		{"gold adds a method", edit("    def two", "    def extra(self):\n        pass\n\n    def two"), edit("return 3", "return 30"), []Place{
			{Symbol: "A", Kind: Missed, Detail: Lacks, Start: 6, End: 13}, {Symbol: "three", Kind: Spurious, Start: 16, End: 17},
		}},
		{"a new method that a missed place calls", edit("    def two", "    def extra(self):\n        pass\n\n    def two", "return 1", "return self.extra()"),
			edit("return 3", "return 3  # three"), []Place{{Symbol: "A.one", Kind: Missed, Start: 9, End: 10}}},
		{"a method that is removed", edit("return 1", "return 10"), edit("return 1", "return 10", "def two(self):\n        return 2\n", ""), []Place{
			{Symbol: "A.two", Kind: Spurious, Detail: Drops},
		}},
		{"a function that is added", edit("return 1", "return 10"), edit("return 1", "return 10") + "\n\ndef four():\n    return 4\n", []Place{
			{Symbol: "four", Kind: Spurious, Detail: Adds, Start: 20, End: 21},
		}},
		{"a helper of one's own way", edit("return 1", "return 10"), edit("return 1", "return four()") + "\n\ndef four():\n    return 4\n", []Place{
			{Symbol: "A.one", Kind: Different, Start: 9, End: 10},
		}},
		{"gold removes, the bad patch keeps", edit("\n\ndef three():\n    return 3\n", ""), edit("return 2", "return 20"), []Place{
			{Symbol: "three", Kind: Missed, Start: 16, End: 17}, {Symbol: "A.two", Kind: Spurious, Start: 12, End: 13},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := small(t, "x", base, test.gold, test.bad).Places()
			for i := range test.want {
				test.want[i].Path = "pkg/mod.py"
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestLayoutAndWholeFiles(t *testing.T) {
	in := caseInput(t, "python-schedule")
	places := study(t, in).Places()
	last := places[len(places)-1]
	require.Equal(t, Place{Path: "mailqueue/queue.py", Kind: Spurious, Detail: Layout}, last)

	in.Bad.Patch = "diff --git a/mailqueue/queue.py b/mailqueue/queue.py\ndeleted file mode 100644\n--- a/mailqueue/queue.py\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-\"\"\"Messages that wait.\"\"\"\n-\n-\n-def due(messages, now):\n-    return [m for m in messages if m.next_at <= now]\n" +
		"diff --git a/mailqueue/extra.py b/mailqueue/extra.py\nnew file mode 100644\n--- /dev/null\n+++ b/mailqueue/extra.py\n@@ -0,0 +1 @@\n+X = 1\n"
	s := study(t, in)
	require.Subset(t, s.Places(), []Place{
		{Path: "mailqueue/queue.py", Kind: Spurious, Detail: Drops}, {Path: "mailqueue/extra.py", Kind: Spurious, Detail: Adds},
	})
	text := s.Deterministic(L1).Text
	require.Contains(t, text, "The patch removes `mailqueue/queue.py`, though it is still needed.")
	require.Contains(t, text, "`mailqueue/extra.py`, which is new with this patch, is not needed for this issue.")
}
