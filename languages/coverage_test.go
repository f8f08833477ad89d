package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadCoverage: what several processes measured of a file is joined; a file
// that is no such measurement is left out.
func TestReadCoverage(t *testing.T) {
	got := readCoverage("/c/*.json", map[string][]byte{
		"/c/1.json": []byte(`{"a.py": {"executable": [1, 2, 3], "loaded": true, "missing": [2, 3], "covered": {"": [1], "t": [1]}}}`),
		"/c/2.json": []byte(`{"a.py": {"executable": [1, 2, 3], "loaded": false, "missing": [1, 2], "covered": {"t": [3]}}, "b.py": {"executable": [], "covered": {}}}`),
		"/c/3.json": []byte("{"), "/d/4.json": []byte("{}"),
	})
	require.Equal(t, Coverage{
		"a.py": {Executable: []int{1, 2, 3}, Loaded: true, Missing: []int{2}, Covered: map[string][]int{"": {1}, "t": {1, 3}}},
		"b.py": {Executable: []int{}, Covered: map[string][]int{}},
	}, got)
	a := got["a.py"]
	require.Equal(t, []int{1, 3}, a.By([]string{"t"}))
	require.Equal(t, []int{1}, a.By(nil))
	require.Equal(t, []int{1, 3}, a.InTests([]string{"t", "u"}))
	require.True(t, a.Executed(3))
	require.False(t, a.Executed(2))
	require.Nil(t, readCoverage("/c/*.json", nil), "nothing was measured")
}
