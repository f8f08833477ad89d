package patch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// accident is a diff as `git add -A` makes it where a virtual environment, a
// nested clone and a binary file lie about.
const accident = `diff --git a/nested b/nested
new file mode 160000
index 0000000..1234567
--- /dev/null
+++ b/nested
@@ -0,0 +1 @@
+Subproject commit 1234567890123456789012345678901234567890
diff --git a/venv/bin/python3 b/venv/bin/python3
new file mode 120000
index 0000000..acd4152
--- /dev/null
+++ b/venv/bin/python3
@@ -0,0 +1 @@
+/usr/bin/python3
\ No newline at end of file
diff --git a/out.png b/out.png
new file mode 100644
index 0000000..1234567
Binary files /dev/null and b/out.png differ
diff --git a/f.py b/f.py
--- a/f.py
+++ b/f.py
@@ -1 +1 @@
-x = 1
+x = 2
`

func TestParseTolerant(t *testing.T) {
	p, dropped, err := ParseTolerant([]byte(accident), func(path string) bool { return !strings.HasSuffix(path, ".py") })
	require.NoError(t, err)
	require.Equal(t, []string{"f.py"}, p.Paths())
	require.Equal(t, []Dropped{
		{"nested", "submodules are not allowed"},
		{"venv/bin/python3", "symbolic link out of the tree"},
		{"out.png", "binary change without data"},
	}, dropped)

	var unsafe *UnsafeError
	_, err = Parse([]byte(accident))
	require.ErrorAs(t, err, &unsafe, "Parse itself drops nothing")
	_, _, err = ParseTolerant([]byte(strings.ReplaceAll(accident, "venv/bin/python3", "lib/link.py")), func(path string) bool { return path == "nested" || path == "out.png" })
	require.ErrorAs(t, err, &unsafe)
	require.Equal(t, "lib/link.py", unsafe.Path)
	_, _, err = ParseTolerant([]byte(strings.ReplaceAll(accident, "b/nested", "b/../nested")), func(string) bool { return true })
	require.ErrorAs(t, err, &unsafe, "a path out of the tree is never dropped")
}

func TestParseTolerantOfNothingElse(t *testing.T) {
	only, _, _ := strings.Cut(accident, "diff --git a/venv")
	p, dropped, err := ParseTolerant([]byte(only), func(string) bool { return true })
	require.NoError(t, err)
	require.True(t, p.Empty())
	require.Len(t, dropped, 1)
}
