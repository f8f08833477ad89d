package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDrawn(t *testing.T) {
	tests := []string{"a", "b", "c", "d", "e", "f"}
	got := drawn(tests, nil, 4)
	require.Equal(t, got, drawn(tests, nil, 4), "the same tests for gold and for submissions")
	require.Len(t, got, 4)
	require.Subset(t, tests, got)
	require.Equal(t, []string{"a", "b", "c", "d", "e", "f"}, tests, "what is given stays")
	require.ElementsMatch(t, tests, drawn(tests, []string{"x"}, 9), "each one once")

	fresh := drawn(tests, []string{"b", "e", "not there"}, 4)
	require.ElementsMatch(t, []string{"b", "e"}, fresh[:2], "fresh ones come first")
	require.Len(t, fresh, 4)
	require.Equal(t, []string{"e"}, drawn(tests, []string{"e"}, 1))
	require.Empty(t, drawn(nil, []string{"e"}, 4))
}

// TestFreshTests: of the tests that run, those that the test patch adds or
// changes.
func TestFreshTests(t *testing.T) {
	old := "def test_old():\n    assert True\n\n\ndef test_changed():\n    assert 1\n"
	now := "def test_old():\n    assert True\n\n\ndef test_changed():\n    assert 2\n\n\ndef test_new():\n    assert 3\n"
	const touched, other = "tests/test_a.py", "tests/test_b.py"
	base := tree(map[string]string{touched: old, other: old})
	s := Suite{Files: []string{touched, other}, Repo: texts{touched: now, other: old}, Decisive: []string{touched + "::test_new"}}
	require.Equal(t, []string{touched + "::test_changed", touched + "::test_new"}, freshTests(pythonLanguage{}, base, s, []string{touched, "lib.py"}))
	require.Empty(t, freshTests(pythonLanguage{}, base, s, []string{"lib.py"}))
	s.Decisive = nil
	require.Empty(t, freshTests(pythonLanguage{}, base, s, []string{touched}))
}

func TestTakenIn(t *testing.T) {
	taken := takenIn(Suite{Files: []string{"a", "b"}, Repo: texts{"a": "void testOne()", "b": "void testTwo()", "c": "void testThree()"}})
	require.True(t, taken("testOne"))
	require.True(t, taken("testTwo"))
	require.False(t, taken("testThree"), "a file that does not run")
}
