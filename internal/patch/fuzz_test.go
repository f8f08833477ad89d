package patch_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

func seeds() []string {
	return []string{
		mixed, newLink("d/l", "../f"), crlf(mixed), "```diff\n" + mixed + "```\n",
		edit("@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"),
		edit("@@ -1,9 +1,9 @@", " one", "-two", "+2", "", noEOL),
		text("--- /dev/null", "+++ b/new", "@@ -0,0 +1 @@", "+x"),
		text(`diff --git "a/\303\251" "b/\303\251"`, `rename from "\303\251"`, "rename to x"),
		text("diff --git a/b b/b", "index 0000000..1234567", "GIT binary patch", "delta 5", "McmV+b0RRI4", "", "literal 0", "HcmV?d00001", ""),
	}
}

// inside checks a path by other means than the package does.
func inside(t *testing.T, name string) {
	t.Helper()
	require.NotEmpty(t, name)
	require.False(t, path.IsAbs(name), name)
	require.Equal(t, path.Clean(name), name)
	require.False(t, name == ".." || strings.HasPrefix(name, "../"), name)
	require.NotContains(t, name, `\`)
	for _, part := range strings.Split(strings.ToLower(name), "/") {
		require.NotEqual(t, ".git", part)
	}
}

// FuzzParse: no panic, no path outside, and Bytes parses to the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, diff []byte) {
		p, err := patch.Parse(diff)
		if err != nil {
			require.Nil(t, p)
			return
		}
		for _, name := range p.Paths() {
			inside(t, name)
		}
		for _, file := range p.Files {
			require.Equal(t, file.Added(), lines(file.AddedLines()))
			require.Equal(t, file.Removed(), lines(file.RemovedLines()))
		}
		again, err := patch.Parse(p.Bytes())
		require.NoError(t, err, "%s", p.Bytes())
		require.Equal(t, p.Paths(), again.Paths())
		require.Equal(t, p.Complexity(), again.Complexity())
		require.Equal(t, string(p.Bytes()), string(again.Bytes()))
	})
}

func lines(ranges []patch.LineRange) int {
	n := 0
	for _, r := range ranges {
		n += r.End - r.Start + 1
	}
	return n
}

// FuzzApply: no panic, nothing outside of the tree or through a link, no link
// out of the tree, and the tree is only read.
func FuzzApply(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed), []byte(abc))
	}
	f.Add([]byte(newLink("d", "x")+text("--- /dev/null", "+++ b/d/f", "@@ -0,0 +1 @@", "+x")), []byte("x"))
	f.Fuzz(func(t *testing.T, diff, content []byte) {
		p, err := patch.Parse(diff)
		if err != nil {
			return
		}
		tree := entries{"f": file(string(content)), "src/a.py": file(string(content)), "d": link("src"), "b": file("12345")}
		changes, err := patch.Apply(patch.MapTree(tree), p)
		require.Equal(t, string(content), string(tree["f"].Data))
		if err != nil {
			require.Nil(t, changes)
			return
		}
		result := changes.Over(patch.MapTree(tree))
		for name, entry := range changes.Write {
			inside(t, name)
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				_, err := result.Read(dir)
				require.Error(t, err, "%s lies below a file", name)
			}
			if entry.Mode == patch.ModeSymlink {
				require.False(t, path.IsAbs(string(entry.Data)))
				inside(t, path.Join(strings.Repeat("x/", strings.Count(name, "/")), string(entry.Data)))
			}
		}
		for _, name := range changes.Remove {
			inside(t, name)
			require.Contains(t, tree, name)
		}
	})
}
