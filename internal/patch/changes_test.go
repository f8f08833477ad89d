package patch_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

func TestStacking(t *testing.T) {
	base := entries{"keep": file("k\n"), "f": file("1\n"), "gone": file("g\n"), "back": file("b\n")}
	first := text(
		"--- a/f", "+++ b/f", "@@ -1 +1 @@", "-1", "+2",
		"--- /dev/null", "+++ b/made", "@@ -0,0 +1 @@", "+m",
		"--- /dev/null", "+++ b/brief", "@@ -0,0 +1 @@", "+x",
		"--- a/gone", "+++ /dev/null", "@@ -1 +0,0 @@", "-g",
		"--- a/back", "+++ /dev/null", "@@ -1 +0,0 @@", "-b")
	second := text(
		"--- a/f", "+++ b/f", "@@ -7 +7 @@", "-2", "+3",
		"--- a/made", "+++ b/made", "@@ -1 +1,2 @@", " m", "+n",
		"--- a/brief", "+++ /dev/null", "@@ -1 +0,0 @@", "-x",
		"--- /dev/null", "+++ b/back", "@@ -0,0 +1 @@", "+B")

	middle, a := apply(t, base, first)
	p, err := patch.Parse([]byte(second))
	require.NoError(t, err)
	b, err := patch.Apply(a.Over(patch.MapTree(base)), p)
	require.NoError(t, err)
	want := entries{"keep": file("k\n"), "f": file("3\n"), "made": file("m\nn\n"), "back": file("B\n")}
	require.Equal(t, want, after(middle, b))

	both := patch.Merge(a, b)
	require.Equal(t, want, after(base, both))
	require.Equal(t, []string{"gone"}, both.Remove, "a file made and removed was never in the tree")
	require.Equal(t, patch.Offset, both.Method)
	require.Equal(t, map[string]patch.Method{"f": patch.Offset, "made": 0, "brief": 0, "gone": 0, "back": 0}, both.PerFile)

	tree := both.Over(patch.MapTree(base))
	for path, entry := range want {
		got, err := tree.Read(path)
		require.NoError(t, err)
		require.Equal(t, entry, got)
	}
	_, err = tree.Read("gone")
	require.True(t, errors.Is(err, fs.ErrNotExist))
	_, err = tree.Read("never")
	require.True(t, errors.Is(err, fs.ErrNotExist))
}

func TestMergeNil(t *testing.T) {
	_, a := apply(t, entries{"f": file("1\n")}, text("--- a/f", "+++ b/f", "@@ -1 +1 @@", "-1", "+2"))
	for _, merged := range []*patch.Changes{patch.Merge(a, nil), patch.Merge(nil, a)} {
		require.Equal(t, a.Write, merged.Write)
		require.Empty(t, merged.Remove)
	}
	require.Empty(t, patch.Merge(nil, nil).Write)
}

func TestMethodOrder(t *testing.T) {
	require.Less(t, patch.Strict, patch.Offset)
	require.Less(t, patch.Offset, patch.Fuzz)
	require.Equal(t, "strict offset fuzz Method(7)",
		patch.Strict.String()+" "+patch.Offset.String()+" "+patch.Fuzz.String()+" "+patch.Method(7).String())
}
